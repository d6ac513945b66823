// SPDX-License-Identifier: GPL-3.0-or-later
// One interaction on the canvas, such as drawing a connection. A view has one at a time; a gesture shows a preview and
// changes the document once, at its end.
#pragma once
#include <QKeyEvent>
#include <QPainter>
#include <QPointF>

namespace nw::ui {

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

}  // namespace nw::ui
