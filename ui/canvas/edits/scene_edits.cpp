// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/edits/scene_edits.hpp"

#include "engine/design/block_edits.hpp"
#include "engine/design/free_names.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
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

Refusal refusalOfName(const GraphScene& scene, const std::string& where, NodeId id, const QString& typed) {
  const std::string name = typed.trimmed().toStdString();
  if (!scene.doc().has_scope(where)) return {};
  EditChain chain(scene.doc());
  if (chain.add(rename_node(scene.doc(), where, id, name)).ok()) return {};
  return {translated(chain.refusal()), QString::fromStdString(nearest_free_name(scene.doc(), where, id, name))};
}

Refusal renameNode(GraphScene& scene, const std::string& where, NodeId id, const QString& typed) {
  Refusal refusal = refusalOfName(scene, where, id, typed);
  if (!refusal.sentence.isEmpty() || !scene.doc().has_scope(where)) return refusal;
  const std::string name = typed.trimmed().toStdString();
  scene.session().push(rename_node(scene.doc(), where, id, name),
                       canvasText(QT_TRANSLATE_NOOP("canvas", "Rename %1")).arg(typed.trimmed()));
  return {};
}

Refusal refusalOfBlockName(const GraphScene& scene, const QString& from, const QString& to) {
  const std::string name = to.trimmed().toStdString();
  const Result<Edit> edit = rename_block(scene.doc(), from.toStdString(), name);
  if (edit) return {};
  return {translated(edit.error().what), QString::fromStdString(nearest_block_name(scene.doc(), name))};
}

Refusal renameBlock(GraphScene& scene, const QString& from, const QString& typed) {
  const QString to = typed.trimmed();
  const Result<Edit> edit = rename_block(scene.doc(), from.toStdString(), to.toStdString());
  if (!edit) return refusalOfBlockName(scene, from, to);
  const bool inside = scene.scope() == from.toStdString();
  if (scene.session().push(*edit, canvasText(QT_TRANSLATE_NOOP("canvas", "Rename %1")).arg(to)) && inside)
    scene.setScope(to.toStdString());
  return {};
}

void enterBlock(GraphScene& scene, NodeId id) {
  const auto node = scene.graph().nodes.find(id);
  if (node == scene.graph().nodes.end() || node->second.type != "Block") return;
  const auto block = node->second.attrs.find("block");
  if (block != node->second.attrs.end() && std::holds_alternative<std::string>(block->second))
    scene.setScope(std::get<std::string>(block->second));
}

}  // namespace nw::ui
