// SPDX-License-Identifier: GPL-3.0-or-later
// The head of a lane: its device, the time of a micro-batch, memory by kind, and how long it is idle.
#pragma once
#include <QWidget>

#include "ui/design/lanes/lane_board.hpp"

namespace nw::ui {

class LaneHeader final : public QWidget {
  Q_OBJECT
 public:
  LaneHeader(Placement& placement, const LaneBoard& board, int lane, QWidget* parent = nullptr);
  void refresh();
  QSize sizeHint() const override { return {180, static_cast<int>(lane::headerHeight)}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  const StageEstimate* estimate() const;
  void paintTitle(QPainter&, const QRectF& line) const;
  void paintBar(QPainter&, const QRectF& track) const;
  QString memoryText() const;
  QString idleText() const;
  QString layersText() const;

  Placement& placement_;
  const LaneBoard& board_;
  const int lane_;
};

}  // namespace nw::ui
