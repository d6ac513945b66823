// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/adaptive.hpp"

#include <QBoxLayout>
#include <QEvent>
#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "ui/theme/theme.hpp"

namespace nw::ui {

StackingRow::StackingRow(int threshold, Stack order, QWidget* parent)
    : QScrollArea(parent), threshold_(threshold), order_(order) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAutoFillBackground(false);
  auto* content = new QWidget;
  content->setAutoFillBackground(false);
  box_ = new QBoxLayout(QBoxLayout::LeftToRight, content);
  box_->setContentsMargins(0, 0, 0, 0);
  box_->setSpacing(0);
  setWidget(content);
}

void StackingRow::addWidget(QWidget* widget, int stretch, int height) {
  box_->addWidget(widget, stretch);
  parts_.push_back({widget, height});
}

/// Narrow enough for one column: the widest part decides.
QSize StackingRow::minimumSizeHint() const {
  int width = 0;
  for (const Part& part : parts_) width = std::max(width, part.widget->minimumSizeHint().width());
  return {width + verticalScrollBar()->sizeHint().width(), 120};
}

void StackingRow::resizeEvent(QResizeEvent* event) {
  arrange();
  QScrollArea::resizeEvent(event);
}

void StackingRow::arrange() {
  const bool stack = width() < threshold_;
  if (stack == stacked_) return;
  stacked_ = stack;
  box_->setDirection(!stack                          ? QBoxLayout::LeftToRight
                     : order_ == Stack::first_on_top ? QBoxLayout::TopToBottom
                                                     : QBoxLayout::BottomToTop);
  for (const Part& part : parts_) part.widget->setMinimumHeight(stack ? part.height : 0);
  verticalScrollBar()->setValue(0);
}

WrappingBar::WrappingBar(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); }

void WrappingBar::addWidget(QWidget* widget, bool wraps) {
  widget->setParent(this);
  parts_.push_back({widget, wraps});
}

QSize WrappingBar::sizeOf(const QWidget& part) {
  return part.sizeHint().expandedTo(part.minimumSizeHint()).expandedTo(part.minimumSize());
}

int WrappingBar::widthOf(bool second) const {
  int width = 0;
  bool below = false;
  for (const Part& part : parts_) {
    below = below || part.wraps;
    if (below == second && !part.widget->isHidden()) width += sizeOf(*part.widget).width() + space::s;
  }
  return std::max(0, width - space::s);
}

int WrappingBar::lineHeight() const {
  int height = 0;
  for (const Part& part : parts_) height = std::max(height, sizeOf(*part.widget).height());
  return height;
}

bool WrappingBar::isWrapped(int width) const { return widthOf(false) + space::s + widthOf(true) > width; }

QSize WrappingBar::sizeHint() const {
  return {widthOf(false) + space::s + widthOf(true), lines_ * lineHeight() + (lines_ - 1) * space::xs};
}

QSize WrappingBar::minimumSizeHint() const { return {0, sizeHint().height()}; }

void WrappingBar::resizeEvent(QResizeEvent*) { arrange(); }

bool WrappingBar::event(QEvent* event) {
  // Parts that are shown or hidden while the bar is hidden send no layout request.
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) arrange();
  return QWidget::event(event);
}

void WrappingBar::arrange() {
  const bool wrapped = isWrapped(width());
  const int high = lineHeight();
  int x = 0, line = 0;
  bool below = false;
  for (const Part& part : parts_) {
    if (part.widget->isHidden()) continue;
    const QSize size = sizeOf(*part.widget);
    const bool second = part.wraps && !below;
    below = below || part.wraps;
    if (second && !wrapped) x = width() - widthOf(true);  // at the right edge of the line
    if (x > 0 && wrapped && (second || x + size.width() > width())) {
      x = 0;
      ++line;
    }
    part.widget->setGeometry(x, line * (high + space::xs) + (high - size.height()) / 2,
                             std::min(size.width(), std::max(0, width() - x)), size.height());
    x += size.width() + space::s;
  }
  if (std::exchange(lines_, line + 1) != line + 1) updateGeometry();
}

}  // namespace nw::ui
