// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/coach_mark.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int cardWidth = 340, gap = 14, halo = 5;

}  // namespace

/// An outline with a soft halo. Nothing is darkened: the sentence often explains what lies beside the target, such as
/// the curves beside the Stop button.
class CoachMark::Ring : public QWidget {
 public:
  explicit Ring(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
  }
  QRect place;

 protected:
  void paintEvent(QPaintEvent*) override {
    if (place.isEmpty()) return;
    const Theme& t = theme();
    const QRectF hole = QRectF(place).adjusted(-halo, -halo, halo, halo);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    QColor glow = t.ring;
    glow.setAlphaF(0.28F);
    p.setBrush(Qt::NoBrush);
    if (!t.highContrast) {
      p.setPen(QPen(glow, 2 * halo));
      p.drawRoundedRect(hole, radius::card, radius::card);
    }
    p.setPen(QPen(t.ring, t.highContrast ? 4 : 2.5));
    p.drawRoundedRect(hole, radius::card, radius::card);
  }
};

CoachMark::CoachMark(QWidget* window) : QWidget(window), ring_(new Ring(window)) {
  setObjectName(QStringLiteral("coachMark"));
  setAccessibleName(tr("Guide"));
  count_ = makeLabel({}, 3, static_cast<int>(TextRole::secondary), this);
  title_ = makeLabel({}, 1, static_cast<int>(TextRole::title), this);
  sentence_ = makeLabel({}, 2, static_cast<int>(TextRole::body), this);
  for (QLabel* label : {title_, sentence_}) label->setWordWrap(true);
  onward_ = makeButton({}, ButtonKind::neutral, {}, this);
  end_ = makeButton(tr("End the guide"), ButtonKind::ghost, {}, this);
  onward_->setObjectName(QStringLiteral("guideOnward"));
  end_->setObjectName(QStringLiteral("guideEnd"));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(space::s);
  buttons->addWidget(end_);
  buttons->addStretch(1);
  buttons->addWidget(onward_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::m, space::l, space::m);
  column->setSpacing(space::xs);
  for (QLabel* label : {count_, title_, sentence_}) column->addWidget(label);
  column->addSpacing(space::s);
  column->addLayout(buttons);
  setFixedWidth(cardWidth);
  ring_->show();
}

CoachMark::~CoachMark() { delete ring_; }

QString CoachMark::title() const { return title_->text(); }

void CoachMark::tell(int number, int count, const QString& title, const QString& sentence, const QString& onward) {
  number_ = number;
  steps_ = count;
  count_->setText(number > count ? QString() : tr("Step %1 of %2").arg(number).arg(count));
  count_->setVisible(number <= count);
  title_->setText(title);
  sentence_->setText(sentence);
  onward_->setText(onward);
  onward_->setVisible(!onward.isEmpty());
  title_->setAccessibleName(title + u' ' + sentence);
  placeCard();
  QAccessibleEvent spoken(title_, QAccessible::Alert);
  QAccessible::updateAccessibility(&spoken);
}

void CoachMark::pointAt(const QRect& place) {
  place_ = place;
  static_cast<Ring*>(ring_.data())->place = place;
  ring_->setGeometry(parentWidget()->rect());
  ring_->raise();
  ring_->update();
  placeCard();
  raise();
}

void CoachMark::keepFree(const QRect& taken) {
  if (taken == taken_) return;
  taken_ = taken;
  placeCard();
}

/// Below the target, else above, else beside it; always inside the window.
void CoachMark::placeCard() {
  QRect room = parentWidget()->rect().adjusted(gap, gap, -gap, -gap);
  if (!taken_.isEmpty()) room.setBottom(std::min(room.bottom(), taken_.top() - gap));  // it stands at the lower edge
  layout()->activate();
  resize(cardWidth, layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(cardWidth) : sizeHint().height());
  if (place_.isEmpty()) return move(room.center().x() - width() / 2, room.bottom() - height() - 40);
  const QRect near = place_.adjusted(-gap - halo, -gap - halo, gap + halo, gap + halo);
  const int right = std::max(room.left(), room.right() - width()), low = std::max(room.top(), room.bottom() - height());
  const int x = std::clamp(place_.center().x() - width() / 2, room.left(), right);
  const int y = std::clamp(place_.center().y() - height() / 2, room.top(), low);
  // A target that is gone, or outside of a window that has become smaller, must not take the card with it.
  if (!room.intersects(place_)) return move(x, y);
  if (near.bottom() + height() < room.bottom()) return move(x, near.bottom());
  if (near.top() - height() > room.top()) return move(x, near.top() - height());
  if (near.right() + width() < room.right()) return move(near.right(), y);
  if (near.left() - width() > room.left()) return move(near.left() - width(), y);
  move(x, room.bottom() - height() - 40);  // over a target that fills the window
}

void CoachMark::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  style::box(p, rect(), radius::card, t.overlay, t.border3);
  for (int i = 0; i < steps_; ++i) {  // progress: one bar per step
    const qreal across = (width() - 2.0 * space::l) / steps_;
    style::box(p, QRectF(space::l + i * across + 1, 0, across - 2, 3), 1.5, i < number_ ? t.accent : t.track,
               QColor(0, 0, 0, 0));
  }
}

}  // namespace nw::ui
