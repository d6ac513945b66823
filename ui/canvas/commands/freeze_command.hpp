// SPDX-License-Identifier: GPL-3.0-or-later
// Where the frozen trunk of a network ends.
#pragma once

namespace nw::ui {

class GraphView;

/// The selected layers and all before them are never trained, all others are. A second time: nothing is frozen. One
/// step of undo.
void freezeUpToHere(GraphView&);

}  // namespace nw::ui
