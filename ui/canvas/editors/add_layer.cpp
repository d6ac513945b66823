// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/editors/add_layer.hpp"

#include "ui/canvas/editors/add_list.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {
namespace {

void add(GraphView& view, const QString& id, QPointF at, const std::optional<PortRef>& from) {
  GraphScene& scene = view.graph();
  if (from && !scene.graph().nodes.contains(from->node)) return;
  EditChain chain(scene.doc());
  const Node node = nodeToPlace(chain, id);
  const QPointF below(0, (from && !from->output ? -1 : 1) * cardOf(nodeFor(id)).height() / 2);
  const NodeId made =
      from ? placeOnPort(chain, scene.scope(), *from, node, at + below) : placeAt(chain, scene.scope(), node, at);
  commitNew(scene, chain, made);
  view.setFocus(Qt::OtherFocusReason);
}

}  // namespace

AddList* openedAddList(const GraphView& view) {
  for (AddList* list : view.window()->findChildren<AddList*>(Qt::FindDirectChildrenOnly))
    if (!list->isClosing() && list->view() == &view) return list;
  return nullptr;
}

void closeAddList(const GraphView& view) {
  if (AddList* list = openedAddList(view)) list->close();
}

void openAddList(GraphView& view, QPointF at, std::optional<PortRef> from) {
  closeAddList(view);
  auto* list = new AddList(view.graph(), from, AddList::Shows::fitting, view);
  QObject::connect(list, &AddList::picked, &view, [&view, at, from](const QString& id) { add(view, id, at, from); });
  list->openAt(view.mapFromScene(at));
}

void openAddListBelow(GraphView& view, NodeId node, const std::function<void(const QString&)>& add) {
  const NodeItem* item = view.graph().elements().node(node);
  if (!item) return;
  closeAddList(view);
  auto* list = new AddList(view.graph(), PortRef{node, true, 0}, AddList::Shows::all, view);
  QObject::connect(list, &AddList::picked, &view, [&view, add](const QString& id) {
    add(id);
    view.setFocus(Qt::OtherFocusReason);
  });
  list->openAt(view.mapFromScene(item->outline().bottomLeft()));
}

}  // namespace nw::ui
