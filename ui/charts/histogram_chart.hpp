// SPDX-License-Identifier: GPL-3.0-or-later
// A distribution over the course of a run: one column per recorded histogram, from the smallest to the largest value,
// darker for higher counts. The arrow keys move between columns. GUI thread.
#pragma once
#include <QVector>
#include <QWidget>

#include "engine/runs/layer_statistics.hpp"
#include "ui/charts/metric_chart.hpp"

namespace nw::ui {

class HistogramChart : public QWidget {
  Q_OBJECT
 public:
  /// A histogram recorded after `epoch` epochs.
  struct Column {
    double epoch = 0;
    std::int64_t step = 0;
    Figures figures;
    bool operator==(const Column&) const = default;
  };
  HistogramChart(const QString& title, ChartCursor* cursor, QWidget* parent = nullptr);
  /// Sorted by epoch; columns without values are left out.
  void setColumns(const QVector<Column>& columns);
  const QVector<Column>& columns() const { return columns_; }
  void setHorizontal(Range epochs);
  /// The column the cursor points at; the last one when it points nowhere; null: there is none.
  const Column* chosen() const;
  QString csv() const;  // a row for each bin of each column
  /// By the name's ending: .png, .svg, .pdf or .csv.
  Status exportTo(const QString& file);
  QSize sizeHint() const override { return {280, 180}; }
  QSize minimumSizeHint() const override { return {160, 120}; }

 Q_SIGNALS:
  /// For the window's banner; as Session::message.
  void message(const QString& sentence, int severity, const nw::ui::NotificationActions& actions);

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void leaveEvent(QEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  void say();
  void choose(qsizetype column);
  qsizetype chosenIndex() const;
  QRectF plotRect() const;
  Range values() const;
  double x(double epoch) const;
  void paint(QPainter& p, bool alive) const;
  void paintColumns(QPainter& p, const QRectF& plot, Range range) const;
  void paintAxes(QPainter& p, const QRectF& plot, Range range) const;
  void paintReadoutOf(QPainter& p, const QRectF& plot, const Column& column) const;
  void showMenu();

  QString title_;
  ChartCursor* cursor_;
  QWidget* menu_;
  QVector<Column> columns_;
  Range horizontal_{0, 1};
};

}  // namespace nw::ui
