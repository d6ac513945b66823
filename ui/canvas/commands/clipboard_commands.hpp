// SPDX-License-Identifier: GPL-3.0-or-later
// Delete, copy, paste and duplicate. Each change of the document is one step of undo.
#pragma once

namespace nw::ui {

class GraphView;

/// `heal`: what fed the deleted nodes is connected to what they fed.
void removeSelected(GraphView&, bool heal);
void copySelected(GraphView&);
/// At the pointer. Text that holds no copied nodes is ignored.
void pasteClipboard(GraphView&);
/// `inputs`: what feeds the selected nodes from outside feeds the copies too.
void duplicateSelected(GraphView&, bool inputs);

}  // namespace nw::ui
