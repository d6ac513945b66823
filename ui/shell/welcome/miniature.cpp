// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/welcome/miniature.hpp"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "engine/backend/devices.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/design/data_source.hpp"
#include "engine/design/layer_type.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

bool isDrawn(const LayerType& type) {
  return type.loss || type.group == "Input" || type.group == "Convolution" || type.group == "Pooling" ||
         type.group == "Linear";
}

/// Largest side of an image, or 0 for a vector.
std::int64_t side(const Shape& s) { return s.rank() == 4 ? std::max(s[2], s[3]) : 0; }
std::int64_t channels(const Shape& s) { return s.rank() >= 2 ? s[1] : 1; }

/// `vectors`: drawn as dots, so an image counts as the vector of its pixels.
Miniature::Bar barOf(const LayerType& type, const NodeInfo& facts, double largest, bool vectors) {
  Miniature::Bar bar{std::string(type.group), 0.4, 0.8, 1};
  const Shape& shape = type.loss && !facts.inputs.empty() ? facts.inputs.front() : facts.output;
  const std::int64_t values = side(shape) > 0 && vectors ? channels(shape) * shape[2] * shape[3] : channels(shape);
  bar.channels = static_cast<int>(std::min<std::int64_t>(values, 1 << 20));
  const double wide = std::log2(1.0 + bar.channels);
  if (side(shape) > 0) {
    bar.height = 0.22 + 0.78 * std::pow(double(side(shape)) / largest, 0.7);
    bar.width = type.group == "Input" ? 0.35 : type.group == "Pooling" ? 0.7 : 0.7 + 0.12 * wide;
  } else {
    bar.height = std::min(1.0, 0.2 + 0.075 * wide);
    bar.width = 0.7;
  }
  return bar;
}

void paintDots(QPainter& p, const QRectF& where, const Miniature& m) {
  const int columns = static_cast<int>(m.bars.size());
  std::vector<std::vector<QPointF>> dots;  // one column per layer
  for (int c = 0; c < columns; ++c) {
    const int rows = std::clamp(static_cast<int>(std::lround(std::log2(1.0 + m.bars[c].channels))), 1, 9);
    const double gap = std::min(where.height() / 9, 14.0), x = where.left() + where.width() * (c + 0.5) / columns;
    std::vector<QPointF>& column = dots.emplace_back();
    for (int r = 0; r < rows; ++r) column.push_back({x, where.center().y() + (r - (rows - 1) / 2.0) * gap});
  }
  for (int c = 0; c + 1 < columns; ++c) {
    QColor line = theme().group(QString::fromStdString(m.bars[c + 1].group));
    line.setAlphaF(0.25f);
    p.setPen(QPen(line, 0.7));
    for (const QPointF& a : dots[c])
      for (const QPointF& b : dots[c + 1]) p.drawLine(a, b);
  }
  const double radius = std::min(3.5, where.height() / 24);
  p.setPen(Qt::NoPen);
  for (int c = 0; c < columns; ++c) {
    p.setBrush(theme().group(QString::fromStdString(m.bars[c].group)));
    for (const QPointF& at : dots[c]) p.drawEllipse(at, radius, radius);
  }
}

void paintBars(QPainter& p, const QRectF& where, const Miniature& m) {
  double total = 0;
  for (const Miniature::Bar& bar : m.bars) total += bar.width + 0.35;
  const double unit = std::min({where.width() / total, where.height() / 5.5, 15.0});
  const double middle = where.center().y() + (m.arcs.empty() ? 0 : where.height() * 0.06),
               most = where.height() * (m.arcs.empty() ? 0.96 : 0.8);
  double x = where.center().x() - unit * total / 2;
  p.setPen(QPen(theme().border3, 1));
  p.drawLine(QPointF(x, middle), QPointF(x + unit * total, middle));
  std::vector<QRectF> rects;
  p.setPen(Qt::NoPen);
  for (const Miniature::Bar& bar : m.bars) {
    const QRectF r(x, middle - bar.height * most / 2, bar.width * unit, bar.height * most);
    QColor fill = theme().group(QString::fromStdString(bar.group));
    fill.setAlphaF(0.82f);
    p.setBrush(fill);
    p.drawRoundedRect(r, std::min(2.0, r.width() / 3), std::min(2.0, r.width() / 3));
    rects.push_back(r);
    x += (bar.width + 0.35) * unit;
  }
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(theme().text3, 1));
  for (const Miniature::Arc& arc : m.arcs) {
    const QRectF &a = rects[arc.from], &b = rects[arc.to];
    const double top = std::min(a.top(), b.top()) - 1, rise = std::min(10.0, where.height() * 0.1);
    QPainterPath path(QPointF(a.center().x(), top));
    path.cubicTo(QPointF(a.center().x(), top - rise), QPointF(b.center().x(), top - rise),
                 QPointF(b.center().x(), top));
    p.drawPath(path);
  }
}

}  // namespace

Miniature miniatureOf(const GraphDoc& doc, const DataFacts& facts) {
  Target target;
  target.data = facts;
  const auto device = resolve_devices({"cpu"}, doc.settings().threads);
  if (device && !device->empty()) target.device = device->front().device.get();
  const Analysis analysis = analyse(doc, target);
  Miniature m;
  m.parameters = analysis.parameters;
  m.multiply_adds = analysis.multiply_adds;
  m.memory_bytes = analysis.memory_bytes;
  double largest = 1;
  for (const ExpandedNode& node : analysis.expanded)
    largest = std::max<double>(largest, double(side(node.facts.output)));
  const auto typeOf = [&doc](const ExpandedNode& node) -> const LayerType* {
    if (!doc.has_scope(node.scope) || !doc.graph(node.scope).nodes.contains(node.node)) return nullptr;
    return find_layer(doc.graph(node.scope).nodes.at(node.node).type);
  };
  m.dots = std::none_of(analysis.expanded.begin(), analysis.expanded.end(), [&](const ExpandedNode& node) {
    const LayerType* type = typeOf(node);
    return type && type->group == "Convolution";
  });
  int start = 0;
  for (const ExpandedNode& node : analysis.expanded) {
    const LayerType* type = typeOf(node);
    if (!type) continue;
    if (type->name == "Add" && !m.bars.empty()) {
      const int last = static_cast<int>(m.bars.size()) - 1;
      if (last > start) m.arcs.push_back({start, last});
      start = last;
    }
    if (!isDrawn(*type)) continue;
    m.bars.push_back(barOf(*type, node.facts, largest, m.dots));
    if (type->group == "Pooling" || type->group == "Input") start = static_cast<int>(m.bars.size()) - 1;
  }
  return m;
}

void paintMiniature(QPainter& p, const QRectF& where, const Miniature& m) {
  if (m.bars.empty()) return;
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  m.dots ? paintDots(p, where, m) : paintBars(p, where, m);
  p.restore();
}

DataFacts usualFacts(const DataChoice& data) {
  const DataSource* source = find_source(data.kind.name());
  return source && source->usual ? source->usual(data) : DataFacts{};
}

}  // namespace nw::ui
