// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate over the planned run as a small curve; one for each group of layers where groups have rates of
// their own.
#pragma once
#include <QWidget>
#include <vector>

#include "engine/design/graph_doc.hpp"
#include "engine/design/settings.hpp"

class QPainter;

namespace nw::ui {

/// Layers that are trained alike.
struct RateGroup {
  QStringList layers;
  double factor = 1;  // of the learning rate
  qint64 from = 0;    // 0-based: the first epoch in which they are trained
  bool frozen = false;
};
/// The network's groups, those that are trained last first; empty where all layers are trained alike from the start.
std::vector<RateGroup> rateGroups(const Graph& graph);

class SchedulePreview : public QWidget {
  Q_OBJECT
 public:
  explicit SchedulePreview(QWidget* parent = nullptr);
  /// `stepsPerEpoch` 0: not known yet; a round number is used.
  void setSettings(const TrainSettings& settings, qint64 stepsPerEpoch, std::vector<RateGroup> groups = {});
  QSize sizeHint() const override { return {240, height_of_curve + legendHeight()}; }
  /// "conv1, conv2: ×0.25 from epoch 5", one for each group that is drawn.
  QStringList legend() const;
  /// The rate of a group at a fraction 0…1 of the run; 0 while it is not trained. -1: of the schedule.
  double rateAt(double share, int group) const;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  static constexpr int height_of_curve = 84, line_of_legend = 16, most_groups = 4;
  int legendHeight() const;
  int drawn() const;  // curves
  double highest(int points) const;
  void drawCurve(QPainter& p, const QRectF& plot, int group, double top) const;
  void drawLegend(QPainter& p, const QRectF& box) const;
  TrainSettings settings_;
  std::vector<RateGroup> groups_;
  qint64 stepsPerEpoch_ = 0;
};

}  // namespace nw::ui
