// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of the chosen runs in one chart, of the quantity that its title chooses. GUI thread.
#pragma once
#include "ui/charts/metric_chart.hpp"
#include "ui/runs/run_table.hpp"

class QComboBox;

namespace nw::ui {

/// A quantity that every completed epoch has.
struct RunMetric {
  const char* id;
  const char* title;
  const char* unit;
  double scale, highest;
  double (*value)(const EpochFigures&);
  QString (*format)(double);
  const char* column;  // the table's column by which runs are compared; "": no value is better than another
};
const QVector<RunMetric>& runMetrics();

/// What the curves of runs are drawn over: "epoch", "step", "time", "energy".
struct RunAxis {
  const char* id;
  const char* title;
  double (*value)(const EpochFigures&);  // NaN: unknown
  bool whole;
};
const QVector<RunAxis>& runAxes();

class RunChart : public MetricChart {
  Q_OBJECT
 public:
  RunChart(const RunModel& model, ChartCursor* cursor, QWidget* parent = nullptr);
  const RunMetric& metric() const;
  /// The name of a quantity for the chosen runs, whose accuracy is R² where they predict numbers.
  QString titleOf(const RunMetric& metric) const;
  void setMetric(const QString& id);  // and remembers it
  const RunAxis& axis() const;
  void setAxis(const QString& id);  // and remembers it
  void refresh();

 Q_SIGNALS:
  void metricChanged();

 private:
  void choose(int index);
  void chooseAxis(int index);
  QWidget* makeChoosers();
  double longestOf(const RunRow& row) const;
  void showAxis(double longest);
  void addRun(const RunRow& row, int slot);
  void addCurves(const RunRow& row, int slot, const QVector<double>& x, const QVector<double>& y);
  bool hasR2(bool all) const;
  void showQuantity();
  const RunModel& model_;
  QComboBox *chooser_, *over_;
  double scale_ = 1, across_ = 1;  // from values to what is drawn, up and across
};

}  // namespace nw::ui
