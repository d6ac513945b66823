// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that come in: dragged from the palette or another program, picked from the add list; names edited in place.
#include <QDragEnterEvent>
#include <QMimeData>

#include "ui/canvas/commands/block_commands.hpp"
#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/editors/add_list.hpp"
#include "ui/canvas/editors/inline_edit.hpp"
#include "ui/canvas/edits/fit.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

void GraphView::hoverLayer(QPoint at) {
  ConnectionItem* wire = scene_.connectionAt(mapToScene(at), reach(30));
  const std::optional<Connection> found = wire ? std::optional(wire->connection()) : std::nullopt;
  if (found == target_) return;
  endHover();
  target_ = found;
  if (wire) wire->setTarget(true);
}

void GraphView::endHover() {
  if (target_ && scene_.connection(*target_)) scene_.connection(*target_)->setTarget(false);
  target_.reset();
}

NodeId GraphView::dropLayer(const QString& id, QPoint at) {
  hoverLayer(at);
  const std::optional<Connection> wire = target_;
  endHover();
  EditChain chain(scene_.doc());
  const Node node = nodeToPlace(chain, id);
  const LayerType* type = find_layer(node.type);
  const bool passes = node.type == "Block" || (type && type->inputs != 0 && type->outputs > 0);
  const NodeId made = wire && passes ? placeOn(chain, scene_.scope(), *wire, node, mapToScene(at))
                                     : placeAt(chain, scene_.scope(), node, mapToScene(at));
  if (!commitNew(scene_, chain, made)) return 0;
  setFocus(Qt::MouseFocusReason);
  return made;
}

void GraphView::openAddList(QPointF at, std::optional<PortRef> from) {
  if (addList_) addList_->close();
  addList_ = new AddList(scene_, from, this);
  connect(addList_, &AddList::closed, this, [this] { addList_ = nullptr; });
  connect(addList_, &AddList::picked, this, [this, at, from](const QString& id) {
    const QRectF card = cardOf(nodeFor(id));
    EditChain chain(scene_.doc());
    NodeId made = 0;
    const Node node = nodeToPlace(chain, id);
    if (from)
      made =
          placeOnPort(chain, scene_.scope(), *from, node, at + QPointF(0, (from->output ? 1 : -1) * card.height() / 2));
    else
      made = placeAt(chain, scene_.scope(), node, at);
    commitNew(scene_, chain, made);
    setFocus(Qt::OtherFocusReason);
  });
  addList_->openAt(mapFromScene(at));
}

void GraphView::editName(NodeId id) {
  const NodeItem* item = scene_.node(id);
  if (!item) return;
  reveal(id);
  const QRectF card = item->partRect(NodeItem::Part::body);
  const QRectF where(card.left() + 44, card.top() + 4, card.width() - 56, 26);
  editInPlace(*this, where, item->look().name, false, [this, id](const QString& text) { renameNode(*this, id, text); });
}

void GraphView::editBlockName(NodeId id) {
  const NodeItem* item = scene_.node(id);
  if (!item || !item->look().block) return;
  reveal(id);
  const QRectF card = item->partRect(NodeItem::Part::body);
  const QRectF where(card.left() + 44, card.top() + 4, card.width() - 56, 26);
  editInPlace(*this, where, item->look().title, false,
              [this, from = item->look().title](const QString& text) { renameBlock(scene_, from, text.trimmed()); });
}

void GraphView::editFrameTitle(ItemId id) {
  const FrameItem* item = scene_.frame(id);
  if (!item) return;
  const QRectF where(item->outline().topLeft() + QPointF(8, 4), QSizeF(item->outline().width() - 16, 26));
  editInPlace(*this, where, QString::fromStdString(scene_.graph().frames.at(id).title), false,
              [this, id](const QString& text) {
                Frame frame = scene_.graph().frames.at(id);
                frame.title = text.toStdString();
                if (!(frame == scene_.graph().frames.at(id)))
                  scene_.session().push({PutFrame{scene_.scope(), id, frame}}, tr("Rename frame"));
              });
}

void GraphView::editNote(ItemId id) {
  const NoteItem* item = scene_.note(id);
  if (!item) return;
  editInPlace(*this, item->outline(), QString::fromStdString(scene_.graph().notes.at(id).text), true,
              [this, id](const QString& text) {
                Note note = scene_.graph().notes.at(id);
                note.text = text.toStdString();
                if (!(note == scene_.graph().notes.at(id)))
                  scene_.session().push({PutNote{scene_.scope(), id, note}}, tr("Edit note"));
              });
}

void GraphView::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasFormat(layerMime))
    event->acceptProposedAction();
  else
    event->ignore();
}

void GraphView::dragMoveEvent(QDragMoveEvent* event) {
  if (!event->mimeData()->hasFormat(layerMime)) return event->ignore();
  hoverLayer(event->position().toPoint());
  event->acceptProposedAction();
}

void GraphView::dragLeaveEvent(QDragLeaveEvent*) { endHover(); }

void GraphView::dropEvent(QDropEvent* event) {
  if (!event->mimeData()->hasFormat(layerMime)) return event->ignore();
  dropLayer(QString::fromUtf8(event->mimeData()->data(layerMime)), event->position().toPoint());
  event->acceptProposedAction();
}

}  // namespace nw::ui
