// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done to the drawing, as rows of one table: id of the window's action, key on the canvas, function. Each
// is one step of undo.
#pragma once
#include <QKeySequence>
#include <QMenu>
#include <QPointF>
#include <span>

#include "ui/canvas/edits/edit_chain.hpp"
#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

class GraphView;

struct CanvasCommand {
  const char* id;    // "delete"; action(id) triggers it while the page is open
  const char* text;  // for the context menu; empty: not in it
  const char* keys;  // "Del, Backspace"; empty: none of its own
  void (*run)(GraphView&);
};
std::span<const CanvasCommand> canvasCommands();
/// Runs the command of that id.
void runCommand(GraphView&, const char* id);
/// Runs the command of that key; false: none has it.
bool runKey(GraphView&, const QKeySequence&);
void fillContextMenu(GraphView&, QMenu&, QPointF scene);

// --- used by gestures, inspector and palette too
/// One step of undo, named in context "canvas"; what the document refuses is said.
bool push(GraphScene&, const EditChain&, const char* text);
bool commitNew(GraphScene&, const EditChain&, NodeId made);  // pushes and selects it
NodeId addAfterCurrent(GraphView&, const QString& paletteId);
void applyFix(GraphScene&, NodeId, int index);
/// What that repair of the node's worst problem changes, with places made for what it adds; empty: there is none.
Edit repairEdit(const GraphScene&, NodeId, int index);
void renameNode(GraphView&, NodeId, const QString& name);
void addNoteAt(GraphView&, QPointF scene);
void enterBlock(GraphScene&, NodeId);
/// Neighbour along the wires (down, up) or beside; 0: none.
NodeId neighbour(const GraphScene&, NodeId, int key);

}  // namespace nw::ui
