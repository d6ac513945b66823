// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/editors/text_editors.hpp"

#include "ui/canvas/editors/inline_edit.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// The line of a node that holds its title and name, in scene coordinates.
std::optional<QRectF> titleLine(const GraphScene& scene, NodeId id) {
  const NodeItem* item = scene.elements().node(id);
  if (!item) return std::nullopt;
  const QRectF card = item->partRect(NodeItem::Part::body);
  return QRectF(card.left() + 44, card.top() + 4, card.width() - 56, 26);
}

}  // namespace

void editName(GraphView& view, NodeId id) {
  GraphScene& scene = view.graph();
  const NodeItem* item = scene.elements().node(id);
  if (!item) return;
  view.camera().reveal(id);
  editInPlace(view, {.where = [&scene, id] { return titleLine(scene, id); },
                     .text = item->look().name,
                     .apply = [&scene, scope = scene.scope(),
                               id](const QString& text) { return renameNode(scene, scope, id, text); }});
}

void editBlockName(GraphView& view, NodeId id) {
  GraphScene& scene = view.graph();
  const NodeItem* item = scene.elements().node(id);
  if (!item || !item->look().block) return;
  view.camera().reveal(id);
  editInPlace(view, {.where = [&scene, id] { return titleLine(scene, id); },
                     .text = item->look().title,
                     .apply = [&scene, from = item->look().title](
                                  const QString& text) { return renameBlock(scene, from, text.trimmed()); }});
}

void editFrameTitle(GraphView& view, ItemId id) {
  GraphScene& scene = view.graph();
  if (!scene.elements().frame(id)) return;
  const auto where = [&scene, id]() -> std::optional<QRectF> {
    const FrameItem* item = scene.elements().frame(id);
    if (!item) return std::nullopt;
    return QRectF(item->outline().topLeft() + QPointF(8, 4), QSizeF(item->outline().width() - 16, 26));
  };
  const auto apply = [&scene, scope = scene.scope(), id](const QString& text) -> Refusal {
    const auto& frames = scene.doc().graph(scope).frames;
    if (!frames.contains(id) || frames.at(id).title == text.toStdString()) return {};
    Frame frame = frames.at(id);
    frame.title = text.toStdString();
    scene.session().push({PutFrame{scope, id, frame}}, canvasText(QT_TRANSLATE_NOOP("canvas", "Rename frame")));
    return {};
  };
  editInPlace(view, {where, QString::fromStdString(scene.graph().frames.at(id).title), false, apply});
}

void editNote(GraphView& view, ItemId id) {
  GraphScene& scene = view.graph();
  if (!scene.elements().note(id)) return;
  const auto where = [&scene, id]() -> std::optional<QRectF> {
    const NoteItem* item = scene.elements().note(id);
    return item ? std::optional(item->outline()) : std::nullopt;
  };
  const auto apply = [&scene, scope = scene.scope(), id](const QString& text) -> Refusal {
    const auto& notes = scene.doc().graph(scope).notes;
    if (!notes.contains(id) || notes.at(id).text == text.toStdString()) return {};
    Note note = notes.at(id);
    note.text = text.toStdString();
    scene.session().push({PutNote{scope, id, note}}, canvasText(QT_TRANSLATE_NOOP("canvas", "Edit note")));
    return {};
  };
  editInPlace(view, {where, QString::fromStdString(scene.graph().notes.at(id).text), true, apply});
}

}  // namespace nw::ui
