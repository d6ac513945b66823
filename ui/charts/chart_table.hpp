// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as rows of a table: one row per chart of a page. GUI thread.
#pragma once
#include <QCoreApplication>
#include <QGridLayout>
#include <span>
#include <vector>

#include "ui/charts/metric_chart.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

template <class Source>
struct ChartRow {
  const char* id;                    // object name
  const char *title, *unit, *xName;  // translated in the table's context
  int row, column;
  bool fromZero, logAxis;
  Trim trim;
  double highest, smoothing;
  QString (*format)(double);
  void (*fill)(MetricChart&, const Source&);  // takes the newest of the source
  std::vector<CurveStyle> (*curves)();
};

template <class Source>
ChartOptions options_of(const ChartRow<Source>& row, const char* context) {
  const auto word = [context](const char* text) {
    return *text ? QCoreApplication::translate(context, text) : QString();
  };
  return {word(row.title), word(row.unit), word(row.xName), row.fromZero, row.logAxis,
          row.trim,        row.highest,    row.smoothing,   row.format,   QLatin1String(row.id)};
}

/// The share of the grid's height that each row of charts gets unless the page sets another.
constexpr int usual_row_stretch = 5;

/// One chart a row, in the table's order, laid into the grid.
template <class Source>
std::vector<MetricChart*> charts_of(std::span<const ChartRow<Source>> rows, const char* context, ChartCursor& cursor,
                                    QGridLayout& grid) {
  std::vector<MetricChart*> charts;
  for (const ChartRow<Source>& row : rows) {
    auto* chart = new MetricChart(options_of(row, context), &cursor);
    chart->setObjectName(QLatin1String(row.id));
    for (const CurveStyle& style : row.curves()) chart->addCurve(style);
    grid.addWidget(chart, row.row, row.column);
    grid.setColumnStretch(row.column, 1);
    grid.setRowStretch(row.row, usual_row_stretch);
    charts.push_back(chart);
  }
  return charts;
}

}  // namespace nw::ui
