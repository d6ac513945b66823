// SPDX-License-Identifier: GPL-3.0-or-later
// The painted parts of a MetricChart: its title row, and the overlay of the plot.
#pragma once
#include <QWidget>

class QPainter;

namespace nw::ui {

class MetricChart;

/// A short piece of a curve as it is drawn, for legends and tables.
void paintLineKey(QPainter& p, const QRectF& where, const QColor& colour, int series, bool dashed, bool circle,
                  qreal width);

/// Title, muted unit, legend entries and the headline; entries that do not fit are left out from the right.
class ChartLegend : public QWidget {
  Q_OBJECT
 public:
  explicit ChartLegend(const MetricChart& chart);
  void setHeadline(const QString& text);
  void paint(QPainter& p, const QRectF& where) const;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  qreal paintTitle(QPainter& p, const QRectF& where) const;
  qreal entryWidth(int curve) const;
  void paintEntry(QPainter& p, QRectF where, int curve) const;
  const MetricChart& chart_;
  QString headline_;
};

/// Marks, values at line ends, cursor and tooltip. Painted without replotting the curves.
class ChartOverlay : public QWidget {
  Q_OBJECT
 public:
  ChartOverlay(const MetricChart& chart, QWidget* plot);
  void paintCached(QPainter& p) const;  // the part included in an exported image

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void paintMarks(QPainter& p) const;
  qreal labelX(int curve, const QVector<int>& labelled) const;
  void paintEnds(QPainter& p) const;
  void paintCursor(QPainter& p) const;
  void paintTooltip(QPainter& p, qreal x) const;
  const MetricChart& chart_;
};

}  // namespace nw::ui
