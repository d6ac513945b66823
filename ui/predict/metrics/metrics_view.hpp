// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics besides accuracy: the metrics of every class, the curves of one class, calibration, and the effect of a
// threshold.
#pragma once
#include <QPointer>
#include <QWidget>
#include <vector>

#include "ui/charts/metric_chart.hpp"
#include "ui/predict/metrics/class_table.hpp"
#include "ui/predict/source/predict_source.hpp"

class QLabel;
class QSlider;
class QTableView;

namespace nw::ui {

class SeverityLabel;

/// The data of the charts.
struct MetricsShown {
  Metrics metrics;
  ClassCurves curves;
  int threshold = 50;  // percent
};

class MetricsView : public QWidget {
  Q_OBJECT
 public:
  explicit MetricsView(PredictSource& source, QWidget* parent = nullptr);
  /// The newest evaluation.
  void refresh();
  /// By its row's id: "roc", "precision_recall", "calibration", "threshold"; or "numbers", which is shown alone.
  MetricChart* chart(const QString& id) const;
  QTableView& table() { return *table_; }
  QSlider& threshold() { return *threshold_; }
  /// The displayed sentence about the threshold.
  QString sentence() const;
  int chosenClass() const { return one_; }
  void chooseClass(int one);
  /// True if no request is pending.
  bool settled() const { return !asking_; }

 Q_SIGNALS:
  void speedRequested();
  /// Of a chart; as Session::message.
  void message(const QString& sentence, int severity, const nw::ui::NotificationActions& actions);

 protected:
  void showEvent(QShowEvent*) override;

 private:
  QWidget* makeClasses();
  QWidget* makeCharts();
  void ask();
  void fill();
  void fillNumbers();
  void showKind();
  void showThreshold();

  PredictSource& source_;
  ClassTableModel model_;
  QTableView* table_ = nullptr;
  SeverityLabel* note_;
  QLabel *title_ = nullptr, *top_, *chosen_, *sentence_;
  QSlider* threshold_;
  ChartCursor* cursor_;
  std::vector<MetricChart*> charts_;
  MetricChart* numbers_ = nullptr;
  QWidget* ofClasses_ = nullptr;  // the charts that only classes and labels have
  MetricsShown shown_;
  int one_ = 0;
  quint64 turn_ = 0;
  bool asking_ = false, stale_ = false;
};

}  // namespace nw::ui
