// SPDX-License-Identifier: GPL-3.0-or-later
// One step of a pipeline: the passes of each lane in their order, with the estimated times, and where it is idle.
#pragma once
#include <QWidget>

#include "ui/design/lanes/lane_board.hpp"

namespace nw::ui {

class StepTimeline final : public QWidget {
  Q_OBJECT
 public:
  StepTimeline(Placement& placement, const LaneBoard& board, QWidget* parent = nullptr);
  /// The timeline that is shown: while layers are dragged, that of the lanes they would make.
  const PipelineTimeline& timeline() const;
  /// Where a pass is painted.
  QRectF passRect(int lane, const PipelineSpan&) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void refresh();
  int nameWidth() const;
  QRectF track(int lane) const;
  void paintTitle(QPainter&) const;
  void paintLane(QPainter&, int lane) const;
  void paintAxis(QPainter&) const;
  QString orderText() const;

  Placement& placement_;
  const LaneBoard& board_;
};

}  // namespace nw::ui
