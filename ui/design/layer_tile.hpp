// SPDX-License-Identifier: GPL-3.0-or-later
// A layer's icon on its group's tile, 36 px.
#pragma once
#include <QPainter>
#include <QWidget>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

class LayerTile : public QWidget {
 public:
  LayerTile(const QString& type, const QString& group, QWidget* parent = nullptr) : QWidget(parent), icon_(layerIcon(type, group)), group_(group) { setFixedSize(36, 36); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(theme().tile(group_));
    p.drawRoundedRect(QRectF(rect()), radius::group, radius::group);
    paintIcon(p, icon_, QRectF(rect()).adjusted(8, 8, -8, -8), theme().group(group_));
  }

 private:
  QString icon_, group_;
};

}  // namespace nw::ui
