// SPDX-License-Identifier: GPL-3.0-or-later
// The gestures that a view can begin().
#pragma once
#include <memory>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/view/gesture.hpp"

namespace nw::ui {

class GraphView;

/// Drags the selection: nodes, frames with what they contain, notes. A single unconnected node dropped on a connection
/// is inserted. `detach`, or shaking on the way: the nodes leave their connections, which close behind them.
/// Pixels of the view. A press and a release less far apart are a click.
inline constexpr qreal dragDistance = 4;
std::unique_ptr<Gesture> moveGesture(GraphView&, QPointF start, bool detach = false);
/// Draws a connection from a port; from an occupied input it moves the end of that connection.
std::unique_ptr<Gesture> connectGesture(GraphView&, const PortRef& from, QPointF start);
/// The same by keyboard: arrows go from port to port, Enter connects.
std::unique_ptr<Gesture> connectByKeys(GraphView&, const PortRef& from);
/// Moves the beginning of every connection of this output to another output.
std::unique_ptr<Gesture> moveEndsGesture(GraphView&, const PortRef& output, QPointF start);
/// A stroke that removes the connections it crosses.
std::unique_ptr<Gesture> cutGesture(GraphView&, QPointF start);
/// Selects what a rectangle contains or touches.
std::unique_ptr<Gesture> boxGesture(GraphView&, QPointF start, Qt::KeyboardModifiers keys);
std::unique_ptr<Gesture> panGesture(GraphView&);
std::unique_ptr<Gesture> drawFrameGesture(GraphView&, QPointF start);
/// Drags the lower right corner of a frame or, with `note`, of a note.
std::unique_ptr<Gesture> resizeGesture(GraphView&, ItemId id, bool note);

}  // namespace nw::ui
