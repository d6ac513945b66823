// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/commands/block_commands.hpp"

#include "engine/design/block_edits.hpp"
#include "ui/canvas/commands/node_commands.hpp"
#include "ui/canvas/editors/save_block_dialog.hpp"
#include "ui/canvas/editors/text_editors.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/edits/saved_blocks.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

std::vector<NodeId> selectedBlocks(const GraphScene& scene) {
  std::vector<NodeId> ids;
  for (const NodeId id : scene.selection().nodes())
    if (scene.elements().node(id)->look().block) ids.push_back(id);
  return ids;
}

void saved(GraphScene& scene, const QString& name) {
  Q_EMIT scene.session().message(
      canvasText(QT_TRANSLATE_NOOP("canvas", "%1 was added to your blocks; every project can use it")).arg(name), 0);
}

/// Asks for name, icon and help. A block that is saved already is proposed as it was.
void save(GraphView& view, const std::string& block) {
  GraphScene& scene = view.graph();
  const QString name = QString::fromStdString(block);
  auto* dialog = new SaveBlockDialog(name, savedCard(name), savedBlocks(), view.window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowModality(Qt::WindowModal);
  QObject::connect(dialog, &SaveBlockDialog::wanted, &view, [&scene, dialog, block] {
    const QString as = dialog->name();
    if (const Status done = saveBlock(scene.doc(), block, as.toStdString(), dialog->card()); !done)
      return dialog->refuse(translated(done.error().what));
    dialog->accept();
    saved(scene, as);
  });
  dialog->show();
}

}  // namespace

bool hasBlock(const GraphScene& scene) { return !selectedBlocks(scene).empty(); }
bool needsBlock(const char* command) {
  return qstrcmp(command, "ungroup") == 0 || qstrcmp(command, "make-unique") == 0 ||
         qstrcmp(command, "save-block") == 0;
}

void groupSelected(GraphView& view) {
  GraphScene& scene = view.graph();
  NodeId made = 0;
  const Result<Edit> edit = group_nodes(scene.doc(), scene.scope(), scene.selection().nodes(), {}, &made);
  if (!edit) return report(scene, edit.error().what);
  if (!scene.session().push(*edit, canvasText(QT_TRANSLATE_NOOP("canvas", "Make a block")))) return;
  scene.selection().setCurrent(made);
  editBlockName(view, made);
}

void ungroupSelected(GraphView& view) {
  GraphScene& scene = view.graph();
  EditChain chain(scene.doc());
  std::vector<NodeId> made;
  for (const NodeId id : selectedBlocks(scene)) {
    const Result<Edit> edit = ungroup_node(chain.doc(), scene.scope(), id, &made);
    if (!edit) return report(scene, edit.error().what);
    chain.add(*edit);
  }
  if (made.empty() && chain.edit().empty()) return;
  if (push(scene, chain, QT_TRANSLATE_NOOP("canvas", "Ungroup the block"))) scene.selection().selectOnly(made);
}

void makeSelectedUnique(GraphView& view) {
  GraphScene& scene = view.graph();
  EditChain chain(scene.doc());
  push(scene, chain.add(make_unique(scene.doc(), scene.scope(), selectedBlocks(scene))),
       QT_TRANSLATE_NOOP("canvas", "Make the block unique"));
}

void saveSelectedBlock(GraphView& view) {
  for (const NodeId id : selectedBlocks(view.graph()))
    save(view, view.graph().elements().node(id)->look().title.toStdString());
}

void fillBlockMenu(GraphView& view, QMenu& menu, const QString& paletteId) {
  GraphScene& scene = view.graph();
  const std::string name = shownName(paletteId).toStdString();
  const bool mine = paletteId.startsWith(QLatin1String("Mine/"));
  const auto row = [&](const char* text, auto act) {
    QAction* action = menu.addAction(canvasText(text));
    QObject::connect(action, &QAction::triggered, &view, act);
    return action;
  };
  row(QT_TRANSLATE_NOOP("canvas", "Add to the network"), [&view, paletteId] { addAfterCurrent(view, paletteId); });
  if (!mine) {
    row(QT_TRANSLATE_NOOP("canvas", "Open the definition"), [&scene, name] { scene.setScope(name); });
    row(QT_TRANSLATE_NOOP("canvas", "Save to my palette…"), [&view, name] { save(view, name); });
    row(QT_TRANSLATE_NOOP("canvas", "Delete the definition"), [&scene, name] {
      scene.session().push({PutBlock{name, std::nullopt}},
                           canvasText(QT_TRANSLATE_NOOP("canvas", "Delete %1")).arg(QString::fromStdString(name)));
    })->setEnabled(instances_of(scene.doc(), name) == 0);
  }
  if (savedBlocks().contains(QString::fromStdString(name)))
    row(QT_TRANSLATE_NOOP("canvas", "Remove from my blocks"), [&scene, name] {
      if (const Status gone = forgetBlock(name); !gone) report(scene, gone.error().what);
    });
}

}  // namespace nw::ui
