// SPDX-License-Identifier: GPL-3.0-or-later
// The painted parts of a MetricChart: its title row, and the overlay of the plot.
#pragma once
#include <QColor>
#include <QVector>
#include <QWidget>

class QPainter;

class QCPAxis;

namespace nw::ui {

class MetricChart;

/// A short piece of a curve as it is drawn, for legends and tables.
void paintLineKey(QPainter& p, const QRectF& where, const QColor& colour, int series, bool dashed, bool circle,
                  qreal width);

/// The chip of a mark at x, with the widths of its whole and its brief text; 0: it has none.
struct ChipPlace {
  qreal x = 0, whole = 0, brief = 0;
  qreal left = 0, width = 0;  // where it stands; width 0: there is no room for it
};
/// Places them side by side between low and high; the first ones come first. What has a brief text begins with that,
/// and gets its whole one where no other chip would be covered.
void placeChips(QVector<ChipPlace>& chips, qreal low, qreal high);

/// One value under the pointer.
struct ReadoutRow {
  QColor colour;
  QString name, value;
};
/// The values under the pointer at `x`, in a box inside `plot`: the same in every chart.
void paintReadout(QPainter& p, const QRectF& plot, qreal x, const QString& head, const QVector<ReadoutRow>& rows);
/// "Accuracy (%)"; without the unit where the axis is shorter than the text, and empty where that does not fit either.
QString axisTitle(const QString& quantity, const QString& unit, qreal room);
/// Paints a vertical axis's title in a column `where`, read from below.
void paintAxisTitle(QPainter& p, const QRectF& where, const QString& title);

inline constexpr int above_and_below = 70;  // pixels: the height of a plot without the length of its axis
void setTicks(QCPAxis* axis, const QVector<double>& ticks);

/// Title, muted unit, legend entries and the headline; entries that do not fit are left out from the right.
class ChartLegend : public QWidget {
  Q_OBJECT
 public:
  explicit ChartLegend(const MetricChart& chart);
  void setHeadline(const QString& text);
  /// `titled`: a control may stand in place of the title.
  void paint(QPainter& p, const QRectF& where, bool titled = true) const;

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
  void paintSpikes(QPainter& p) const;
  void paintCursor(QPainter& p) const;
  void paintTooltip(QPainter& p, qreal x) const;
  const MetricChart& chart_;
};

}  // namespace nw::ui
