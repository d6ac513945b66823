// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/editors/text_editors.hpp"

#include "ui/canvas/editors/inline_edit.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// The line of a node that holds its title and name, in scene coordinates.
QRectF titleLine(const NodeItem& item) {
  const QRectF card = item.partRect(NodeItem::Part::body);
  return {card.left() + 44, card.top() + 4, card.width() - 56, 26};
}

}  // namespace

void editName(GraphView& view, NodeId id) {
  GraphScene& scene = view.graph();
  const NodeItem* item = scene.elements().node(id);
  if (!item) return;
  view.camera().reveal(id);
  editInPlace(view, titleLine(*item), item->look().name, false,
              [&scene, id](const QString& text) { renameNode(scene, id, text); });
}

void editBlockName(GraphView& view, NodeId id) {
  GraphScene& scene = view.graph();
  const NodeItem* item = scene.elements().node(id);
  if (!item || !item->look().block) return;
  view.camera().reveal(id);
  editInPlace(view, titleLine(*item), item->look().title, false,
              [&scene, from = item->look().title](const QString& text) { renameBlock(scene, from, text.trimmed()); });
}

void editFrameTitle(GraphView& view, ItemId id) {
  GraphScene& scene = view.graph();
  const FrameItem* item = scene.elements().frame(id);
  if (!item) return;
  const QRectF where(item->outline().topLeft() + QPointF(8, 4), QSizeF(item->outline().width() - 16, 26));
  editInPlace(view, where, QString::fromStdString(scene.graph().frames.at(id).title), false,
              [&scene, id](const QString& text) {
                Frame frame = scene.graph().frames.at(id);
                frame.title = text.toStdString();
                if (!(frame == scene.graph().frames.at(id)))
                  scene.session().push({PutFrame{scene.scope(), id, frame}},
                                       canvasText(QT_TRANSLATE_NOOP("canvas", "Rename frame")));
              });
}

void editNote(GraphView& view, ItemId id) {
  GraphScene& scene = view.graph();
  const NoteItem* item = scene.elements().note(id);
  if (!item) return;
  editInPlace(view, item->outline(), QString::fromStdString(scene.graph().notes.at(id).text), true,
              [&scene, id](const QString& text) {
                Note note = scene.graph().notes.at(id);
                note.text = text.toStdString();
                if (!(note == scene.graph().notes.at(id)))
                  scene.session().push({PutNote{scene.scope(), id, note}},
                                       canvasText(QT_TRANSLATE_NOOP("canvas", "Edit note")));
              });
}

}  // namespace nw::ui
