// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/edits/scene_edits.hpp"

#include "engine/design/block_edits.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {}  // namespace

void report(GraphScene& scene, const Text& why) { Q_EMIT scene.session().message(translated(why), 1); }

bool push(GraphScene& scene, const EditChain& chain, const char* text) {
  if (!chain.ok()) {
    report(scene, chain.refusal());
    return false;
  }
  return chain.edit().empty() || scene.session().push(chain.edit(), canvasText(text));
}

bool commitNew(GraphScene& scene, const EditChain& chain, NodeId made) {
  if (!chain.ok()) {
    report(scene, chain.refusal());
    return false;
  }
  const auto node = chain.doc().graph(scene.scope()).nodes.find(made);
  const QString name =
      node == chain.doc().graph(scene.scope()).nodes.end() ? QString() : QString::fromStdString(node->second.name);
  if (!scene.session().push(chain.edit(), canvasText(QT_TRANSLATE_NOOP("canvas", "Add %1")).arg(name))) return false;
  scene.selection().setCurrent(made);
  return true;
}

Edit repairEdit(const GraphScene& scene, NodeId id, int index) {
  const auto& problems = scene.index().problems(id);
  if (!scene.session().analysisCurrent() || problems.empty() ||
      index >= static_cast<int>(problems.front()->fixes.size()))
    return {};
  return withPlaces(scene.doc(), problems.front()->fixes[static_cast<std::size_t>(index)].edit);
}

void applyFix(GraphScene& scene, NodeId id, int index) {
  const auto& problems = scene.index().problems(id);
  if (!scene.session().analysisCurrent() || problems.empty() ||
      index >= static_cast<int>(problems.front()->fixes.size()))
    return;
  const Fix fix =
      problems.front()
          ->fixes[static_cast<std::size_t>(index)];  // a copy: the push replaces the analysis that owns the fix
  scene.session().push(withPlaces(scene.doc(), fix.edit), translated(fix.label));
}

void renameNode(GraphScene& scene, NodeId id, const QString& name) {
  const Edit edit = rename_node(scene.doc(), scene.scope(), id, name.trimmed().toStdString());
  if (!edit.empty())
    scene.session().push(edit, canvasText(QT_TRANSLATE_NOOP("canvas", "Rename %1")).arg(name.trimmed()));
}

void renameBlock(GraphScene& scene, const QString& from, const QString& to) {
  const Result<Edit> edit = rename_block(scene.doc(), from.toStdString(), to.toStdString());
  if (!edit) return report(scene, edit.error().what);
  const bool inside = scene.scope() == from.toStdString();
  if (scene.session().push(*edit, canvasText(QT_TRANSLATE_NOOP("canvas", "Rename %1")).arg(to)) && inside)
    scene.setScope(to.toStdString());
}

void enterBlock(GraphScene& scene, NodeId id) {
  const auto node = scene.graph().nodes.find(id);
  if (node == scene.graph().nodes.end() || node->second.type != "Block") return;
  const auto block = node->second.attrs.find("block");
  if (block != node->second.attrs.end() && std::holds_alternative<std::string>(block->second))
    scene.setScope(std::get<std::string>(block->second));
}

}  // namespace nw::ui
