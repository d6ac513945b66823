// SPDX-License-Identifier: GPL-3.0-or-later
// Commands on connections. Each is one step of undo.
#pragma once
#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

class GraphView;

void connectSelected(GraphView&);
void detachSelected(GraphView&);
void breakSelected(GraphView&);
void breakPort(GraphView&, const PortRef&);
/// A dot on each selected connection.
void addDots(GraphView&);
void addDotAt(GraphView&, const Connection&, QPointF scene);

}  // namespace nw::ui
