// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keyboard of the canvas: which gesture a press starts, and what single keys do.
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/commands/connection_commands.hpp"
#include "ui/canvas/editors/add_list.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

void GraphView::mousePressEvent(QMouseEvent* event) {
  const QPointF scene = mapToScene(event->position().toPoint());
  if (addList_) addList_->close();
  sentence_.clear();  // read, or about something that is over
  if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && space_)) {
    begin(panGesture(*this));
    gesture_->move(scene, event->modifiers());
    return event->accept();
  }
  const bool cuts = event->button() == Qt::RightButton && (event->modifiers() & Qt::ControlModifier);
  if (event->button() != Qt::LeftButton && !cuts) return;
  event->accept();
  if (cuts || knife_) return begin(cutGesture(*this, scene));
  setFocus(Qt::MouseFocusReason);
  cancel();
  if (std::unique_ptr<Gesture> gesture = gestureFor(scene, event->modifiers())) begin(std::move(gesture));
}

std::unique_ptr<Gesture> GraphView::gestureFor(QPointF scene, Qt::KeyboardModifiers keys) {
  if (tool_ == Tool::frame) return drawFrameGesture(*this, scene);
  if (tool_ == Tool::note) {
    setTool(Tool::pointer);
    addNoteAt(*this, scene);
    return nullptr;
  }
  if (const auto port = scene_.portAt(scene, reach(card::portReach))) return gestureOn(*port, scene, keys);
  if (pressStrip(scene)) return nullptr;
  if (NodeItem* item = scene_.nodeAt(scene)) {
    select(item, keys);
    return item->isSelected() ? moveGesture(*this, scene, keys & Qt::AltModifier) : nullptr;
  }
  if (ConnectionItem* wire = scene_.connectionAt(scene, reach(card::wireReach))) {
    if (keys & Qt::AltModifier)
      addDotAt(*this, wire->connection(), scene);
    else
      select(wire, keys);
    return nullptr;
  }
  std::unique_ptr<Gesture> gesture;
  if (grabBox(scene, keys, &gesture)) return gesture;
  return boxGesture(*this, scene, keys);
}

/// A wire from it; with Ctrl all that leaves an output; Alt takes its connections away.
std::unique_ptr<Gesture> GraphView::gestureOn(const PortRef& port, QPointF scene, Qt::KeyboardModifiers keys) {
  if (keys & Qt::AltModifier) {
    breakPort(*this, port);
    return nullptr;
  }
  if (port.output && (keys & Qt::ControlModifier) && scene_.isConnected(port))
    return moveEndsGesture(*this, port, scene);
  return wireGesture(*this, port, scene);
}

bool GraphView::grabBox(QPointF scene, Qt::KeyboardModifiers keys, std::unique_ptr<Gesture>* gesture) {
  const auto grab = [&](BoxItem* box, bool note) {
    if (box->handle().contains(scene) && box->isSelected()) {
      *gesture = resizeGesture(*this, box->id(), note);
      return true;
    }
    if (!box->grabs(scene)) return false;
    select(box, keys);
    if (box->isSelected()) *gesture = moveGesture(*this, scene);
    return true;
  };
  for (const auto& [id, item] : scene_.notes())
    if (grab(item, true)) return true;
  for (const auto& [id, item] : scene_.frames())
    if (grab(item, false)) return true;
  return false;
}

bool GraphView::pressStrip(QPointF scene) {
  NodeItem* item = scene_.nodeAt(scene);
  if (!item) return false;
  const NodeItem::Part part = item->partAt(scene);
  if (part == NodeItem::Part::fix) {
    applyFix(scene_, item->id(), 0);
    return true;
  }
  if (part != NodeItem::Part::other) return false;
  QMenu menu(this);
  for (int i = 1; i < item->look().fixes.size(); ++i) {
    QAction* action = menu.addAction(item->look().fixes[i]);
    connect(action, &QAction::triggered, this, [this, id = item->id(), i] { applyFix(scene_, id, i); });
    connect(action, &QAction::hovered, this, [this, id = item->id(), i] { scene_.preview(repairEdit(scene_, id, i)); });
  }
  menu.exec(mapToGlobal(mapFromScene(item->partRect(part).bottomLeft())));
  endPreview();
  return true;
}

/// Plain: alone, unless it is part of what is selected already. Shift adds, Ctrl turns over.
void GraphView::select(QGraphicsItem* item, Qt::KeyboardModifiers keys) {
  if (keys & Qt::ControlModifier) return item->setSelected(!item->isSelected());
  if (keys & Qt::ShiftModifier || item->isSelected()) return item->setSelected(true);
  scene_.clearSelection();
  item->setSelected(true);
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF scene = mapToScene(event->position().toPoint());
  if (gesture_)
    gesture_->move(scene, event->modifiers());
  else
    hover(scene);
}

/// The button under the mouse shows what it would do.
void GraphView::previewRepair(const NodeItem* item, NodeItem::Part part) {
  if (!item || part != NodeItem::Part::fix) return previewed_ ? endPreview() : void();
  if (previewed_ == item->id()) return;
  const auto& problems = scene_.problems(item->id());
  if (problems.empty() || problems.front()->fixes.empty()) return;
  previewed_ = item->id();
  scene_.preview(repairEdit(scene_, item->id(), 0));
}

void GraphView::endPreview() {
  previewed_ = 0;
  scene_.endPreview();
}

void GraphView::hover(QPointF scene) {
  NodeItem* item = scene_.nodeAt(scene);
  if (NodeItem* old = scene_.node(hovered_); old && old != item) old->setHovered(false);
  hovered_ = item ? item->id() : 0;
  if (item) item->setHovered(true, item->partAt(scene));
  previewRepair(item, item ? item->partAt(scene) : NodeItem::Part::none);
  ConnectionItem* wire = item ? nullptr : scene_.connectionAt(scene, reach(card::wireReach));
  if (hoveredWire_ && scene_.connection(*hoveredWire_)) scene_.connection(*hoveredWire_)->setHovered(false);
  hoveredWire_.reset();
  if (!wire) return;
  wire->setHovered(true);
  hoveredWire_ = wire->connection();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  if (!gesture_) return;
  const std::unique_ptr<Gesture> gesture = std::move(gesture_);
  gesture->release(mapToScene(event->position().toPoint()), event->modifiers());
  viewport()->update();
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
  const QPointF scene = mapToScene(event->position().toPoint());
  if (event->button() != Qt::LeftButton) return;
  if (const auto port = scene_.portAt(scene, reach(card::portReach))) return mousePressEvent(event);
  if (NodeItem* item = scene_.nodeAt(scene)) {
    if (item->partAt(scene) != NodeItem::Part::body) return mousePressEvent(event);
    if (item->look().block) return enterBlock(scene_, item->id());
    scene_.setCurrent(item->id());
    return Q_EMIT scene_.inspectorWanted();
  }
  for (const auto& [id, item] : scene_.notes())
    if (item->grabs(scene)) return editNote(id);
  for (const auto& [id, item] : scene_.frames())
    if (item->grabs(scene)) return editFrameTitle(id);
  if (!scene_.connectionAt(scene, reach(card::wireReach))) openAddList(scene);
}

void GraphView::wheelEvent(QWheelEvent* event) {
  const bool fingers = !event->pixelDelta().isNull() && event->phase() != Qt::NoScrollPhase;
  event->accept();
  if (fingers && !(event->modifiers() & Qt::ControlModifier)) return scrollBy(event->pixelDelta());
  if (event->modifiers() & Qt::ShiftModifier)
    return scrollBy(QPointF(event->angleDelta().y() + event->angleDelta().x(), 0));
  setZoom(zoom() * std::pow(1.0015, event->angleDelta().y()), event->position());
}

bool GraphView::event(QEvent* event) {
  if (event->type() == QEvent::FocusOut && (knife_ || space_)) {  // the keys come up somewhere else
    knife_ = space_ = false;
    viewport()->unsetCursor();
  }
  // Tab adds a layer here; Ctrl+Tab always leaves.
  if (event->type() == QEvent::KeyPress && !addList_) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab) {
      if (key->modifiers() & Qt::ControlModifier) return focusNextPrevChild(key->key() == Qt::Key_Tab);
      keyPressEvent(key);
      return true;
    }
  }
  return QGraphicsView::event(event);
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && gesture_) return cancel();
  if (gesture_ && gesture_->key(event)) return finishIfDone();
  if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
    space_ = true;
    viewport()->setCursor(Qt::OpenHandCursor);
    return;
  }
  if (event->key() == Qt::Key_Y && event->modifiers() == Qt::NoModifier) {  // held: the left button cuts
    knife_ = true;
    viewport()->setCursor(Qt::CrossCursor);
    return;
  }
  if (runKey(*this, QKeySequence(event->keyCombination()))) return event->accept();
  event->ignore();
}

void GraphView::keyReleaseEvent(QKeyEvent* event) {
  const bool ours = event->key() == Qt::Key_Space || event->key() == Qt::Key_Y;
  if (!ours || event->isAutoRepeat()) return QGraphicsView::keyReleaseEvent(event);
  (event->key() == Qt::Key_Y ? knife_ : space_) = false;
  viewport()->unsetCursor();
}

void GraphView::finishIfDone() {
  if (gesture_ && gesture_->finished) gesture_.reset();
  viewport()->update();
}

namespace {

/// Two fingers on a touchpad: pinching zooms at the pointer, a double tap goes between all and natural size.
bool takeGesture(GraphView& view, const QNativeGestureEvent& event) {
  switch (event.gestureType()) {
    case Qt::ZoomNativeGesture:
      view.setZoom(view.zoom() * (1 + event.value()), event.position());
      return true;
    case Qt::PanNativeGesture:
      view.scrollBy(event.delta());
      return true;
    case Qt::SmartZoomNativeGesture:
      if (view.zoom() < 0.99)
        view.setZoom(1, event.position());
      else
        view.fitAll();
      return true;
    default:
      return false;
  }
}

}  // namespace

bool GraphView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::NativeGesture && takeGesture(*this, *static_cast<QNativeGestureEvent*>(event)))
    return true;
  if (event->type() == QEvent::Leave) hover(QPointF(1e9, 1e9));
  return QGraphicsView::viewportEvent(event);
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
  // that stroke cuts
  if (gesture_ || (event->reason() == QContextMenuEvent::Mouse && (event->modifiers() & Qt::ControlModifier))) return;
  const QPointF scene = mapToScene(event->pos());
  if (NodeItem* item = scene_.nodeAt(scene))
    select(item, item->isSelected() ? Qt::ShiftModifier : Qt::NoModifier);
  else if (ConnectionItem* wire = scene_.connectionAt(scene, reach(card::wireReach)))
    select(wire, Qt::NoModifier);
  QMenu menu(this);
  fillContextMenu(*this, menu, scene);
  menu.exec(event->globalPos());
}

}  // namespace nw::ui
