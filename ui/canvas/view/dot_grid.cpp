// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/view/dot_grid.hpp"

#include <algorithm>
#include <cmath>

#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int halfRow = 3;  // logical pixels above and below the centres of the dots

qreal onPixel(qreal at, qreal ratio) { return std::round(at * ratio) / ratio; }
qreal stepOf(const QGraphicsView& view) { return card::grid * view.transform().m11(); }

}  // namespace

void DotGrid::paintRow(const QGraphicsView& view) {
  const qreal zoom = view.transform().m11(), step = stepOf(view), ratio = view.devicePixelRatioF();
  const QString key =
      QStringLiteral("%1/%2/%3/%4").arg(step).arg(ratio).arg(theme().canvasDots.name()).arg(view.width());
  if (key == rowKey_) return;
  rowKey_ = key;
  const qreal width = view.viewport()->width() + 2 * step;
  row_ = QPixmap((QSizeF(width, 2 * halfRow) * ratio).toSize());
  row_.setDevicePixelRatio(ratio);
  row_.fill(Qt::transparent);
  QPainter p(&row_);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(Qt::NoPen);
  p.setBrush(theme().canvasDots);
  const qreal r = 0.9 * std::clamp(zoom, 0.7, 1.0);
  for (qreal x = 0; x < width; x += step) p.drawEllipse(QPointF(onPixel(x, ratio), halfRow), r, r);
}

void DotGrid::paint(QPainter& p, const QGraphicsView& view, const QRect& area) {
  paintRow(view);
  const qreal step = stepOf(view), ratio = view.devicePixelRatioF();
  const QPointF origin = view.viewportTransform().map(QPointF(0, 0));
  const QPointF start(std::fmod(origin.x(), step) - step, std::fmod(origin.y(), step) - step);
  p.setClipRect(area);
  for (qreal y = start.y(); y < area.bottom() + 2 * halfRow; y += step)
    if (y > area.top() - 2 * halfRow)
      p.drawPixmap(QPointF(onPixel(start.x(), ratio), onPixel(y, ratio) - halfRow), row_);
}

}  // namespace nw::ui
