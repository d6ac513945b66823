// SPDX-License-Identifier: GPL-3.0-or-later
// Handling of the mouse buttons: which gesture a press begins, what a double click opens, and the context menu.
#pragma once
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <memory>
#include <optional>

#include "ui/canvas/input/hover.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/view/gesture.hpp"
#include "ui/canvas/view/input_handler.hpp"

class QGraphicsItem;

namespace nw::ui {

class GraphView;
class KeyInput;

class PointerInput final : public InputHandler {
 public:
  /// `keys` lives as long as this.
  PointerInput(GraphView& view, const KeyInput& keys);
  bool handle(QEvent& event) override;

 private:
  using Begun = std::unique_ptr<Gesture>;
  void press(QMouseEvent& event);
  void move(const QMouseEvent& event);
  void release(const QMouseEvent& event);
  void doubleClick(QMouseEvent& event);
  void openMenu(const QContextMenuEvent& event);
  Begun gestureAt(QPointF scene, Qt::KeyboardModifiers keys);
  Begun gestureOnPort(const PortRef& port, QPointF scene, Qt::KeyboardModifiers keys);
  std::optional<Begun> gestureOnBox(QPointF scene, Qt::KeyboardModifiers keys);
  bool pressFix(QPointF scene);
  void openFixes(const NodeItem& item);
  void select(QGraphicsItem& item, Qt::KeyboardModifiers keys);
  void selectAlone(QPointF scene);
  ConnectionItem* connectionUnder(QPointF scene) const;

  GraphView& view_;
  GraphScene& scene_;
  const KeyInput& keys_;
  Hover hover_;
  std::optional<QPointF> selectsAloneAt_;  // scene; where a press hit a selected node
};

}  // namespace nw::ui
