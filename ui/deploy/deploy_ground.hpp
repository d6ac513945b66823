// SPDX-License-Identifier: GPL-3.0-or-later
// An area of one of the theme's colours, painted so that a change of theme needs nothing else.
#pragma once
#include <QPainter>
#include <QWidget>

#include "ui/theme/theme.hpp"

namespace nw::ui {

class DeployGround : public QWidget {
 public:
  explicit DeployGround(QColor Theme::*colour, QWidget* parent = nullptr) : QWidget(parent), colour_(colour) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.fillRect(rect(), theme().*colour_);
    p.fillRect(0, height() - 1, width(), 1, theme().border1);
  }

 private:
  QColor Theme::*colour_;
};

}  // namespace nw::ui
