// SPDX-License-Identifier: GPL-3.0-or-later
// Delete, copy, paste and duplicate. Each change of the document is one step of undo.
#pragma once

namespace nw::ui {

class GraphView;

/// `heal`: connects the nodes that fed the deleted nodes to the nodes that these fed.
void removeSelected(GraphView&, bool heal);
void copySelected(GraphView&);
/// Pastes at the pointer. Text that holds no copied nodes is ignored.
void pasteClipboard(GraphView&);
/// `inputs`: nodes outside the selection that feed the selected nodes also feed the copies.
void duplicateSelected(GraphView&, bool inputs);

}  // namespace nw::ui
