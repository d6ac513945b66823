// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/layer_drop.hpp"

#include <QDropEvent>
#include <QMimeData>

#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/hit_test.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {

LayerDrop::LayerDrop(GraphView& view) : view_(view) {
  connect(&view.graph(), &GraphScene::scopeChanged, this, [this] { target_.reset(); });
}

bool LayerDrop::handle(QEvent& event) {
  const QEvent::Type type = event.type();
  if (type == QEvent::DragLeave) {
    leave();
    return true;
  }
  if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop) return false;
  auto& drag = static_cast<QDropEvent&>(event);  // the base class of the three
  if (!drag.mimeData()->hasFormat(layerMime)) {
    drag.ignore();
    return true;
  }
  const QPoint at = drag.position().toPoint();
  if (type == QEvent::DragMove) hover(at);
  if (type == QEvent::Drop) drop(QString::fromUtf8(drag.mimeData()->data(layerMime)), at);
  drag.acceptProposedAction();
  return true;
}

void LayerDrop::hover(QPoint at) {
  ConnectionItem* wire = connectionAt(view_.graph(), view_.mapToScene(at), view_.camera().reach(30));
  const std::optional<Connection> found = wire ? std::optional(wire->connection()) : std::nullopt;
  if (found == target_) return;
  leave();
  target_ = found;
  if (wire) wire->setTarget(true);
}

void LayerDrop::leave() {
  if (target_ && view_.graph().elements().connection(*target_))
    view_.graph().elements().connection(*target_)->setTarget(false);
  target_.reset();
}

NodeId LayerDrop::drop(const QString& id, QPoint at) {
  hover(at);
  const std::optional<Connection> wire = target_;
  leave();
  GraphScene& scene = view_.graph();
  EditChain chain(scene.doc());
  const Node node = nodeToPlace(chain, id);
  const LayerType* type = find_layer(node.type);
  const bool passes = node.type == "Block" || (type && type->inputs != 0 && type->outputs > 0);
  const NodeId made = wire && passes ? placeOn(chain, scene.scope(), *wire, node, view_.mapToScene(at))
                                     : placeAt(chain, scene.scope(), node, view_.mapToScene(at));
  if (!commitNew(scene, chain, made)) return 0;
  view_.setFocus(Qt::MouseFocusReason);
  return made;
}

}  // namespace nw::ui
