// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/lane_view.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>

#include "ui/design/lanes/lane_header.hpp"
#include "ui/design/lanes/step_timeline.hpp"
#include "ui/theme/style.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// What the shades of the memory bars mean.
class MemoryLegend final : public QWidget {
 public:
  explicit MemoryLegend(QWidget* parent) : QWidget(parent) { setFixedHeight(26); }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.fillRect(rect(), t.canvas);
    p.setFont(ui::font(TextRole::button));
    p.setPen(t.text1);
    const QString title = LaneView::tr("Memory");
    p.drawText(QRectF(14, 0, 200, height()), Qt::AlignVCenter, title);
    qreal x = 14 + textWidth(p.font(), title) + 12;
    p.setFont(ui::font(TextRole::secondary));
    const QString names[] = {LaneView::tr("weights, optimizer"), LaneView::tr("gradients"), LaneView::tr("activations"),
                             LaneView::tr("workspace")};
    for (int i = 0; i < 4; ++i) {
      style::box(p, QRectF(x, height() / 2.0 - 4, 8, 8), 2, segmentColour(t, t.text2, i), QColor(0, 0, 0, 0));
      p.setPen(t.text2);
      p.drawText(QRectF(x + 14, 0, 300, height()), Qt::AlignVCenter, names[i]);
      x += 14 + textWidth(p.font(), names[i]) + 16;
    }
  }
};

}  // namespace

LaneView::LaneView(Placement& placement, GraphScene& scene, QWidget* parent)
    : QWidget(parent),
      placement_(placement),
      heads_(new QHBoxLayout),
      scroll_(new QScrollArea(this)),
      board_(new LaneBoard(placement, scene)),
      timeline_(new StepTimeline(placement, *board_, this)),
      problem_(makeLabel({}, 1, static_cast<int>(TextRole::body), this)) {
  setObjectName(QStringLiteral("laneView"));
  setAccessibleName(tr("Lanes"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  heads_->setContentsMargins(0, 0, 0, 0);
  heads_->setSpacing(0);
  column->addLayout(heads_);
  problem_->setObjectName(QStringLiteral("laneProblem"));
  problem_->setWordWrap(true);
  problem_->setContentsMargins(14, 4, 14, 8);
  column->addWidget(problem_);
  scroll_->setWidget(board_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  column->addWidget(scroll_, 1);
  column->addWidget(new MemoryLegend(this));
  column->addWidget(timeline_);
  board_->installEventFilter(this);
  connect(board_, &LaneBoard::revealWanted, this, [this](const QRect& place) {
    scroll_->ensureVisible(place.center().x(), place.center().y(), place.width() / 2, place.height());
  });
  connect(board_, &LaneBoard::effectChanged, this, [this] {
    for (LaneHeader* one : headers_) one->update();
  });
  connect(&placement_, &Placement::changed, this, &LaneView::refresh);
  connect(&placement_, &Placement::moved, this, &LaneView::announce);
  refresh();
}

LaneHeader* LaneView::header(int lane) const {
  return lane >= 0 && lane < std::ssize(headers_) ? headers_[static_cast<std::size_t>(lane)] : nullptr;
}

void LaneView::takeFocus() {
  if (QWidget* card = board_->cardToFocus()) card->setFocus(Qt::TabFocusReason);
}

void LaneView::refresh() {
  const auto wanted = static_cast<std::size_t>(placement_.split() ? placement_.question().stages : 0);
  while (headers_.size() > wanted) {
    delete headers_.back();
    headers_.pop_back();
  }
  while (headers_.size() < wanted) {
    headers_.push_back(new LaneHeader(placement_, *board_, static_cast<int>(headers_.size()), this));
    heads_->addWidget(headers_.back(), 1);
  }
  for (LaneHeader* one : headers_) one->refresh();
  problem_->setText(placement_.problem());
  problem_->setVisible(!placement_.problem().isEmpty());
}

/// A name that changes is read by screen readers; Qt 6.4 has no event for announcements.
void LaneView::announce(const QString& sentence) {
  setAccessibleDescription(sentence);
  QAccessibleEvent event(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&event);
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

/// Heads stand over their lanes also where a scroll bar takes some of the board's width.
bool LaneView::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize) heads_->setContentsMargins(0, 0, std::max(0, width() - board_->width()), 0);
  return QWidget::eventFilter(object, event);
}

void LaneView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), theme().canvas);
}

}  // namespace nw::ui
