// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/banner.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

Banner::Banner(QWidget* parent) : QWidget(parent), timer_(new QTimer(this)) {
  text_ = makeLabel({}, 1, static_cast<int>(TextRole::body), this);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  action_ = makeButton({}, ButtonKind::neutral, {}, this);
  action_->setObjectName(QStringLiteral("bannerAction"));
  action_->setAccessibleName(tr("Action"));
  close_ = makeIconButton(QStringLiteral("x"), tr("Close this message"), this);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(44, 5, space::m, 5);
  row->setSpacing(space::s);
  row->addWidget(text_, 1);
  row->addWidget(action_);
  row->addWidget(close_);
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, &QWidget::hide);
  connect(close_, &QPushButton::clicked, this, &QWidget::hide);
  connect(action_, &QPushButton::clicked, this, [this] {
    hide();
    if (act_) act_();
  });
  hide();
}

void Banner::say(const QString& sentence, int severity, const QString& action, std::function<void()> act) {
  severity_ = severity;
  act_ = std::move(act);
  text_->setText(sentence);
  action_->setText(action);
  action_->setAccessibleName(action.isEmpty() ? tr("Action") : action);
  action_->setVisible(!action.isEmpty());
  if (severity == 0 && action.isEmpty())
    timer_->start(8000);
  else
    timer_->stop();
  show();
  update();
  QAccessibleEvent event(text_, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
}

void Banner::withdraw() {
  if (!action_->text().isEmpty()) hide();
}

QString Banner::text() const { return text_->text(); }

void Banner::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.fillRect(rect(), severity_ == 2 ? t.errorSoft : severity_ == 1 ? t.warnSoft : t.accentSoft);
  p.setPen(t.border1);
  p.drawLine(0, height() - 1, width(), height() - 1);
  const char* const names[] = {"info", "alert-triangle", "alert-octagon"};
  paintIcon(p, QLatin1String(names[qBound(0, severity_, 2)]), QRectF(16, height() / 2.0 - 9, 18, 18),
            severity_ == 2   ? t.error
            : severity_ == 1 ? t.warn
                             : t.accentText);
}

}  // namespace nw::ui
