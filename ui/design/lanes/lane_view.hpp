// SPDX-License-Identifier: GPL-3.0-or-later
// The network in lanes, one for each device: heads, cards, and the timeline of a step. It takes the canvas's place.
#pragma once
#include <QWidget>
#include <vector>

class QHBoxLayout;
class QLabel;
class QScrollArea;

namespace nw::ui {

class GraphScene;
class LaneBoard;
class LaneHeader;
class Placement;
class StepTimeline;

class LaneView : public QWidget {
  Q_OBJECT
 public:
  LaneView(Placement& placement, GraphScene& scene, QWidget* parent = nullptr);
  LaneBoard& board() { return *board_; }
  StepTimeline& timeline() { return *timeline_; }
  LaneHeader* header(int lane) const;
  /// Gives the keyboard to the selected card, or to the first.
  void takeFocus();

 protected:
  void paintEvent(QPaintEvent*) override;
  bool eventFilter(QObject*, QEvent*) override;

 private:
  void refresh();
  void announce(const QString& sentence);
  Placement& placement_;
  QHBoxLayout* heads_;
  std::vector<LaneHeader*> headers_;
  QScrollArea* scroll_;
  LaneBoard* board_;
  StepTimeline* timeline_;
  QLabel* problem_;
};

}  // namespace nw::ui
