// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/outline_tree.hpp"

#include <QKeyEvent>

#include "ui/canvas/canvas.hpp"
#include "ui/canvas/commands.hpp"
#include "ui/canvas/node_item.hpp"
#include "ui/design/layer_rows.hpp"

namespace nw::ui {
namespace {

/// Producers before consumers; what comes first in the drawing (left, then above) first.
std::vector<NodeId> inOrder(const Graph& graph) {
  std::map<NodeId, int> waiting;
  std::map<NodeId, std::vector<NodeId>> next;
  for (const auto& [id, node] : graph.nodes) waiting[id] = 0;
  for (const Connection& c : graph.connections) {
    ++waiting[c.to];
    next[c.from].push_back(c.to);
  }
  const auto place = [&](NodeId id) {
    const Point& p = graph.nodes.at(id).position;
    return std::make_tuple(p.x, p.y, id);
  };
  std::set<std::tuple<double, double, NodeId>> ready;
  for (const auto& [id, count] : waiting)
    if (count == 0) ready.insert(place(id));
  std::vector<NodeId> order;
  while (!ready.empty()) {
    const NodeId id = std::get<2>(*ready.begin());
    ready.erase(ready.begin());
    order.push_back(id);
    for (const NodeId to : next[id])
      if (--waiting[to] == 0) ready.insert(place(to));
  }
  for (const auto& [id, count] : waiting)
    if (count > 0) order.push_back(id);         // on a ring
  return order;
}

}  // namespace

OutlineTree::OutlineTree(Canvas& canvas, QWidget* parent) : QTreeWidget(parent), canvas_(canvas) {
  prepareTree(*this, QStringLiteral("outline"), tr("Outline of the network"));
  setSelectionMode(ExtendedSelection);
  GraphScene& scene = canvas_.scene();
  const auto later = [this] {                  // many changes in a row make one list
    if (std::exchange(pending_, true)) return;
    QMetaObject::invokeMethod(this, &OutlineTree::fill, Qt::QueuedConnection);
  };
  connect(&scene, &GraphScene::contentChanged, this, later);
  connect(&scene, &GraphScene::lookChanged, this, later);
  connect(&scene, &QGraphicsScene::selectionChanged, this, &OutlineTree::followSelection);
  connect(this, &QTreeWidget::itemSelectionChanged, this, [this] {
    if (filling_) return;
    std::vector<NodeId> chosen;
    for (const QTreeWidgetItem* row : selectedItems()) chosen.push_back(row->data(0, rowId).toLongLong());
    filling_ = true;
    canvas_.scene().selectOnly(chosen);
    if (!chosen.empty()) canvas_.view().reveal(chosen.back());
    filling_ = false;
  });
  connect(this, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* row) { enterBlock(canvas_.scene(), row->data(0, rowId).toLongLong()); });
  fill();
}

void OutlineTree::setFilter(const QString& text) {
  filter_ = text.trimmed();
  fill();
}

void OutlineTree::fill() {
  pending_ = false;
  filling_ = true;
  clear();
  const GraphScene& scene = canvas_.scene();
  for (const NodeId id : inOrder(scene.graph())) {
    const NodeItem* item = scene.node(id);
    if (!item) continue;
    const NodeLook& look = item->look();
    const NodeFacts* facts = scene.facts(id);
    const QString shape = facts ? shapeText(facts->output) : QString();
    if (!filter_.isEmpty() && !(look.name + ' ' + look.title + ' ' + shape).contains(filter_, Qt::CaseInsensitive)) continue;
    QTreeWidgetItem* row = layerRow(QString::number(id), look.name, look.group, look.icon);
    row->setData(0, rowMuted, shape.isEmpty() ? look.title : shape);
    row->setData(0, rowTone, look.state == NodeState::error ? "error" : look.state == NodeState::warning ? "warn" : "");
    row->setData(0, Qt::AccessibleTextRole, item->spoken(topLevelItemCount() + 1, static_cast<int>(scene.nodes().size())));
    addTopLevelItem(row);
  }
  filling_ = false;
  followSelection();
}

void OutlineTree::followSelection() {
  if (filling_) return;
  filling_ = true;
  for (int i = 0; i < topLevelItemCount(); ++i) {
    QTreeWidgetItem* row = topLevelItem(i);
    const NodeId id = row->data(0, rowId).toLongLong();
    const NodeItem* item = canvas_.scene().node(id);
    row->setSelected(item && item->isSelected());
    if (id == canvas_.scene().current()) scrollToItem(row);
  }
  filling_ = false;
}

void OutlineTree::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && canvas_.scene().current()) return Q_EMIT canvas_.scene().inspectorWanted();
  QTreeWidget::keyPressEvent(event);
}

}  // namespace nw::ui
