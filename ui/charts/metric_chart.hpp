// SPDX-License-Identifier: GPL-3.0-or-later
// A card with one chart on QCustomPlot: title, unit and legend in one row; horizontal grid only; the last value written
// at the line's end; events as dashed lines with a chip; a cursor shared with other charts. GUI thread.
#pragma once
#include <QVector>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "kernels/result.hpp"
#include "ui/charts/chart_scale.hpp"
#include "ui/session/notification.hpp"

class QCPAxis;
class QCPGraph;
class QCustomPlot;
class QMenu;
class QTimer;

namespace nw::ui {

class ChartLegend;
class ChartOverlay;
class SmoothingButton;

/// raw: thin and pale, behind its smoothed line. validation: open circles. area: filled to the bottom. future: dotted,
/// text 3.
enum class CurveKind { raw, line, dashed, validation, area, future, dots };

struct CurveStyle {
  QString name;    // in legend, tooltip and CSV
  int series = 0;  // colour of the theme
  CurveKind kind = CurveKind::line;
  bool inLegend = true, endLabel = true, inTooltip = true;
};

/// An event at x: a dashed line with a chip.
struct ChartMark {
  double x = 0;
  QString text, brief = {};  // brief: in the chip where the text would hide the next one's
  bool operator==(const ChartMark&) const = default;
};

/// The x value that all charts of a page mark; not finite: none.
class ChartCursor : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  double x() const { return x_; }
  void moveTo(double x);
 Q_SIGNALS:
  void moved(double x);

 private:
  double x_ = qQNaN();
};

struct ChartOptions {
  // title and unit name the vertical axis, xName ("Epoch") the horizontal one and the number in the readout
  QString title{}, unit{}, xName{};
  bool fromZero = false, logAxis = false;
  Trim trim{};                              // what "whole range" switches off
  double highest = qInf();                  // upper limit of the axis, for example 100 %
  double smoothing = -1;                    // < 0: the curves cannot be smoothed
  std::function<QString(double)> format{};  // values in labels and tooltip
  QString id{};                             // under this name the smoothing that the user chose is remembered
  bool logHorizontal = false, wholeHorizontal = true;  // whole: x counts something, for example epochs
};

class MetricChart : public QWidget {
  Q_OBJECT
 public:
  MetricChart(ChartOptions options, ChartCursor* cursor, QWidget* parent = nullptr);
  ~MetricChart() override;

  int addCurve(const CurveStyle& style);
  void removeCurves();
  void setCurve(int curve, const QVector<double>& x, const QVector<double>& y);
  void setHorizontal(Range range);  // the whole planned run
  void setMarks(const QVector<ChartMark>& marks);
  void setHeadline(const QString& text);  // "0.04 now", right in the title row
  void setTitle(const QString& title);
  void setUnit(const QString& unit);
  /// Another quantity with the same horizontal axis.
  void setQuantity(const QString& title, const QString& unit, double highest, std::function<QString(double)> format);
  /// A control that stands in the title row instead of the painted title.
  void setTitleControl(QWidget* control);
  bool hasTitleControl() const { return titleControl_ != nullptr; }
  void setLogAxis(bool on);
  void setLogHorizontal(bool on);
  /// What x is now; `whole`: it counts something.
  void setHorizontalName(const QString& name, bool whole);
  void setWholeRange(bool on);
  void setSmoothing(double factor);
  /// As setSmoothing(), and remembered for the next start.
  void chooseSmoothing(double factor);
  void fillSmoothingMenu(QMenu& menu);

  // what is shown, for labels, tests and export
  const ChartOptions& options() const { return options_; }
  int curves() const { return static_cast<int>(curves_.size()); }
  const CurveStyle& style(int curve) const { return curves_[static_cast<std::size_t>(curve)].style; }
  const QVector<double>& curveX(int curve) const { return curves_[static_cast<std::size_t>(curve)].x; }
  const QVector<double>& curveY(int curve) const { return curves_[static_cast<std::size_t>(curve)].y; }
  const QVector<ChartMark>& marks() const { return marks_; }
  Range vertical() const;
  /// Where a value is a spike above the vertical axis (Trim::spike): points of x and value.
  const QVector<QPointF>& spikes() const { return spikes_; }
  double valueAt(int curve, double x) const;  // of the nearest point; NaN where the curve has none
  QColor colour(int curve) const;
  QString formatted(double value) const;
  QPointF place(double x, double y) const;  // in the plot's pixels
  QRectF plotRect() const;
  QCustomPlot* plot() const { return plot_; }
  bool isPointedAt() const { return pointedAt_; }
  const ChartCursor& cursor() const { return *cursor_; }

  QString csv() const;
  /// By the name's ending: .png, .svg, .pdf, .csv or .tex (PGF/LaTeX).
  Status exportTo(const QString& file);
  void replotSoon();  // at most ten times a second

 Q_SIGNALS:
  void smoothingChanged();
  /// The menu may take further entries; `x` is where the cursor is, not finite: nowhere.
  void menuAboutToShow(QMenu* menu, double x);
  /// For the window's banner; as Session::message.
  void message(const QString& sentence, int severity, const nw::ui::NotificationActions& actions);

 protected:
  void paintEvent(QPaintEvent*) override;
  void changeEvent(QEvent*) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // fill: the area below, drawn coarser
  struct Curve {
    CurveStyle style;
    QCPGraph *graph, *fill;
    QVector<double> x, y;
  };
  void build();
  void restyle();
  void restyleAxis(QCPAxis* axis, bool grid);
  void nameAxes();
  void restyleCurve(const Curve& curve);
  void rescale();
  void rescaleHorizontal();
  Range rangeOfValues();
  void fadeRaw();
  void findSpikes();
  void replotNow();
  void pointAt(const QPointF& place);
  void showMenu();
  void requestExport(const QString& suffix);
  QByteArray png();
  QByteArray svg();
  QByteArray pdf();

  ChartOptions options_;
  ChartCursor* cursor_;
  QCustomPlot* plot_ = nullptr;
  ChartLegend* legend_ = nullptr;
  ChartOverlay* overlay_ = nullptr;
  SmoothingButton* smoothing_ = nullptr;
  QWidget* titleControl_ = nullptr;
  QTimer* timer_ = nullptr;
  std::vector<Curve> curves_;
  QVector<ChartMark> marks_;
  Range horizontal_{0, 1};
  QVector<QPointF> spikes_;
  std::optional<Range> valueRange_;  // of all curves, as the vertical axis shows them
  bool wholeRange_ = false, pointedAt_ = false;
};

}  // namespace nw::ui
