// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/pointer_input.hpp"

#include <QMenu>

#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/commands/connection_commands.hpp"
#include "ui/canvas/commands/node_commands.hpp"
#include "ui/canvas/editors/add_layer.hpp"
#include "ui/canvas/editors/text_editors.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/gestures/gestures.hpp"
#include "ui/canvas/input/key_input.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/hit_test.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {

PointerInput::PointerInput(GraphView& view, const KeyInput& keys)
    : view_(view), scene_(view.graph()), keys_(keys), hover_(view.graph()) {}

bool PointerInput::handle(QEvent& event) {
  switch (event.type()) {
    case QEvent::MouseButtonPress:
      press(static_cast<QMouseEvent&>(event));
      return true;
    case QEvent::MouseMove:
      move(static_cast<QMouseEvent&>(event));
      return true;
    case QEvent::MouseButtonRelease:
      release(static_cast<QMouseEvent&>(event));
      return true;
    case QEvent::MouseButtonDblClick:
      doubleClick(static_cast<QMouseEvent&>(event));
      return true;
    case QEvent::ContextMenu:
      openMenu(static_cast<QContextMenuEvent&>(event));
      return true;
    case QEvent::Leave:
      hover_.leave();
      return false;
    default:
      return false;
  }
}

ConnectionItem* PointerInput::connectionUnder(QPointF at) const {
  return connectionAt(scene_, at, view_.camera().reach(card::connectionReach));
}

void PointerInput::press(QMouseEvent& event) {
  const QPointF at = view_.mapToScene(event.position().toPoint());
  closeAddList(view_);
  view_.callout().clear();
  if (event.button() == Qt::MiddleButton || (event.button() == Qt::LeftButton && keys_.pans())) {
    view_.begin(panGesture(view_));
    view_.gesture()->move(at, event.modifiers());
    return event.accept();
  }
  const bool cuts = event.button() == Qt::RightButton && (event.modifiers() & Qt::ControlModifier);
  if (event.button() != Qt::LeftButton && !cuts) return;
  event.accept();
  if (cuts || keys_.cuts()) return view_.begin(cutGesture(view_, at));
  view_.setFocus(Qt::MouseFocusReason);
  view_.cancel();
  const NodeItem* node = nodeAt(scene_, at);
  selectsAloneAt_.reset();
  if (node && node->isSelected() && event.modifiers() == Qt::NoModifier) selectsAloneAt_ = at;
  if (Begun gesture = gestureAt(at, event.modifiers())) view_.begin(std::move(gesture));
}

PointerInput::Begun PointerInput::gestureAt(QPointF at, Qt::KeyboardModifiers keys) {
  if (view_.tool() == GraphView::Tool::frame) return drawFrameGesture(view_, at);
  if (view_.tool() == GraphView::Tool::note) {
    view_.setTool(GraphView::Tool::pointer);
    addNoteAt(view_, at);
    return nullptr;
  }
  if (const auto port = portAt(scene_, at, view_.camera().reach(card::portReach)))
    return gestureOnPort(*port, at, keys);
  if (pressFix(at)) return nullptr;
  if (NodeItem* item = nodeAt(scene_, at)) {
    select(*item, keys);
    return item->isSelected() ? moveGesture(view_, at, keys & Qt::AltModifier) : nullptr;
  }
  if (ConnectionItem* wire = connectionUnder(at)) {
    if (keys & Qt::AltModifier)
      addDotAt(view_, wire->connection(), at);
    else
      select(*wire, keys);
    return nullptr;
  }
  if (auto gesture = gestureOnBox(at, keys)) return std::move(*gesture);
  return boxGesture(view_, at, keys);
}

/// A connection from the port; with Ctrl every connection of an output; Alt removes the port's connections.
PointerInput::Begun PointerInput::gestureOnPort(const PortRef& port, QPointF at, Qt::KeyboardModifiers keys) {
  if (keys & Qt::AltModifier) {
    breakPort(view_, port);
    return nullptr;
  }
  if (port.output && (keys & Qt::ControlModifier) && scene_.index().isConnected(port))
    return moveEndsGesture(view_, port, at);
  return connectGesture(view_, port, at);
}

/// Resizes or moves the note or frame there. Null gesture: the press only changed the selection. nullopt: none there.
std::optional<PointerInput::Begun> PointerInput::gestureOnBox(QPointF at, Qt::KeyboardModifiers keys) {
  const auto gestureOn = [&](BoxItem& box, bool note) -> std::optional<Begun> {
    if (box.handle().contains(at) && box.isSelected()) return resizeGesture(view_, box.id(), note);
    if (!box.grabs(at)) return {};
    select(box, keys);
    return box.isSelected() ? moveGesture(view_, at) : nullptr;
  };
  for (const auto& [id, item] : scene_.elements().notes())
    if (auto gesture = gestureOn(*item, true)) return gesture;
  for (const auto& [id, item] : scene_.elements().frames())
    if (auto gesture = gestureOn(*item, false)) return gesture;
  return {};
}

/// The buttons below a node with an error. False: the press is on none of them.
bool PointerInput::pressFix(QPointF at) {
  const NodeItem* item = nodeAt(scene_, at);
  if (!item) return false;
  const NodeItem::Part part = item->partAt(at);
  if (part == NodeItem::Part::fix) applyFix(scene_, item->id(), 0);
  if (part == NodeItem::Part::other) openFixes(*item);
  return part == NodeItem::Part::fix || part == NodeItem::Part::other;
}

void PointerInput::openFixes(const NodeItem& item) {
  QMenu menu(&view_);
  for (int i = 1; i < item.look().fixes.size(); ++i) {
    QAction* action = menu.addAction(item.look().fixes[i]);
    QObject::connect(action, &QAction::triggered, &view_, [this, id = item.id(), i] { applyFix(scene_, id, i); });
    QObject::connect(action, &QAction::hovered, &view_,
                     [this, id = item.id(), i] { scene_.preview(repairEdit(scene_, id, i)); });
  }
  menu.exec(view_.mapToGlobal(view_.mapFromScene(item.partRect(NodeItem::Part::other).bottomLeft())));
  hover_.endPreview();
}

/// Without a modifier: the item alone, unless it is selected already (a drag then moves the whole selection). Shift
/// adds, Ctrl toggles.
void PointerInput::select(QGraphicsItem& item, Qt::KeyboardModifiers keys) {
  if (keys & Qt::ControlModifier) return item.setSelected(!item.isSelected());
  if (keys & Qt::ShiftModifier || item.isSelected()) return item.setSelected(true);
  scene_.clearSelection();
  item.setSelected(true);
}

/// A click, not a drag, on one of several selected nodes.
void PointerInput::selectAlone(QPointF at) {
  NodeItem* item = nodeAt(scene_, at);
  if (!item || scene_.selection().nodes() == std::vector{item->id()}) return;
  scene_.clearSelection();
  item->setSelected(true);
}

void PointerInput::move(const QMouseEvent& event) {
  const QPointF at = view_.mapToScene(event.position().toPoint());
  if (view_.gesture())
    view_.gesture()->move(at, event.modifiers());
  else
    hover_.move(at, view_.camera().reach(card::connectionReach));
}

void PointerInput::release(const QMouseEvent& event) {
  const Begun gesture = view_.takeGesture();
  if (!gesture) return;
  const QPointF at = view_.mapToScene(event.position().toPoint());
  gesture->release(at, event.modifiers());
  if (selectsAloneAt_ && QLineF(*selectsAloneAt_, at).length() * view_.camera().zoom() < dragDistance) selectAlone(at);
  view_.viewport()->update();
}

void PointerInput::doubleClick(QMouseEvent& event) {
  const QPointF at = view_.mapToScene(event.position().toPoint());
  if (event.button() != Qt::LeftButton) return;
  if (portAt(scene_, at, view_.camera().reach(card::portReach))) return press(event);
  if (const NodeItem* item = nodeAt(scene_, at)) {
    if (item->partAt(at) != NodeItem::Part::body) return press(event);
    if (item->look().block) return enterBlock(scene_, item->id());
    scene_.selection().setCurrent(item->id());
    return Q_EMIT scene_.inspectorWanted();
  }
  for (const auto& [id, item] : scene_.elements().notes())
    if (item->grabs(at)) return editNote(view_, id);
  for (const auto& [id, item] : scene_.elements().frames())
    if (item->grabs(at)) return editFrameTitle(view_, id);
  if (!connectionUnder(at)) openAddList(view_, at);
}

void PointerInput::openMenu(const QContextMenuEvent& event) {
  const bool cuts = event.reason() == QContextMenuEvent::Mouse && (event.modifiers() & Qt::ControlModifier);
  if (view_.gesture() || cuts) return;
  const QPointF at = view_.mapToScene(event.pos());
  if (NodeItem* item = nodeAt(scene_, at))
    select(*item, item->isSelected() ? Qt::ShiftModifier : Qt::NoModifier);
  else if (ConnectionItem* wire = connectionUnder(at))
    select(*wire, Qt::NoModifier);
  QMenu menu(&view_);
  fillContextMenu(view_, menu, at);
  menu.exec(event.globalPos());
}

}  // namespace nw::ui
