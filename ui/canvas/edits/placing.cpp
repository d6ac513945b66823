// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/edits/placing.hpp"

#include <algorithm>
#include <cmath>

#include "engine/design/block_edits.hpp"
#include "ui/canvas/edits/saved_blocks.hpp"
#include "ui/canvas/scene/node_geometry.hpp"

namespace nw::ui {
namespace {

qreal heightOf(const Node& node) { return cardOf(node).height(); }
qreal gapBetween(const Node& a, const Node& b) {
  return heightOf(a) < card::height || heightOf(b) < card::height ? 30 : card::gap;
}
bool sameColumn(double a, double b) { return std::abs(a - b) < card::width / 2; }

/// Everything in the column at or below `top` moves down, frames around it grow, frames below it move.
void pushDown(EditChain& chain, const std::string& scope, double x, double top, double by) {
  if (by <= 0) return;
  std::map<NodeId, Point> places;
  for (const auto& [id, node] : chain.doc().graph(scope).nodes)
    if (sameColumn(node.position.x, x) && node.position.y >= top - 0.5)
      places[id] = {node.position.x, node.position.y + by};
  chain.add(move_nodes(chain.doc(), scope, places));
  Edit frames;
  for (const auto& [id, frame] : chain.doc().graph(scope).frames) {
    const Rect& r = frame.rect;
    if (x < r.x || x > r.x + r.width || r.y + r.height < top) continue;
    Frame changed = frame;
    if (r.y > top)
      changed.rect.y += by;
    else
      changed.rect.height += by;
    frames.push_back(PutFrame{scope, id, changed});
  }
  chain.add(frames);
}

/// Enlarges the frame around `inside` until the frame also contains the rectangle `card`.
void growFrame(EditChain& chain, const std::string& scope, const Point& inside, const QRectF& card) {
  Edit frames;
  for (const auto& [id, frame] : chain.doc().graph(scope).frames) {
    const Rect& r = frame.rect;
    const bool around = inside.x >= r.x && inside.x <= r.x + r.width && inside.y >= r.y && inside.y <= r.y + r.height;
    const double bottom = card.bottom() + card::framePadding;
    if (!around || card.center().x() < r.x || card.center().x() > r.x + r.width || bottom <= r.y + r.height) continue;
    Frame changed = frame;
    changed.rect.height = bottom - r.y;
    frames.push_back(PutFrame{scope, id, changed});
  }
  chain.add(frames);
}

Point middleOf(const Graph& graph, const Connection& c, const Node& node, std::optional<QPointF> wanted, double* push) {
  const Node &from = graph.nodes.at(c.from), &to = graph.nodes.at(c.to);
  const double first = cardOf(from).bottom() + gapBetween(from, node) + heightOf(node) / 2;
  *push = 0;
  if (!sameColumn(from.position.x, to.position.x) || to.position.y < from.position.y) return {from.position.x, first};
  const double last = cardOf(to).top() - gapBetween(node, to) - heightOf(node) / 2;
  if (last < first) {
    *push = first - last;
    return {from.position.x, first};
  }
  const double y = wanted ? std::clamp(wanted->y(), first, last) : (first + last) / 2;
  return {from.position.x, y};
}

}  // namespace

bool isBlockId(const QString& id) {
  return id.startsWith(QLatin1String("Block/")) || id.startsWith(QLatin1String("Mine/"));
}
QString shownName(const QString& id) { return isBlockId(id) ? id.section('/', 1) : id; }

Node nodeToPlace(EditChain& chain, const QString& id) {
  Node node = nodeFor(id);
  if (!id.startsWith(QLatin1String("Mine/"))) return node;
  const Result<std::string> text = savedBlock(shownName(id).toStdString());
  const Result<ImportedBlock> taken = text ? take_block(chain.doc(), *text) : Result<ImportedBlock>(text.error());
  if (!taken) {
    chain.refuse(taken.error().what);
    return node;
  }
  chain.add(taken->edit);
  node.attrs["block"] = taken->name;
  return node;
}

Node nodeFor(const QString& id) {
  Node node;
  if (!isBlockId(id)) {
    node.type = id.toStdString();
    return node;
  }
  node.type = "Block";
  node.attrs["block"] = shownName(id).toStdString();
  node.attrs["repeat"] = std::int64_t{1};
  return node;
}

QRectF cardOf(const Node& node) {
  if (isDot(node))
    return {node.position.x - card::dotWidth / 2, node.position.y - card::dotHeight / 2, card::dotWidth,
            card::dotHeight};
  const qreal h = node.collapsed || isCompactByNature(node.type) ? card::compactHeight : card::height;
  return {node.position.x - card::width / 2, node.position.y - h / 2, card::width, h};
}

NodeId placeAt(EditChain& chain, const std::string& scope, Node node, QPointF centre) {
  NodeId id = 0;
  node.position = {std::round(centre.x()), std::round(centre.y())};
  chain.add(add_node(chain.doc(), scope, std::move(node), &id));
  return id;
}

NodeId placeOn(EditChain& chain, const std::string& scope, const Connection& c, Node node,
               std::optional<QPointF> wanted, NodeId existing) {
  double push = 0;
  const Point from = chain.doc().graph(scope).nodes.at(c.from).position,
              to = chain.doc().graph(scope).nodes.at(c.to).position;
  node.position = middleOf(chain.doc().graph(scope), c, node, wanted, &push);
  const QRectF card = cardOf(node);
  if (push > 0) pushDown(chain, scope, to.x, to.y, push);
  NodeId id = existing;
  if (existing == 0) {
    chain.add(insert_on(chain.doc(), scope, c, std::move(node), &id));
  } else {
    chain.add(move_nodes(chain.doc(), scope, {{existing, node.position}}));
    chain.add({PutConnection{scope, c, false}});
    chain.add(connect(chain.doc(), scope, {c.from, c.from_port, id, 0}));
    chain.add(connect(chain.doc(), scope, {id, 0, c.to, c.to_port}));
  }
  growFrame(chain, scope, from, card);
  return id;
}

NodeId placeAfter(EditChain& chain, const std::string& scope, NodeId after, Node node) {
  const Graph& graph = chain.doc().graph(scope);
  std::vector<Connection> followers;
  for (const Connection& c : graph.connections)
    if (c.from == after) followers.push_back(c);
  if (followers.size() == 1 && outputPorts(chain.doc(), scope, after) > 0)
    return placeOn(chain, scope, followers[0], std::move(node), {});
  const Node above = graph.nodes.at(after);
  const QPointF centre(above.position.x, cardOf(above).bottom() + gapBetween(above, node) + heightOf(node) / 2);
  return placeOnPort(chain, scope, {after, true, 0}, std::move(node), centre);
}

NodeId placeOnPort(EditChain& chain, const std::string& scope, const PortRef& port, Node node, QPointF centre) {
  const Point anchor = chain.doc().graph(scope).nodes.at(port.node).position;
  const NodeId id = placeAt(chain, scope, std::move(node), centre);
  if (!chain.ok()) return id;
  const QRectF card = cardOf(chain.doc().graph(scope).nodes.at(id));
  if (port.output && port.port < outputPorts(chain.doc(), scope, port.node) && inputPorts(chain.doc(), scope, id) > 0)
    chain.add(connect(chain.doc(), scope, {port.node, port.port, id, 0}));
  if (!port.output && outputPorts(chain.doc(), scope, id) > 0)
    chain.add(connect(chain.doc(), scope, {id, 0, port.node, port.port}));
  growFrame(chain, scope, anchor, card);
  return id;
}

Edit withPlaces(const GraphDoc& doc, const Edit& edit) {
  EditChain chain(doc);
  chain.add(edit);
  if (!chain.ok()) return edit;
  for (const Put& put : edit) {
    const auto* p = std::get_if<PutNode>(&put);
    if (!p || !p->node || doc.graph(p->scope).nodes.contains(p->id) || !(p->node->position == Point{})) continue;
    const auto& wires = chain.doc().graph(p->scope).connections;
    const auto in = std::find_if(wires.begin(), wires.end(), [p](const Connection& c) { return c.to == p->id; });
    const auto out = std::find_if(wires.begin(), wires.end(), [p](const Connection& c) { return c.from == p->id; });
    if (in == wires.end() || out == wires.end()) continue;
    double push = 0;
    const Connection whole{in->from, in->from_port, out->to, out->to_port};
    const Point place = middleOf(chain.doc().graph(p->scope), whole, *p->node, {}, &push);
    const Point from = chain.doc().graph(p->scope).nodes.at(whole.from).position,
                to = chain.doc().graph(p->scope).nodes.at(whole.to).position;
    if (push > 0) pushDown(chain, p->scope, to.x, to.y, push);
    chain.add(move_nodes(chain.doc(), p->scope, {{p->id, place}}));
    growFrame(chain, p->scope, from, cardOf(chain.doc().graph(p->scope).nodes.at(p->id)));
  }
  return chain.edit();
}

}  // namespace nw::ui
