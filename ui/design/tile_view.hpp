// SPDX-License-Identifier: GPL-3.0-or-later
// A layer's tile as a widget.
#pragma once
#include <QPainter>
#include <QWidget>

#include "ui/canvas/scene/paint_tools.hpp"

namespace nw::ui {

class TileView : public QWidget {
 public:
  explicit TileView(QWidget* parent = nullptr) : QWidget(parent) { setFixedSize(36, 36); }
  void show(const QString& icon, const QString& group) {
    icon_ = icon;
    group_ = group;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (!icon_.isEmpty()) paintTile(p, icon_, group_, rect(), 8);
  }

 private:
  QString icon_, group_;
};

}  // namespace nw::ui
