// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/commands/commands.hpp"

#include <algorithm>

#include "ui/canvas/commands/arrange.hpp"
#include "ui/canvas/commands/block_commands.hpp"
#include "ui/canvas/commands/clipboard_commands.hpp"
#include "ui/canvas/commands/connection_commands.hpp"
#include "ui/canvas/commands/freeze_command.hpp"
#include "ui/canvas/commands/node_commands.hpp"
#include "ui/canvas/editors/add_layer.hpp"
#include "ui/canvas/editors/text_editors.hpp"
#include "ui/canvas/edits/fit.hpp"
#include "ui/canvas/edits/layout.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/gestures/gestures.hpp"
#include "ui/canvas/measures/node_outputs.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/page/actions.hpp"
#include "ui/page/shortcuts.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

QRectF selectionRect(const GraphScene& scene) {
  QRectF area;
  for (const NodeId id : scene.selection().nodes()) area = area.united(scene.elements().node(id)->outline());
  return area;
}

/// Toggles one flag of all selected nodes; when the values differ, sets it for all.
void toggle(GraphView& view, bool Node::*flag, const char* text) {
  GraphScene& scene = view.graph();
  const std::vector<NodeId> nodes = scene.selection().nodes();
  const auto& all = scene.graph().nodes;
  const bool on = !std::all_of(nodes.begin(), nodes.end(), [&](NodeId id) { return all.at(id).*flag; });
  EditChain chain(scene.doc());
  for (const NodeId id : nodes) {
    Node node = all.at(id);
    node.*flag = on;
    chain.add({PutNode{scene.scope(), id, node}});
  }
  push(scene, chain, text);
}

void frameSelection(GraphView& view) {
  GraphScene& scene = view.graph();
  const QRectF area = selectionRect(scene);
  if (area.isEmpty()) return view.setTool(GraphView::Tool::frame);
  const QRectF r = area.adjusted(-card::framePadding, -card::framePadding - card::frameHeader, card::framePadding,
                                 card::framePadding);
  const ItemId id = scene.doc().next_id();
  const Frame frame{canvasText(QT_TRANSLATE_NOOP("canvas", "Frame")).toStdString(),
                    {r.x(), r.y(), r.width(), r.height()}};
  EditChain chain(scene.doc());
  chain.add({PutFrame{scene.scope(), id, frame}});
  if (push(scene, chain, QT_TRANSLATE_NOOP("canvas", "Add frame"))) editFrameTitle(view, id);
}

void arrange(GraphView& view, bool selectionOnly) {
  GraphScene& scene = view.graph();
  const std::vector<NodeId> chosen = scene.selection().nodes();
  EditChain chain(scene.doc());
  chain.add(layoutEdit(chain.doc(), scene.scope(),
                       selectionOnly ? std::set<NodeId>(chosen.begin(), chosen.end()) : std::set<NodeId>{}));
  if (push(scene, chain, QT_TRANSLATE_NOOP("canvas", "Lay out")) && !selectionOnly) view.camera().fitAll();
}

void selectAll(GraphView& view) {
  view.graph().selection().choose([](const QGraphicsItem& item) {
    return item.type() == NodeItem::Type || item.type() == FrameItem::Type || item.type() == NoteItem::Type;
  });
}

void selectReach(GraphView& view, bool up) {
  std::set<NodeId> all;
  for (const NodeId id : view.graph().selection().nodes())
    all.merge(up ? upstream(view.graph().graph(), id) : downstream(view.graph().graph(), id));
  view.graph().selection().selectOnly({all.begin(), all.end()});
}

void rename(GraphView& view) {
  if (view.graph().selection().current()) return editName(view, view.graph().selection().current());
  if (const auto frames = view.graph().selection().frames(); !frames.empty()) return editFrameTitle(view, frames[0]);
  if (const auto notes = view.graph().selection().notes(); !notes.empty()) editNote(view, notes[0]);
}

void walk(GraphView& view, int key) {
  GraphScene& scene = view.graph();
  const NodeId to = scene.selection().current()        ? neighbour(scene, scene.selection().current(), key)
                    : scene.elements().nodes().empty() ? 0
                                                       : scene.elements().nodes().begin()->first;
  if (!to) return;
  scene.selection().setCurrent(to);
  view.camera().reveal(to);
}

void nudge(GraphView& view, double dx, double dy) {
  GraphScene& scene = view.graph();
  std::map<NodeId, Point> places;
  for (const NodeId id : scene.selection().nodes()) {
    const Point& p = scene.graph().nodes.at(id).position;
    places[id] = {p.x + dx, p.y + dy};
  }
  constexpr int nudges = 0x4e554447;  // consecutive moves merge into one undo step
  if (!places.empty())
    scene.session().push(move_nodes(scene.doc(), scene.scope(), places),
                         canvasText(QT_TRANSLATE_NOOP("canvas", "Move")), nudges);
}

void startConnection(GraphView& view) {
  const NodeItem* item = view.graph().elements().node(view.graph().selection().current());
  if (item && item->look().outputs > 0) view.begin(connectByKeys(view, {item->id(), true, 0}));
}

/// After the selected node and connected to it; at the pointer without a selection.
void addLayer(GraphView& view) {
  const NodeItem* item = view.graph().elements().node(view.graph().selection().current());
  if (!item || item->look().outputs == 0) return openAddList(view, view.cursorScene());
  openAddListBelow(view, item->id(), [&view](const QString& id) { addAfterCurrent(view, id); });
}

void tabOrEnter(GraphView& view) {
  const NodeItem* item = view.graph().elements().node(view.graph().selection().current());
  if (item && item->look().block)
    enterBlock(view.graph(), item->id());
  else
    addLayer(view);
}

void showOutputs(GraphView& view) {
  if (auto* outputs = view.graph().findChild<NodeOutputs*>()) outputs->toggle(view.graph().selection().nodes());
}

void leaveBlock(GraphView& view) {
  if (view.graph().selectedItems().isEmpty())
    view.graph().setScope("");
  else
    view.graph().clearSelection();
}

const CanvasCommand table[] = {
    {"cut", QT_TRANSLATE_NOOP("canvas", "Cut"), "Ctrl+X",
     [](GraphView& v) {
       copySelected(v);
       removeSelected(v, false);
     }},
    {"copy", QT_TRANSLATE_NOOP("canvas", "Copy"), "Ctrl+C", copySelected},
    {"paste", QT_TRANSLATE_NOOP("canvas", "Paste"), "Ctrl+V", pasteClipboard},
    {"duplicate", QT_TRANSLATE_NOOP("canvas", "Duplicate"), "Ctrl+D",
     [](GraphView& v) { duplicateSelected(v, false); }},
    {"duplicate-inputs", QT_TRANSLATE_NOOP("canvas", "Duplicate with inputs"), "Ctrl+Shift+D",
     [](GraphView& v) { duplicateSelected(v, true); }},
    {"delete", QT_TRANSLATE_NOOP("canvas", "Delete"), "Del, Backspace", [](GraphView& v) { removeSelected(v, false); }},
    {"delete-heal", QT_TRANSLATE_NOOP("canvas", "Delete and reconnect"), "Ctrl+Del",
     [](GraphView& v) { removeSelected(v, true); }},
    {"select-all", QT_TRANSLATE_NOOP("canvas", "Select all"), "Ctrl+A", selectAll},
    {"rename", QT_TRANSLATE_NOOP("canvas", "Rename"), "F2", rename},
    {"bypass", QT_TRANSLATE_NOOP("canvas", "Bypass"), "M",
     [](GraphView& v) { toggle(v, &Node::bypassed, QT_TRANSLATE_NOOP("canvas", "Bypass")); }},
    {"collapse", QT_TRANSLATE_NOOP("canvas", "Collapse"), "H",
     [](GraphView& v) { toggle(v, &Node::collapsed, QT_TRANSLATE_NOOP("canvas", "Collapse")); }},
    {"freeze", QT_TRANSLATE_NOOP("canvas", "Freeze weights"), "",
     [](GraphView& v) { toggle(v, &Node::frozen, QT_TRANSLATE_NOOP("canvas", "Freeze weights")); }},
    {"freeze-up-to", QT_TRANSLATE_NOOP("canvas", "Freeze up to here"), "", freezeUpToHere},
    {"frame", QT_TRANSLATE_NOOP("canvas", "Frame"), "C", frameSelection},
    {"note", QT_TRANSLATE_NOOP("canvas", "Note"), "Shift+C", [](GraphView& v) { addNoteAt(v, v.cursorScene()); }},
    {"connect-selected", QT_TRANSLATE_NOOP("canvas", "Connect the selection"), "Ctrl+L", connectSelected},
    {"detach", QT_TRANSLATE_NOOP("canvas", "Detach and reconnect"), "", detachSelected},
    {"break", QT_TRANSLATE_NOOP("canvas", "Remove all connections"), "Alt+Del", breakSelected},
    {"group", QT_TRANSLATE_NOOP("canvas", "Make a block"), "Ctrl+G", groupSelected},
    {"ungroup", QT_TRANSLATE_NOOP("canvas", "Ungroup the block"), "Ctrl+Shift+G", ungroupSelected},
    {"make-unique", QT_TRANSLATE_NOOP("canvas", "Make the block unique"), "", makeSelectedUnique},
    {"save-block", QT_TRANSLATE_NOOP("canvas", "Save to my palette…"), "", saveSelectedBlock},
    {"dot", "", "", addDots},
    {"align-left", "", "", [](GraphView& v) { alignSelected(v, Align::left); }},
    {"align-centre", "", "", [](GraphView& v) { alignSelected(v, Align::centre); }},
    {"align-right", "", "", [](GraphView& v) { alignSelected(v, Align::right); }},
    {"align-top", "", "", [](GraphView& v) { alignSelected(v, Align::top); }},
    {"align-middle", "", "", [](GraphView& v) { alignSelected(v, Align::middle); }},
    {"align-bottom", "", "", [](GraphView& v) { alignSelected(v, Align::bottom); }},
    {"distribute-across", "", "", [](GraphView& v) { distributeSelected(v, true); }},
    {"distribute-down", "", "", [](GraphView& v) { distributeSelected(v, false); }},
    {"straighten", "", "", straightenSelected},
    {"outputs-here", QT_TRANSLATE_NOOP("canvas", "Output for a sample image"), "O", showOutputs},
    {"overview", "", "Ctrl+Shift+M", [](GraphView& v) { v.setMapShown(!v.mapShown()); }},
    {"layout", QT_TRANSLATE_NOOP("canvas", "Lay out"), "", [](GraphView& v) { arrange(v, false); }},
    {"layout-selection", "", "Ctrl+Shift+L", [](GraphView& v) { arrange(v, !v.graph().selection().nodes().empty()); }},
    {"add-layer", "", "Tab, Shift+A", tabOrEnter},
    {"wire", "", "W", startConnection},
    {"upstream", "", "L", [](GraphView& v) { selectReach(v, true); }},
    {"downstream", "", "Shift+L", [](GraphView& v) { selectReach(v, false); }},
    {"zoom-in", "", "Ctrl+=, Ctrl++", [](GraphView& v) { v.camera().zoomStep(1); }},
    {"zoom-out", "", "Ctrl+-", [](GraphView& v) { v.camera().zoomStep(-1); }},
    {"zoom-100", "", "Ctrl+0", [](GraphView& v) { v.camera().setZoom(1, v.viewport()->rect().center()); }},
    {"zoom-selection", "", "F", [](GraphView& v) { v.camera().fitSelection(); }},
    {"zoom-fit", "", "Home", [](GraphView& v) { v.camera().fitAll(); }},
    {"", "", "Up", [](GraphView& v) { walk(v, Qt::Key_Up); }},
    {"", "", "Down", [](GraphView& v) { walk(v, Qt::Key_Down); }},
    {"", "", "Left", [](GraphView& v) { walk(v, Qt::Key_Left); }},
    {"", "", "Right", [](GraphView& v) { walk(v, Qt::Key_Right); }},
    {"", "", "Ctrl+Up", [](GraphView& v) { nudge(v, 0, -card::snap); }},
    {"", "", "Ctrl+Down", [](GraphView& v) { nudge(v, 0, card::snap); }},
    {"", "", "Ctrl+Left", [](GraphView& v) { nudge(v, -card::snap, 0); }},
    {"", "", "Ctrl+Right", [](GraphView& v) { nudge(v, card::snap, 0); }},
    {"", "", "Return, Enter",
     [](GraphView& v) {
       if (v.graph().selection().current()) Q_EMIT v.graph().inspectorWanted();
     }},
    {"", "", "Esc", leaveBlock},
};

}  // namespace

std::span<const CanvasCommand> canvasCommands() { return table; }

void runCommand(GraphView& view, const char* id) {
  for (const CanvasCommand& command : table)
    if (qstrcmp(command.id, id) == 0) command.run(view);
}

namespace {

/// The user's own keys, or those of the table above.
QList<QKeySequence> keysInForce(const CanvasCommand& command) {
  const QString id = QString::fromLatin1(command.id);
  return !id.isEmpty() && areOwnKeys(id)
             ? keysOf(id)
             : QKeySequence::listFromString(QString::fromLatin1(command.keys).replace(", ", "; "));
}

}  // namespace

bool runKey(GraphView& view, const QKeySequence& pressed) {
  for (const CanvasCommand& command : table)
    if (keysInForce(command).contains(pressed)) {
      command.run(view);
      return true;
    }
  return false;
}

void fillContextMenu(GraphView& view, QMenu& menu, QPointF at) {
  const bool something = !view.graph().selectedItems().isEmpty();
  QObject::connect(menu.addAction(canvasText(QT_TRANSLATE_NOOP("canvas", "Add a layer…"))), &QAction::triggered, &view,
                   [&view, at] { openAddList(view, at); });
  menu.addSeparator();
  for (const CanvasCommand& command : table) {
    if (!*command.text) continue;
    QAction* action = menu.addAction(canvasText(command.text));
    if (const QList<QKeySequence> keys = keysInForce(command); !keys.isEmpty())
      action->setText(action->text() + '\t' + keys.front().toString(QKeySequence::NativeText));
    const QString id = QString::fromLatin1(command.id);
    action->setVisible(!needsBlock(command.id) || hasBlock(view.graph()));
    action->setEnabled(something || id == "paste" || id == "select-all" || id == "note" || id == "layout");
    QObject::connect(action, &QAction::triggered, &view, [&view, run = command.run] { run(view); });
    if (id == "rename") menu.addSeparator();
  }
  QMenu* align = menu.addMenu(canvasText(QT_TRANSLATE_NOOP("canvas", "Align")));
  align->setEnabled(view.graph().selection().nodes().size() > 1);
  fillMenu(*align, QStringLiteral("align"));
}

}  // namespace nw::ui
