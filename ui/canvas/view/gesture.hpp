// SPDX-License-Identifier: GPL-3.0-or-later
// What the hand is doing on the canvas. One at a time; a gesture shows a preview and changes the document once, at its
// end.
#pragma once
#include <QKeyEvent>
#include <QPainter>
#include <QPointF>
#include <memory>

#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

class GraphView;

class Gesture {
 public:
  virtual ~Gesture() = default;
  virtual void move(QPointF scene, Qt::KeyboardModifiers keys) = 0;
  virtual void release(QPointF scene, Qt::KeyboardModifiers keys) = 0;  // commits
  virtual void cancel() {}                                              // leaves no trace
  virtual bool key(QKeyEvent*) { return false; }
  virtual void paint(QPainter&) {}  // scene coordinates, above everything
  bool finished = false;            // keyboard gestures end without a release
};

/// Drags what is selected: nodes, frames with what lies in them, notes. A lone loose node dropped on a connection is
/// inserted. `detach`, or shaken on the way: out of its connections first, which close behind it.
std::unique_ptr<Gesture> moveGesture(GraphView&, QPointF start, bool detach = false);
/// Draws a connection from a port; from an occupied input it takes that connection's end along.
std::unique_ptr<Gesture> wireGesture(GraphView&, const PortRef& from, QPointF start);
/// The same by keyboard: arrows go from port to port, Enter connects.
std::unique_ptr<Gesture> wireByKeys(GraphView&, const PortRef& from);
/// Everything that leaves this output is led to another one.
std::unique_ptr<Gesture> moveEndsGesture(GraphView&, const PortRef& output, QPointF start);
/// A stroke that takes away the connections it crosses.
std::unique_ptr<Gesture> cutGesture(GraphView&, QPointF start);
std::unique_ptr<Gesture> boxGesture(GraphView&, QPointF start, Qt::KeyboardModifiers keys);
std::unique_ptr<Gesture> panGesture(GraphView&);
std::unique_ptr<Gesture> drawFrameGesture(GraphView&, QPointF start);
std::unique_ptr<Gesture> resizeGesture(GraphView&, ItemId id, bool note);

}  // namespace nw::ui
