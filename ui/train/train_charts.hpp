// SPDX-License-Identifier: GPL-3.0-or-later
// The four charts of a run as rows of one table: loss, accuracy, learning rate, throughput. GUI thread.
#pragma once
#include <QVector>
#include <QWidget>
#include <vector>

#include "ui/charts/metric_chart.hpp"

namespace nw::ui {

class RunFeed;

class TrainCharts : public QWidget {
  Q_OBJECT
 public:
  explicit TrainCharts(const RunFeed& feed, QWidget* parent = nullptr);
  /// The chart with this row id: "loss", "accuracy", "learning_rate", "throughput".
  MetricChart* chart(const QString& id) const;
  ChartCursor& cursor() { return *cursor_; }
  void refresh();  // everything, from the feed

 Q_SIGNALS:
  /// Of a chart; as Session::message.
  void message(const QString& sentence, int severity, const nw::ui::NotificationActions& actions);

 private:
  const RunFeed& feed_;
  ChartCursor* cursor_;
  std::vector<MetricChart*> charts_;
};

}  // namespace nw::ui
