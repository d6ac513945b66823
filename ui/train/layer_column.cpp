// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/layer_column.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <climits>
#include <set>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/overlays/heatmap.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr int card_height = 36, card_gap = 16, margin = 24;

/// Topological order (Kahn's algorithm); nodes of a cycle come last, by id.
std::vector<NodeId> ordered(const Graph& graph) {
  std::vector<NodeId> out;
  std::set<NodeId> done;
  const auto ready = [&](NodeId id) {
    return std::all_of(graph.connections.begin(), graph.connections.end(),
                       [&](const Connection& c) { return c.to != id || done.contains(c.from); });
  };
  for (bool more = true; more;) {
    more = false;
    for (const auto& [id, node] : graph.nodes) {
      if (done.contains(id) || !ready(id)) continue;
      done.insert(id);
      out.push_back(id);
      more = true;
    }
  }
  for (const auto& [id, node] : graph.nodes)
    if (!done.contains(id)) out.push_back(id);
  return out;
}

/// "16×10×10", without the batch.
QString sizesText(const Shape& shape) {
  QStringList sizes;
  for (int i = 1; i < shape.rank(); ++i) sizes += QString::number(shape[i]);
  return sizes.join(QStringLiteral("×"));
}
QString layerFigure(double v) { return QString::number(v, 'g', 3); }
}  // namespace

QVector<LayerRow> layerRows(const GraphDoc& doc, const Analysis& analysis) {
  QVector<LayerRow> rows;
  const auto scope = analysis.facts.find("");
  for (const NodeId id : ordered(doc.graph())) {
    const Node& node = doc.graph().nodes.at(id);
    LayerRow row{QString::fromStdString(node.type), QString::fromStdString(node.name), {}, 0, {}, {}};
    if (const auto block = node.attrs.find("block"); node.type == "Block" && block != node.attrs.end())
      if (const auto* name = std::get_if<std::string>(&block->second)) row.title = QString::fromStdString(*name);
    if (const LayerType* type = find_layer(node.type))
      row.group = QString::fromUtf8(type->group.data(), static_cast<qsizetype>(type->group.size()));
    if (scope != analysis.facts.end())
      if (const auto facts = scope->second.find(id); facts != scope->second.end()) {
        row.parameters = facts->second.parameters;
        row.shape = sizesText(facts->second.output);
      }
    rows.append(row);
  }
  return rows;
}

LayerColumn::LayerColumn(QWidget* parent) : QWidget(parent) { setAccessibleName(tr("Layers of the network")); }

void LayerColumn::setRows(const QVector<LayerRow>& rows) {
  if (rows == rows_) return;
  rows_ = rows;
  refreshValues();
  updateGeometry();
  setMinimumHeight(sizeHint().height());
}

void LayerColumn::setTint(LayerTint tint, const LayerStatistics* statistics) {
  tint_ = tint;
  statistics_ = statistics && tint != LayerTint::size ? std::optional(*statistics) : std::nullopt;
  refreshValues();
}

void LayerColumn::refreshValues() {
  values_.clear();
  most_ = 0;
  for (const LayerRow& row : rows_) {
    const std::string name = row.name.toStdString();
    const bool block = !row.title.isEmpty();
    values_.append(!statistics_                    ? std::nullopt
                   : tint_ == LayerTint::gradients ? gradientNorm(*statistics_, name, block)
                                                   : updateRatio(*statistics_, name, block));
    most_ = std::max(most_, values_.last().value_or(0));
  }
  describe();
  update();
}

void LayerColumn::describe() {
  QStringList names;
  for (qsizetype i = 0; i < rows_.size(); ++i)
    names += rows_[i].type + u' ' + rows_[i].name + (values_[i] ? u' ' + layerFigure(*values_[i]) : QString());
  setAccessibleDescription(names.join(QStringLiteral(", ")));
}

QSize LayerColumn::sizeHint() const {
  return {240, 2 * margin + static_cast<int>(rows_.size()) * (card_height + card_gap) - card_gap};
}

QRectF LayerColumn::cardRect(qsizetype row) const {
  return QRectF(margin, margin + row * (card_height + card_gap), width() - 2 * margin, card_height)
      .adjusted(0.5, 0.5, -0.5, -0.5);
}

void LayerColumn::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QColor wire = theme().border3;
  for (qsizetype i = 0; i < rows_.size(); ++i) {
    const QRectF card = cardRect(i);
    if (i + 1 < rows_.size()) {
      const QPointF from(card.center().x(), card.bottom()), to(card.center().x(), cardRect(i + 1).top());
      p.setPen(QPen(wire, 2));
      p.drawLine(from, to);
    }
    paintCard(p, card, i);
  }
  p.setPen(QPen(theme().canvas, 1.5));
  p.setBrush(wire);
  for (qsizetype i = 0; i + 1 < rows_.size(); ++i)
    for (const qreal y : {cardRect(i).bottom(), cardRect(i + 1).top()})
      p.drawEllipse(QPointF(cardRect(i).center().x(), y), 4, 4);
}

void LayerColumn::paintCard(QPainter& p, const QRectF& card, qsizetype index) const {
  const LayerRow& row = rows_[index];
  const std::optional<double> value = values_[index];
  p.setPen(QPen(theme().border2, 1));
  p.setBrush(value && most_ > 0 ? heatmapFill(theme(), *value / most_) : theme().raised);
  p.drawRoundedRect(card, radius::compact, radius::compact);
  const QRectF tile(card.left() + 8, card.center().y() - 11, 22, 22);
  p.setPen(Qt::NoPen);
  p.setBrush(theme().tile(row.group));
  p.drawRoundedRect(tile, 6, 6);
  paintIcon(p, layerIcon(row.type, row.group), tile.adjusted(3.5, 3.5, -3.5, -3.5), theme().group(row.group));

  QRectF room = card.adjusted(38, 0, -10, 0);
  const bool counted = tint_ == LayerTint::size ? row.parameters > 0 : value.has_value();
  const QFont figureFont = ui::font(counted ? TextRole::button : TextRole::mono);
  const QString figure = tint_ != LayerTint::size ? (value ? layerFigure(*value) : QString())
                         : counted                ? rounded(static_cast<double>(row.parameters))
                                                  : row.shape;
  p.setFont(figureFont);
  p.setPen(counted ? theme().text1 : theme().text3);
  p.drawText(room, Qt::AlignRight | Qt::AlignVCenter, figure);
  room.setRight(room.right() - QFontMetricsF(figureFont).horizontalAdvance(figure) - 8);

  p.setFont(ui::font(TextRole::button));
  p.setPen(theme().text1);
  const QFontMetricsF metrics(p.font());
  const QString type = metrics.elidedText(row.title.isEmpty() ? row.type : row.title, Qt::ElideRight, room.width());
  p.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, type);
  room.setLeft(room.left() + metrics.horizontalAdvance(type) + 7);
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(value ? theme().text1 : theme().text3);
  if (room.width() > 18)
    p.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(p.font()).elidedText(row.name, Qt::ElideRight, room.width()));
}

bool LayerColumn::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (qsizetype i = 0; i < rows_.size(); ++i) {
    if (!cardRect(i).contains(help->pos())) continue;
    const LayerRow& r = rows_[i];
    QToolTip::showText(
        help->globalPos(),
        tr("%1 %2: %3 parameter(s), output %4", nullptr, static_cast<int>(std::min<qint64>(r.parameters, INT_MAX)))
            .arg(r.type, r.name, grouped(r.parameters), r.shape.isEmpty() ? QStringLiteral("?") : r.shape),
        this);
    return true;
  }
  QToolTip::hideText();
  return true;
}

TintLegend::TintLegend(const LayerColumn& column, QWidget* parent) : QWidget(parent), column_(column) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  refresh();
}

void TintLegend::refresh() {
  setVisible(column_.tint() != LayerTint::size);
  setAccessibleName(column_.most() > 0 ? QStringLiteral("%1, 0 – %2").arg(name(), layerFigure(column_.most()))
                                       : name());
  update();
}

QString TintLegend::name() const {
  if (column_.most() <= 0) return tr("This run has no layer statistics yet");
  return column_.tint() == LayerTint::gradients ? tr("gradient norm") : tr("update ratio");
}

void TintLegend::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(theme().text2);
  const QRectF inner = QRectF(rect()).adjusted(margin, 0, -margin, -8);
  if (column_.most() <= 0) return p.drawText(inner, Qt::AlignCenter | Qt::TextWordWrap, name());
  const QString from = QStringLiteral("0"), to = layerFigure(column_.most());
  const QFontMetricsF metrics(p.font());
  p.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter, name() + QStringLiteral("  ") + from);
  p.drawText(inner, Qt::AlignRight | Qt::AlignVCenter, to);
  const qreal left = inner.left() + metrics.horizontalAdvance(name() + QStringLiteral("  ") + from) + 8;
  const QRectF bar(left, inner.center().y() - 4, inner.right() - metrics.horizontalAdvance(to) - 8 - left, 8);
  if (bar.width() < 12) return;
  QLinearGradient ramp(bar.left(), 0, bar.right(), 0);
  for (const double at : {0.0, 0.25, 0.5, 0.75, 1.0}) ramp.setColorAt(at, heatmapFill(theme(), at));
  p.setPen(QPen(theme().border2, 1));
  p.setBrush(ramp);
  p.drawRoundedRect(bar, 3, 3);
}

}  // namespace nw::ui
