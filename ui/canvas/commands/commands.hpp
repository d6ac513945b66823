// SPDX-License-Identifier: GPL-3.0-or-later
// The table of canvas commands: id of the window's action, key on the canvas, function. Each command is one step of
// undo.
#pragma once
#include <QKeySequence>
#include <QMenu>
#include <QPointF>
#include <span>

#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

class GraphView;

struct CanvasCommand {
  const char* id;    // "delete"; action(id) triggers it while the page is open
  const char* text;  // in the context menu; empty: not in the menu
  const char* keys;  // "Del, Backspace"; empty: no key
  void (*run)(GraphView&);
};
std::span<const CanvasCommand> canvasCommands();
/// Runs the command of that id.
void runCommand(GraphView&, const char* id);
/// Runs the command of that key; false: no command has it.
bool runKey(GraphView&, const QKeySequence&);
void fillContextMenu(GraphView&, QMenu&, QPointF scene);

}  // namespace nw::ui
