// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes: a card for each layer, connections between them, and dragging of cards from lane to lane. The selection is
// that of the canvas. GUI thread.
#pragma once
#include <QWidget>
#include <map>
#include <optional>

#include "ui/design/lanes/lane_layout.hpp"
#include "ui/design/lanes/placement.hpp"

namespace nw::ui {

class GraphScene;
class LaneCard;

/// What one layer or block sends to another on a later lane, in a micro-batch and one direction.
struct CardCrossing {
  NodeId from = 0, to = 0;
  std::int64_t bytes = 0;
  QString shape;
};
std::vector<CardCrossing> cardCrossings(const std::vector<PlacedLayer>&, const PipelineEstimate&);

/// What an update would take if the dragged layers were dropped here.
struct DropEffect {
  int lane = 0;
  std::optional<PipelineEstimate> estimate;  // nullopt: it could not be trained
  QString sentence;                          // "Step 266 ms › 234 ms", or why not
  QString change;                            // "−12 %"
};

class LaneBoard : public QWidget {
  Q_OBJECT
 public:
  LaneBoard(Placement& placement, GraphScene& scene, QWidget* parent = nullptr);
  LaneCard* card(NodeId) const;  // null: it has none
  QWidget* cardToFocus() const;  // the selected one, or the first; null: there is none
  QString nameOf(NodeId) const;  // of the layer
  const LaneLayout& places() const { return layout_; }
  const std::optional<DropEffect>& effect() const { return effect_; }
  QSize sizeHint() const override;

  void choose(NodeId, Qt::KeyboardModifiers);
  void inspect(NodeId);
  void reveal(NodeId);
  /// Gives the focus to the card beside this one in the direction of an arrow key. False: it is no arrow key.
  bool walk(NodeId from, int key);
  bool dragging() const { return dragged_ != 0; }
  void beginDrag(NodeId, QPoint grip);
  void drag(QPoint at);  // in the board's coordinates
  void drop(QPoint at);
  void cancelDrag();
  /// Moves the selected layers to the lane beside theirs.
  void moveSelection(int by);

 Q_SIGNALS:
  void effectChanged();
  void revealWanted(const QRect& place);

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void changeEvent(QEvent*) override;

 private:
  void refresh();
  void showCard(NodeId, LaneCard&);
  void place();
  void followSelection();
  std::set<NodeId> taken() const;
  void paintLanes(QPainter&) const;
  void paintWires(QPainter&) const;
  void paintCrossings(QPainter&) const;
  void paintSlots(QPainter&) const;
  DropEffect effectOn(int lane) const;
  void endDrag();

  Placement& placement_;
  GraphScene& scene_;
  std::map<NodeId, LaneCard*> cards_;
  LaneLayout layout_;
  NodeId dragged_ = 0;
  bool stale_ = false;  // what is shown, since a drag began
  QPoint grip_;
  std::map<NodeId, QRectF> slots_;  // where the dragged layers would be
  std::optional<DropEffect> effect_;
  QWidget* tip_;
};

}  // namespace nw::ui
