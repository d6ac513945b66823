// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/layer_column.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <set>

#include "engine/design/layer_type.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr int card_height = 36, card_gap = 16, margin = 24;

/// Kahn's order; nodes of a cycle come last, in the order of their ids.
std::vector<NodeId> ordered(const Graph& graph) {
  std::vector<NodeId> out;
  std::set<NodeId> done;
  const auto ready = [&](NodeId id) {
    return std::all_of(graph.connections.begin(), graph.connections.end(), [&](const Connection& c) { return c.to != id || done.contains(c.from); });
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
QString shapeText(const Shape& shape) {
  QStringList sizes;
  for (int i = 1; i < shape.rank(); ++i) sizes += QString::number(shape[i]);
  return sizes.join(QStringLiteral("×"));
}
}  // namespace

QVector<LayerRow> layerRows(const GraphDoc& doc, const Analysis& analysis) {
  QVector<LayerRow> rows;
  const auto scope = analysis.facts.find("");
  for (const NodeId id : ordered(doc.graph())) {
    const Node& node = doc.graph().nodes.at(id);
    LayerRow row{QString::fromStdString(node.type), QString::fromStdString(node.name), {}, 0, {}, {}};
    if (const auto block = node.attrs.find("block"); node.type == "Block" && block != node.attrs.end())
      if (const auto* name = std::get_if<std::string>(&block->second)) row.title = QString::fromStdString(*name);
    if (const LayerType* type = find_layer(node.type)) row.group = QString::fromUtf8(type->group.data(), static_cast<qsizetype>(type->group.size()));
    if (scope != analysis.facts.end())
      if (const auto facts = scope->second.find(id); facts != scope->second.end()) {
        row.parameters = facts->second.parameters;
        row.shape = shapeText(facts->second.output);
      }
    rows.append(row);
  }
  return rows;
}

LayerColumn::LayerColumn(QWidget* parent) : QWidget(parent) { setAccessibleName(tr("Layers of the network")); }

void LayerColumn::setRows(const QVector<LayerRow>& rows) {
  if (rows == rows_) return;
  rows_ = rows;
  QStringList names;
  for (const LayerRow& row : rows_) names += row.type + u' ' + row.name;
  setAccessibleDescription(names.join(QStringLiteral(", ")));
  updateGeometry();
  setMinimumHeight(sizeHint().height());
  update();
}

QSize LayerColumn::sizeHint() const { return {240, 2 * margin + static_cast<int>(rows_.size()) * (card_height + card_gap) - card_gap}; }

QRectF LayerColumn::cardRect(qsizetype row) const {
  return QRectF(margin, margin + row * (card_height + card_gap), width() - 2 * margin, card_height).adjusted(0.5, 0.5, -0.5, -0.5);
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
    paintCard(p, card, rows_[i]);
  }
  p.setPen(QPen(theme().canvas, 1.5));
  p.setBrush(wire);
  for (qsizetype i = 0; i + 1 < rows_.size(); ++i)
    for (const qreal y : {cardRect(i).bottom(), cardRect(i + 1).top()}) p.drawEllipse(QPointF(cardRect(i).center().x(), y), 4, 4);
}

void LayerColumn::paintCard(QPainter& p, const QRectF& card, const LayerRow& row) const {
  p.setPen(QPen(theme().border2, 1));
  p.setBrush(theme().raised);
  p.drawRoundedRect(card, radius::compact, radius::compact);
  const QRectF tile(card.left() + 8, card.center().y() - 11, 22, 22);
  p.setPen(Qt::NoPen);
  p.setBrush(theme().tile(row.group));
  p.drawRoundedRect(tile, 6, 6);
  paintIcon(p, layerIcon(row.type, row.group), tile.adjusted(3.5, 3.5, -3.5, -3.5), theme().group(row.group));

  QRectF room = card.adjusted(38, 0, -10, 0);
  const bool counted = row.parameters > 0;
  const QFont figureFont = ui::font(counted ? TextRole::button : TextRole::mono);
  const QString figure = counted ? rounded(static_cast<double>(row.parameters)) : row.shape;
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
  p.setPen(theme().text3);
  if (room.width() > 18) p.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(p.font()).elidedText(row.name, Qt::ElideRight, room.width()));
}

bool LayerColumn::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (qsizetype i = 0; i < rows_.size(); ++i) {
    if (!cardRect(i).contains(help->pos())) continue;
    const LayerRow& r = rows_[i];
    QToolTip::showText(help->globalPos(), tr("%1 %2: %3 parameters, output %4").arg(r.type, r.name, grouped(r.parameters), r.shape.isEmpty() ? QStringLiteral("?") : r.shape), this);
    return true;
  }
  QToolTip::hideText();
  return true;
}

}  // namespace nw::ui
