// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/layer_picture.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/scene/node_text.hpp"
#include "ui/canvas/scene/paint_tools.hpp"

namespace nw::ui {
namespace {

constexpr int pictureHeight = 124;

/// First number of a setting (its height where it is a pair), or the default.
std::int64_t first(const Node& node, const char* name, std::int64_t otherwise) {
  const LayerType* type = find_layer(node.type);
  const auto own = node.attrs.find(name);
  const Attr* value = own == node.attrs.end() ? nullptr : &own->second;
  if (!value && type)
    for (const Field& f : type->fields)
      if (f.name == name) value = &f.otherwise;
  if (!value) return otherwise;
  if (const auto* n = std::get_if<std::int64_t>(value)) return *n;
  const auto* pair = std::get_if<std::vector<std::int64_t>>(value);
  return pair && !pair->empty() ? (*pair)[0] : otherwise;
}

qreal sheetSize(std::int64_t pixels) {
  return std::clamp(14 + 5.2 * std::sqrt(static_cast<double>(pixels)), 16.0, 46.0);
}

}  // namespace

LayerPicture::LayerPicture(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("layerPicture"));
  setFixedHeight(pictureHeight);
}

bool LayerPicture::show(const Node& node, const NodeInfo* facts) {
  const bool known = facts && facts->output.rank() > 0 && !facts->inputs.empty() && facts->inputs[0].rank() > 0;
  setVisible(known);
  if (!known) return false;
  node_ = node;
  group_ = groupOf(node);
  in_ = facts->inputs[0];
  out_ = facts->output;
  setAccessibleName(tr("From %1 to %2").arg(shapeText(in_), shapeText(out_)));
  update();
  return true;
}

QPointF LayerPicture::paintStack(QPainter& p, QPointF centre, const Shape& s, const QColor& colour, bool window) {
  const Theme& t = theme();
  const int sheets = static_cast<int>(std::clamp<std::int64_t>(s[1], 1, 14));
  const qreal size = sheetSize(s[2]), step = std::min(5.0, 38.0 / sheets);
  const QPointF start = centre + QPointF(-size / 2 - step * (sheets - 1) / 2, -size / 2 + step * (sheets - 1) / 2);
  p.setPen(QPen(colour, 1));
  for (int i = sheets - 1; i >= 0; --i) {
    p.setBrush(blend(t.sunken, colour, i == 0 ? 0.42 : 0.28));
    p.drawRect(QRectF(start + QPointF(i, -i) * step, QSizeF(size, size)));
  }
  if (!window) return start + QPointF(size * 0.25, size * 0.25);
  const qreal share = std::clamp(
      static_cast<double>(first(node_, "kernel_size", 1)) / static_cast<double>(std::max<std::int64_t>(1, s[2])), 0.16,
      1.0);
  const QRectF kernel(start + QPointF(size, size) * 0.16 * (1 - share), QSizeF(size, size) * share);
  p.setPen(QPen(t.text1, 1.2));
  p.setBrush(blend(colour, t.text1, 0.35));
  p.drawRect(kernel);
  return kernel.center();
}

void LayerPicture::paintUnits(QPainter& p, QPointF centre, std::int64_t count, const QColor& colour) const {
  const int shown = static_cast<int>(std::clamp<std::int64_t>(count, 1, 9));
  const qreal step = std::min(10.0, 78.0 / shown);
  p.setPen(QPen(colour, 1));
  for (int i = 0; i < shown; ++i) {
    const bool gap = count > 9 && i == 4;
    const QPointF at = centre + QPointF(0, (i - (shown - 1) / 2.0) * step);
    p.setBrush(gap ? QBrush(colour) : QBrush(blend(theme().sunken, colour, 0.4)));
    if (!gap)
      p.drawEllipse(at, 3.4, 3.4);
    else
      for (const qreal d : {-2.4, 0.0, 2.4}) p.drawEllipse(at + QPointF(0, d), 0.4, 0.4);
  }
}

QString LayerPicture::arithmetic() const {
  if (in_.rank() != 4 || out_.rank() != 4 || !(node_.type == "Conv2d" || group_ == QLatin1String("Pooling"))) return {};
  const std::int64_t kernel = first(node_, "kernel_size", 0), stride = first(node_, "stride", 1),
                     padding = first(node_, "padding", 0), dilation = first(node_, "dilation", 1);
  if (kernel == 0) return {};
  const QString pad = padding > 0 ? QStringLiteral("+2·%1").arg(padding) : QString();
  return QStringLiteral("⌊(%1%2−%3)/%4⌋+1 = %5")
      .arg(in_[2])
      .arg(pad)
      .arg(dilation * (kernel - 1) + 1)
      .arg(stride)
      .arg(out_[2]);
}

void LayerPicture::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(t.border1, 1));
  p.setBrush(t.sunken);
  p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius::group, radius::group);
  const QPointF left(width() * 0.22, height() * 0.44), right(width() * 0.76, height() * 0.44);
  const QColor source = t.group(QStringLiteral("Pooling")), result = t.group(group_);
  const QColor from = group_ == QLatin1String("Pooling") ? t.group(QStringLiteral("Convolution")) : source;
  QPointF start = left, end = right;
  if (in_.rank() == 4)
    start = paintStack(p, left, in_, from, node_.type == "Conv2d" || group_ == QLatin1String("Pooling"));
  else
    paintUnits(p, left, in_[1], from);
  if (out_.rank() == 4)
    end = paintStack(p, right, out_, result, false);
  else
    paintUnits(p, right, out_[1], result);
  p.setPen(QPen(t.text3, 1, Qt::DashLine));
  if (in_.rank() == 4 && out_.rank() == 4) {
    p.drawLine(start + QPointF(5, -5), end);
    p.drawLine(start + QPointF(5, 5), end);
  } else {
    for (const qreal a : {-26.0, 0.0, 26.0})
      for (const qreal b : {-26.0, 0.0, 26.0}) p.drawLine(left + QPointF(30, a), right + QPointF(-12, b));
  }
  p.setFont(nw::ui::font(TextRole::mono));
  const QRectF words = QRectF(rect()).adjusted(12, 0, -12, -10);
  p.setPen(t.text2);
  p.drawText(words, Qt::AlignBottom | Qt::AlignLeft, shapeText(in_));
  p.setPen(t.text1);
  p.drawText(words, Qt::AlignBottom | Qt::AlignRight, shapeText(out_));
  QFont small = p.font();
  small.setPixelSize(10);
  p.setFont(small);
  p.setPen(t.text3);
  p.drawText(words, Qt::AlignBottom | Qt::AlignHCenter, arithmetic());
}

}  // namespace nw::ui
