// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QBoxLayout>
#include <QEvent>
#include <QWidget>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace nw::ui {

/// Two widgets beside each other, or below each other where there is no room.
class BesideOrBelow : public QWidget {
 public:
  BesideOrBelow(QWidget* wide, QWidget* narrow, QWidget* parent)
      : QWidget(parent), box_(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
    box_->setContentsMargins(0, 0, 0, 0);
    box_->setSpacing(space::m);
    box_->setSizeConstraint(QLayout::SetNoConstraint);
    box_->addWidget(wide, 1);
    box_->addWidget(narrow);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  }
  QSize sizeHint() const override { return minimumSizeHint(); }
  QSize minimumSizeHint() const override {
    const QSize a = box_->itemAt(0)->minimumSize(), b = box_->itemAt(1)->minimumSize();
    const bool below = box_->direction() == QBoxLayout::TopToBottom;
    return {std::max(a.width(), b.width()),
            below ? a.height() + b.height() + space::m : std::max({a.height(), b.height(), 250})};
  }

 protected:
  void resizeEvent(QResizeEvent*) override { arrange(); }
  bool event(QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) arrange();
    return QWidget::event(event);
  }

 private:
  void arrange() {
    const int beside = box_->itemAt(0)->minimumSize().width() + box_->itemAt(1)->minimumSize().width() + space::m;
    const auto direction = width() < beside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (direction != box_->direction()) box_->setDirection(direction);
    updateGeometry();
  }
  QBoxLayout* box_;
};

}  // namespace nw::ui
