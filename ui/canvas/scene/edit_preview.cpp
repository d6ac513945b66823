// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/edit_preview.hpp"

#include <algorithm>

#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

QRectF cardAt(const Node& node) {
  const qreal height = node.collapsed || isCompactByNature(node.type) ? card::compactHeight : card::height;
  return {node.position.x - card::width / 2, node.position.y - height / 2, card::width, height};
}

EditPreview::Card cardOf(const GraphDoc& after, const std::string& scope, NodeId id) {
  const Node& node = after.graph(scope).nodes.at(id);
  const NodeText look = makeNodeText(after, scope, id, nullptr, {}, {});
  return {cardAt(node), look.title, look.settings, look.group, look.icon};
}

/// "padding: 0×0 → 2×2"; the layer type where the type changes.
QString changeText(const Node& before, const Node& after) {
  if (before.type != after.type)
    return QString::fromStdString(before.type) + QStringLiteral(" → ") + QString::fromStdString(after.type);
  const LayerType* type = find_layer(after.type);
  const auto value = [&](const Node& node, const std::string& name) {
    if (const auto found = node.attrs.find(name); found != node.attrs.end()) return attrText(found->second);
    if (type)
      for (const Field& field : type->fields)
        if (field.name == name) return attrText(field.otherwise);
    return QString();
  };
  AttrMap names = before.attrs;  // of both: an attribute reset to its default is not stored in the second
  names.insert(after.attrs.begin(), after.attrs.end());
  QStringList words;
  for (const auto& [name, attr] : names)
    if (const QString then = value(before, name), now = value(after, name); then != now)
      words << QStringLiteral("%1: %2 → %3").arg(QString::fromStdString(name), then, now);
  return words.join(QStringLiteral(" · "));
}

/// A connection's end: a port of a node of the scene, or the middle of a side of an added node.
ConnectionEnd endOf(const GraphScene& scene, const GraphDoc& after, NodeId id, bool output, int port) {
  if (const NodeItem* item = scene.elements().node(id);
      item && port < (output ? item->look().outputs : item->look().inputs))
    return item->end(output, port);
  const QRectF place = cardAt(after.graph(scene.scope()).nodes.at(id));
  return {QPointF(place.center().x(), output ? place.bottom() : place.top()), output ? Side::bottom : Side::top, place};
}

class Painter {
 public:
  Painter(QPainter& p, const GraphScene& scene) : p_(p), scene_(scene), t_(theme()) {}
  void gone(const Connection& c) {
    const ConnectionItem* item = scene_.elements().connection(c);
    if (!item) return;
    const qreal r = 7;
    paintCross(p_, item->middle(), r, t_.error, t_.canvas);
  }
  void removed(NodeId id) {
    const NodeItem* item = scene_.elements().node(id);
    if (!item) return;
    outline(item->card().translated(item->pos()), t_.error);
  }
  void wire(const QVector<QPointF>& corners) {
    p_.setPen(QPen(t_.ring, card::imageConnection, Qt::DashLine));
    p_.setBrush(Qt::NoBrush);
    p_.drawPath(roundedPath(corners, card::connectionRadius));
  }
  void come(const EditPreview::Card& c) {
    QColor fill = blend(t_.raised, t_.ring, 0.14);
    fill.setAlphaF(0.94);
    p_.setPen(QPen(t_.ring, 1.6, Qt::DashLine));
    p_.setBrush(fill);
    p_.drawRoundedRect(c.place, radius::node, radius::node);
    const bool compact = c.place.height() < card::height;
    const qreal size = compact ? card::compactTile : card::tile;
    const QRectF tile(c.place.left() + (compact ? card::compactTileX : card::tileX), c.place.center().y() - size / 2,
                      size, size);
    paintTile(p_, c.icon, c.group, tile, compact ? card::compactTileRadius : card::tileRadius);
    const qreal x = tile.right() + 11, room = c.place.right() - x - 12;
    line(QRectF(x, c.place.center().y() - (compact || c.settings.isEmpty() ? 9 : 19), room, 18), c.title,
         TextRole::node, t_.text1);
    if (!compact) line(QRectF(x, c.place.center().y() + 1, room, 18), c.settings, TextRole::secondary, t_.text2);
  }
  void change(const EditPreview::Change& change) {
    const NodeItem* item = scene_.elements().node(change.node);
    if (!item || change.text.isEmpty()) return;
    const QRectF where = item->card().translated(item->pos());
    outline(where, t_.ring);
    const QFont f = font(TextRole::secondary);
    const QRectF pill(where.left(), where.top() - 32, QFontMetricsF(f).horizontalAdvance(change.text) + 20, 24);
    paintFloat(p_, pill, radius::control, t_.accentSoft, t_.ring);
    p_.setFont(f);
    p_.setPen(t_.accentText);
    p_.drawText(pill, Qt::AlignCenter, change.text);
  }

 private:
  void outline(const QRectF& where, const QColor& colour) {
    p_.setPen(QPen(colour, 1.6, Qt::DashLine));
    p_.setBrush(Qt::NoBrush);
    p_.drawRoundedRect(where.adjusted(-5, -5, 5, 5), radius::node + 5, radius::node + 5);
  }
  void line(const QRectF& where, const QString& text, TextRole role, const QColor& colour) {
    p_.setFont(font(role));
    p_.setPen(colour);
    p_.drawText(where, Qt::AlignVCenter | Qt::AlignLeft,
                QFontMetricsF(p_.font()).elidedText(text, Qt::ElideRight, where.width()));
  }
  QPainter& p_;
  const GraphScene& scene_;
  const Theme& t_;
};

}  // namespace

std::optional<EditPreview> editPreviewOf(const GraphScene& scene, const Edit& edit) {
  GraphDoc after = scene.doc();
  if (edit.empty() || !after.apply(edit) || !after.has_scope(scene.scope())) return {};
  const Graph &old = scene.graph(), &now = after.graph(scene.scope());
  EditPreview ghost;
  for (const auto& [id, node] : now.nodes) {
    const auto found = old.nodes.find(id);
    if (found == old.nodes.end())
      ghost.cards << cardOf(after, scene.scope(), id);
    else if (const QString text = changeText(found->second, node); !text.isEmpty())
      ghost.changes << EditPreview::Change{id, text};
  }
  for (const auto& [id, node] : old.nodes)
    if (!now.nodes.contains(id)) ghost.removed << id;
  for (const Connection& c : old.connections)
    if (!std::binary_search(now.connections.begin(), now.connections.end(), c)) ghost.gone << c;
  for (const Connection& c : now.connections)
    if (!std::binary_search(old.connections.begin(), old.connections.end(), c))
      ghost.wires << routeConnection(endOf(scene, after, c.from, true, c.from_port),
                                     endOf(scene, after, c.to, false, c.to_port), {});
  return ghost;
}

void paintEditPreview(QPainter& p, const GraphScene& scene, const EditPreview& ghost) {
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  Painter painter(p, scene);
  for (const QVector<QPointF>& corners : ghost.wires) painter.wire(corners);
  for (const Connection& c : ghost.gone) painter.gone(c);
  for (const NodeId id : ghost.removed) painter.removed(id);
  for (const EditPreview::Card& c : ghost.cards) painter.come(c);
  for (const EditPreview::Change& c : ghost.changes) painter.change(c);
  p.restore();
}

}  // namespace nw::ui
