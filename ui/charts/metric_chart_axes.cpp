// SPDX-License-Identifier: GPL-3.0-or-later
// The axes of a MetricChart: their range, ticks, names and look.
#include "ui/charts/plot.hpp"

#include <algorithm>

#include "ui/charts/chart_parts.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

void setTicks(QCPAxis* axis, const QVector<double>& ticks) {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (const double t : ticks) ticker->addTick(t, tickText(t));
  axis->setTicker(ticker);
}

void MetricChart::setLogHorizontal(bool on) {
  options_.logHorizontal = on;
  replotSoon();
}

void MetricChart::setHorizontalName(const QString& name, bool whole) {
  options_.xName = name;
  options_.wholeHorizontal = whole;
  replotSoon();
}

/// A logarithmic axis begins at the first point above 0.
void MetricChart::rescaleHorizontal() {
  Range shown = horizontal_;
  double first = shown.high;
  for (const Curve& c : curves_)
    if (const auto at = std::upper_bound(c.x.begin(), c.x.end(), 0.0); at != c.x.end()) first = std::min(first, *at);
  const bool log = options_.logHorizontal && first > 0 && first < shown.high;
  if (log) shown.low = first;
  plot_->xAxis->setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  plot_->xAxis->setRange(shown.low, shown.high);
  const int columns = std::clamp(plot_->width() / 70, 2, 10);
  setTicks(plot_->xAxis, log                                          ? logTicks(shown)
                         : shown.low == 0 && options_.wholeHorizontal ? epochTicks(shown.high, columns)
                                                                      : linearTicks(shown, columns));
}

void MetricChart::restyleAxis(QCPAxis* axis, bool grid) {
  axis->setBasePen(Qt::NoPen);
  axis->setTickPen(Qt::NoPen);
  axis->setSubTickPen(Qt::NoPen);
  axis->setSubTicks(false);
  axis->setTickLabelFont(ui::font(TextRole::axis));
  axis->setTickLabelColor(theme().text3);
  axis->setTickLabelPadding(grid ? 8 : 6);
  axis->setLabelFont(ui::font(TextRole::axis));
  axis->setLabelColor(theme().text2);
  axis->setLabelPadding(grid ? 4 : 2);
  axis->grid()->setVisible(grid);
  axis->grid()->setPen(QPen(theme().border1, 1));
  axis->grid()->setZeroLinePen(QPen(theme().border1, 1));
}

/// A title may take the length of its axis. The axes get their places only with the next replot.
void MetricChart::nameAxes() {
  constexpr int beside = 76;
  plot_->yAxis->setLabel(axisTitle(options_.title, options_.unit, plot_->height() - above_and_below));
  plot_->xAxis->setLabel(axisTitle(options_.xName, {}, plot_->width() - beside));
}

}  // namespace nw::ui
