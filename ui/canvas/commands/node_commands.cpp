// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/commands/node_commands.hpp"

#include <cmath>
#include <limits>

#include "ui/canvas/editors/text_editors.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// Nearest node in a direction; the distance across the direction counts double.
NodeId beside(const GraphScene& scene, NodeId from, int key) {
  const QPointF start = scene.elements().node(from)->pos();
  NodeId best = 0;
  qreal nearest = std::numeric_limits<qreal>::max();
  for (const auto& [id, item] : scene.elements().nodes()) {
    const QPointF d = item->pos() - start;
    const bool vertical = key == Qt::Key_Up || key == Qt::Key_Down;
    const qreal along = (vertical ? d.y() : d.x()) * (key == Qt::Key_Down || key == Qt::Key_Right ? 1 : -1);
    const qreal across = std::abs(vertical ? d.x() : d.y());
    if (id == from || along <= 1) continue;
    if (along + 2 * across >= nearest) continue;
    nearest = along + 2 * across;
    best = id;
  }
  return best;
}

}  // namespace

NodeId neighbour(const GraphScene& scene, NodeId id, int key) {
  const bool down = key == Qt::Key_Down;
  if (down || key == Qt::Key_Up)
    for (const Connection& c : scene.graph().connections)
      if ((down ? c.from : c.to) == id) return down ? c.to : c.from;
  return beside(scene, id, key);
}

NodeId addAfterCurrent(GraphView& view, const QString& paletteId) {
  GraphScene& scene = view.graph();
  EditChain chain(scene.doc());
  const NodeId current = scene.selection().current();
  const Node node = nodeToPlace(chain, paletteId);
  NodeId made = 0;
  if (current && outputPorts(scene.doc(), scene.scope(), current) > 0)
    made = placeAfter(chain, scene.scope(), current, node);
  else {
    const QRectF all = scene.elements().contentRect();
    const QPointF middle = view.mapToScene(view.viewport()->rect().center());
    made = placeAt(chain, scene.scope(), node,
                   all.isEmpty() ? middle : QPointF(middle.x(), all.bottom() + card::gap + card::height / 2));
  }
  if (!commitNew(scene, chain, made)) return 0;
  view.camera().reveal(made);
  return made;
}

void addNoteAt(GraphView& view, QPointF at) {
  GraphScene& scene = view.graph();
  const ItemId id = scene.doc().next_id();
  const Note note{"", {std::round(at.x()), std::round(at.y()), 200, 90}};
  if (scene.session().push({PutNote{scene.scope(), id, note}}, canvasText(QT_TRANSLATE_NOOP("canvas", "Add note"))))
    editNote(view, id);
}

}  // namespace nw::ui
