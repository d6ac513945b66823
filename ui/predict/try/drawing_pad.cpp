// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/try/drawing_pad.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {

constexpr int raster_side = 280;              // side of the raster before it is scaled down
constexpr double filled_share = 20.0 / 28.0;  // MNIST: a digit fills 20 of 28 pixels

/// The smallest rectangle that contains all pixels that are not black.
QRect inked(const QImage& grey) {
  QRect box;
  for (int y = 0; y < grey.height(); ++y) {
    const uchar* line = grey.constScanLine(y);
    for (int x = 0; x < grey.width(); ++x)
      if (line[x] > 0) box |= QRect(x, y, 1, 1);
  }
  return box;
}

QPointF centre_of_mass(const QImage& grey) {
  double sum = 0, sx = 0, sy = 0;
  for (int y = 0; y < grey.height(); ++y) {
    const uchar* line = grey.constScanLine(y);
    for (int x = 0; x < grey.width(); ++x) {
      sum += line[x];
      sx += line[x] * (x + 0.5);
      sy += line[x] * (y + 0.5);
    }
  }
  return sum > 0 ? QPointF(sx / sum, sy / sum) : QPointF(grey.width() / 2.0, grey.height() / 2.0);
}

/// The drawing scaled into the middle of an image of `size`, its centre of mass at the centre.
QImage as_mnist(const QImage& drawing, const QSize& size) {
  QImage out(size, QImage::Format_Grayscale8);
  out.fill(Qt::black);
  const QRect box = inked(drawing);
  if (box.isEmpty()) return out;
  const QSizeF room = QSizeF(size) * filled_share;
  const QSize fitted = QSizeF(box.size()).scaled(room, Qt::KeepAspectRatio).toSize().expandedTo(QSize(1, 1));
  const QImage ink = drawing.copy(box)
                         .scaled(fitted, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                         .convertToFormat(QImage::Format_Grayscale8);
  const QPointF mass = centre_of_mass(ink);
  const int left = std::clamp<int>(static_cast<int>(std::lround(size.width() / 2.0 - mass.x())), 0,
                                   std::max(0, size.width() - fitted.width()));
  const int top = std::clamp<int>(static_cast<int>(std::lround(size.height() / 2.0 - mass.y())), 0,
                                  std::max(0, size.height() - fitted.height()));
  for (int y = 0; y < std::min(ink.height(), size.height() - top); ++y)
    std::copy_n(ink.constScanLine(y), std::min(ink.width(), size.width() - left), out.scanLine(top + y) + left);
  return out;
}

}  // namespace

DrawingPad::DrawingPad(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::CrossCursor);
  setAccessibleName(tr("Drawing pad"));
  setAccessibleDescription(tr("Draw with the mouse. Delete clears the pad, Ctrl+Z undoes the last stroke."));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setMinimumSize(140, 140);
}

void DrawingPad::setInputSize(int height, int width) {
  size_ = QSize(width, height);
  preview_ = input();
  update();
}
void DrawingPad::setBrush(double share) { brush_ = std::clamp(share, 0.02, 0.2); }

QRectF DrawingPad::square() const {
  const qreal side = std::min(width(), height()) - 2;
  return {1, 1, side, side};
}
QPointF DrawingPad::unit(const QPointF& at) const {
  const QRectF pad = square();
  const auto clamped = [](qreal v) { return std::clamp<qreal>(v, 0, 1); };
  return {clamped((at.x() - pad.x()) / pad.width()), clamped((at.y() - pad.y()) / pad.height())};
}

void DrawingPad::undo() {
  if (isEmpty()) return;
  if (!picture_.isNull())
    picture_ = {};
  else
    strokes_.removeLast();
  preview_ = input();
  update();
  Q_EMIT changed();
}

void DrawingPad::clear() {
  if (isEmpty()) return;
  strokes_.clear();
  picture_ = {};
  preview_ = input();
  update();
  Q_EMIT changed();
}

void DrawingPad::setPicture(const QImage& picture) {
  strokes_.clear();
  picture_ = picture;
  preview_ = picture;
  update();
}

void DrawingPad::paintStrokes(QPainter& p, qreal side) const {
  p.setRenderHint(QPainter::Antialiasing);
  for (const Stroke& stroke : strokes_) {
    p.setPen(QPen(Qt::white, stroke.width * side, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    QPainterPath path(stroke.points.front() * side);
    for (const QPointF& at : stroke.points) path.lineTo(at * side);
    if (stroke.points.size() == 1) path.lineTo(stroke.points.front() * side + QPointF(0.01, 0));
    p.drawPath(path);
  }
}

QImage DrawingPad::input() const {
  if (!picture_.isNull()) return picture_;
  QImage drawing(raster_side, raster_side, QImage::Format_Grayscale8);
  drawing.fill(Qt::black);
  QPainter p(&drawing);
  paintStrokes(p, raster_side);
  p.end();
  return as_mnist(drawing, size_);
}

/// Draws the network's input, small, in the corner.
void DrawingPad::paintPreview(QPainter& p, const QRectF& pad) const {
  const QRectF where(pad.right() - 42, pad.bottom() - 42, 34, 34);
  p.setRenderHint(QPainter::SmoothPixmapTransform, false);
  p.fillRect(where, Qt::black);
  p.drawImage(where, preview_);
  p.setPen(QPen(QColor(0x8E, 0x94, 0xA0), 1));
  p.setBrush(Qt::NoBrush);
  p.drawRect(where);
}

void DrawingPad::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF pad = square();
  p.setPen(hasFocus() ? QPen(t.ring, 1.6) : QPen(t.border2, 1));
  p.setBrush(Qt::black);
  p.drawRoundedRect(pad, radius::control, radius::control);
  p.save();
  p.setClipRect(pad.adjusted(1, 1, -1, -1));
  if (!picture_.isNull()) {
    paintThumbnail(p, picture_, pad, radius::control);
  } else {
    p.translate(pad.topLeft());
    paintStrokes(p, pad.width());
  }
  p.restore();
  if (!isEmpty()) return paintPreview(p, pad);
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(QColor(0x8E, 0x94, 0xA0));
  p.drawText(pad, Qt::AlignCenter, tr("Draw here"));
}

void DrawingPad::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  picture_ = {};
  drawing_ = true;
  strokes_.append({{unit(event->position())}, brush_});
  preview_ = input();
  update();
  Q_EMIT changed();
}

void DrawingPad::mouseMoveEvent(QMouseEvent* event) {
  if (!drawing_) return;
  strokes_.last().points.append(unit(event->position()));
  preview_ = input();
  update();
  Q_EMIT changed();
}

void DrawingPad::mouseReleaseEvent(QMouseEvent*) { drawing_ = false; }

void DrawingPad::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Undo) || event->key() == Qt::Key_Backspace) return undo();
  if (event->key() == Qt::Key_Delete) return clear();
  QWidget::keyPressEvent(event);
}

}  // namespace nw::ui
