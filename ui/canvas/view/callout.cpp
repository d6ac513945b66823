// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/view/callout.hpp"

#include <QFontMetricsF>
#include <algorithm>

#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

Callout::Callout(QGraphicsView& view) : view_(view) {
  timer_.setSingleShot(true);
  timer_.setInterval(4000);
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { clear(); });
}

void Callout::show(const QString& sentence, QPointF scene) {
  sentence_ = sentence;
  at_ = scene;
  timer_.start();
  view_.viewport()->update();
}

void Callout::clear() {
  if (sentence_.isEmpty()) return;
  sentence_.clear();
  view_.viewport()->update();
}

void Callout::paint(QPainter& p) const {
  if (sentence_.isEmpty()) return;
  p.save();
  p.resetTransform();
  const QFont f = ui::font(TextRole::secondary);
  QRectF pill(view_.viewportTransform().map(at_) + QPointF(14, -36),
              QSizeF(QFontMetricsF(f).horizontalAdvance(sentence_) + 24, 28));
  pill.moveLeft(std::max(8.0, std::min(pill.left(), view_.viewport()->width() - pill.width() - 8)));
  pill.moveTop(std::max(8.0, pill.top()));
  paintFloat(p, pill, radius::control, theme().errorSoft, theme().error);
  p.setFont(f);
  p.setPen(theme().error);
  p.drawText(pill, Qt::AlignCenter, sentence_);
  p.restore();
}

}  // namespace nw::ui
