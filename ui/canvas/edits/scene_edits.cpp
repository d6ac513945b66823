// SPDX-License-Identifier: GPL-3.0-or-later
// Commands on one node that inspector, palette and gestures share.
#include <QCoreApplication>
#include <cmath>
#include <limits>

#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

QString say(const char* text) { return QCoreApplication::translate("canvas", text); }

/// Nearest node in a direction; what lies off to the side counts double.
NodeId beside(const GraphScene& scene, NodeId from, int key) {
  const QPointF start = scene.node(from)->pos();
  NodeId best = 0;
  qreal nearest = std::numeric_limits<qreal>::max();
  for (const auto& [id, item] : scene.nodes()) {
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

bool commitNew(GraphScene& scene, const EditChain& chain, NodeId made) {
  if (!chain.ok()) {
    Q_EMIT scene.session().message(translated(chain.refusal()), 1);
    return false;
  }
  const auto node = chain.doc().graph(scene.scope()).nodes.find(made);
  const QString name =
      node == chain.doc().graph(scene.scope()).nodes.end() ? QString() : QString::fromStdString(node->second.name);
  if (!scene.session().push(chain.edit(), say(QT_TRANSLATE_NOOP("canvas", "Add %1")).arg(name))) return false;
  scene.setCurrent(made);
  return true;
}

NodeId addAfterCurrent(GraphView& view, const QString& paletteId) {
  GraphScene& scene = view.graph();
  EditChain chain(scene.doc());
  const NodeId current = scene.current();
  const Node node = nodeToPlace(chain, paletteId);
  NodeId made = 0;
  if (current && outputPorts(scene.doc(), scene.scope(), current) > 0)
    made = placeAfter(chain, scene.scope(), current, node);
  else {
    const QRectF all = scene.contentRect();
    const QPointF middle = view.mapToScene(view.viewport()->rect().center());
    made = placeAt(chain, scene.scope(), node,
                   all.isEmpty() ? middle : QPointF(middle.x(), all.bottom() + card::gap + card::height / 2));
  }
  if (!commitNew(scene, chain, made)) return 0;
  view.reveal(made);
  return made;
}

Edit repairEdit(const GraphScene& scene, NodeId id, int index) {
  const auto& problems = scene.problems(id);
  if (!scene.session().analysisCurrent() || problems.empty() ||
      index >= static_cast<int>(problems.front()->fixes.size()))
    return {};
  return withPlaces(scene.doc(), problems.front()->fixes[static_cast<std::size_t>(index)].edit);
}

void applyFix(GraphScene& scene, NodeId id, int index) {
  const auto& problems = scene.problems(id);
  if (!scene.session().analysisCurrent() || problems.empty() ||
      index >= static_cast<int>(problems.front()->fixes.size()))
    return;
  const Fix fix = problems.front()->fixes[static_cast<std::size_t>(index)];  // a copy: pushing makes a new analysis
  scene.session().push(withPlaces(scene.doc(), fix.edit), translated(fix.label));
}

void renameNode(GraphView& view, NodeId id, const QString& name) {
  GraphScene& scene = view.graph();
  const Edit edit = rename_node(scene.doc(), scene.scope(), id, name.trimmed().toStdString());
  if (!edit.empty()) scene.session().push(edit, say(QT_TRANSLATE_NOOP("canvas", "Rename %1")).arg(name.trimmed()));
}

void addNoteAt(GraphView& view, QPointF at) {
  GraphScene& scene = view.graph();
  const ItemId id = scene.doc().next_id();
  const Note note{"", {std::round(at.x()), std::round(at.y()), 200, 90}};
  if (scene.session().push({PutNote{scene.scope(), id, note}}, say(QT_TRANSLATE_NOOP("canvas", "Add note"))))
    view.editNote(id);
}

void enterBlock(GraphScene& scene, NodeId id) {
  const auto node = scene.graph().nodes.find(id);
  if (node == scene.graph().nodes.end() || node->second.type != "Block") return;
  const auto block = node->second.attrs.find("block");
  if (block != node->second.attrs.end() && std::holds_alternative<std::string>(block->second))
    scene.setScope(std::get<std::string>(block->second));
}

}  // namespace nw::ui
