// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/banner.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <algorithm>
#include <chrono>

#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int shadow_room = 12, widest_card = 760, above_edge = 4;
constexpr std::chrono::seconds time_to_read{8}, time_to_act{15};
}  // namespace

Banner::Banner(QWidget* page, QWidget* parent) : QWidget(parent), page_(page), timer_(new QTimer(this)) {
  text_ = makeLabel({}, 1, static_cast<int>(TextRole::body), this);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(shadow_room + 44, shadow_room + 7, shadow_room + space::s, shadow_room + 7);
  row->setSpacing(space::s);
  row->addWidget(text_, 1);
  for (int i = 0; i < most_actions; ++i) {
    buttons_[i] = makeButton({}, ButtonKind::neutral, {}, this);
    buttons_[i]->setObjectName(i == 0 ? QStringLiteral("bannerAction") : QStringLiteral("bannerSecondAction"));
    connect(buttons_[i], &QPushButton::clicked, this, [this, i] { act(i); });
    row->addWidget(buttons_[i]);
  }
  close_ = makeIconButton(QStringLiteral("x"), tr("Close this message"), this);
  connect(close_, &QPushButton::clicked, this, &QWidget::hide);
  row->addWidget(close_);
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, &QWidget::hide);
  page_->installEventFilter(this);
  hide();
}

void Banner::say(const QString& sentence, int severity, const NotificationActions& actions) {
  severity_ = severity;
  actions_ = actions.mid(0, most_actions);
  text_->setText(sentence);
  for (int i = 0; i < most_actions; ++i) {
    const bool used = i < actions_.size();
    buttons_[i]->setVisible(used);
    setShortenedText(*buttons_[i], used ? actions_[i].label : QString());
    buttons_[i]->setAccessibleName(used ? actions_[i].label : tr("Action"));
  }
  startTimer();
  place();
  show();
  raise();
  update();
  QAccessibleEvent event(text_, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
}

/// Warnings and errors stay, and offers that end with an event.
void Banner::startTimer() {
  const bool stays = severity_ > 0 || std::any_of(actions_.begin(), actions_.end(), [](const NotificationAction& a) {
                       return a.until != ValidUntil::timeout && a.until != ValidUntil::next_edit;
                     });
  if (stays)
    timer_->stop();
  else
    timer_->start(actions_.isEmpty() ? time_to_read : time_to_act);
}

void Banner::act(int button) {
  hide();
  if (button >= actions_.size()) return;
  const auto chosen = actions_[button].act;
  if (chosen) chosen();
}

void Banner::expire(ValidUntil event) {
  if (std::any_of(actions_.begin(), actions_.end(), [&](const NotificationAction& a) { return a.until == event; }))
    hide();
}

QString Banner::text() const { return text_->text(); }

/// Centred at the lower edge of the page, as wide as its sentence needs.
void Banner::place() {
  layout()->activate();
  const int most = std::min(widest_card, page_->width() - 2 * space::l) + 2 * shadow_room;
  const int whole = layout()->sizeHint().width() - text_->sizeHint().width() +
                    text_->fontMetrics().horizontalAdvance(text_->text()) + space::s;
  const int wide = std::min(whole, most), tall = layout()->totalHeightForWidth(wide);
  const QRect below = page_->geometry();
  setGeometry(below.center().x() - wide / 2, below.bottom() + 1 - tall - above_edge, wide, tall);
}

bool Banner::eventFilter(QObject* watched, QEvent* event) {
  if (!isHidden() && (event->type() == QEvent::Resize || event->type() == QEvent::Move)) place();
  return QWidget::eventFilter(watched, event);
}

/// A notification under the pointer stays.
void Banner::enterEvent(QEnterEvent*) { timer_->stop(); }
void Banner::leaveEvent(QEvent*) { startTimer(); }

void Banner::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    hide();
  else
    QWidget::keyPressEvent(event);
}

void Banner::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF card = QRectF(rect()).adjusted(shadow_room, shadow_room, -shadow_room, -shadow_room);
  paintFloat(p, card, 10, severity_ == 2 ? t.errorSoft : severity_ == 1 ? t.warnSoft : t.accentSoft, t.border1);
  const char* const names[] = {"info", "alert-triangle", "alert-octagon"};
  paintIcon(p, QLatin1String(names[qBound(0, severity_, 2)]), QRectF(card.left() + 16, height() / 2.0 - 9, 18, 18),
            severity_ == 2   ? t.error
            : severity_ == 1 ? t.warn
                             : t.accentText);
}

}  // namespace nw::ui
