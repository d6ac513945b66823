// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/metric_chart.hpp"

#include "ui/charts/plot.hpp"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/charts/chart_parts.hpp"
#include "ui/charts/chart_smoothing.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int replot_interval_ms = 100;
constexpr int most_circles = 40;
// from here on lines are drawn piece by piece: stroked as a whole they would take half a second
constexpr qsizetype many_points = 300;

/// Means of at most many_points neighbours each: what an area of a pale colour can show.
void setFill(QCPGraph& graph, const QVector<double>& x, const QVector<double>& y) {
  const qsizetype stride = (x.size() + many_points - 1) / many_points;
  if (stride <= 1) return graph.setData(x, y, true);
  QVector<double> meanX{x.first()}, meanY{y.first()};
  for (qsizetype i = 0; i < x.size(); i += stride) {
    const qsizetype end = std::min(i + stride, x.size());
    meanX << x[end - 1];
    meanY << std::accumulate(y.begin() + i, y.begin() + end, 0.0) / static_cast<double>(end - i);
  }
  graph.setData(meanX, meanY, true);
}
constexpr int tick_label_height = 16;
constexpr int end_label_gap = 16;  // for the dot before it and the margin after it
}  // namespace

void ChartCursor::moveTo(double x) {
  if (x == x_ || (std::isnan(x) && std::isnan(x_))) return;
  x_ = x;
  Q_EMIT moved(x);
}

MetricChart::MetricChart(ChartOptions options, ChartCursor* cursor, QWidget* parent)
    : QWidget(parent), options_(std::move(options)), cursor_(cursor) {
  if (options_.smoothing >= 0) options_.smoothing = rememberedSmoothing(options_.id, options_.smoothing);
  if (!options_.format) options_.format = [](double v) { return QString::number(v, 'g', 4); };
  build();
  restyle();
}

MetricChart::~MetricChart() = default;

void MetricChart::build() {
  setAccessibleName(options_.title);
  legend_ = new ChartLegend(*this);
  QPushButton* menu = makeIconButton(QStringLiteral("more"), tr("Options of chart %1").arg(options_.title));
  connect(menu, &QPushButton::clicked, this, &MetricChart::showMenu);
  plot_ = new QCustomPlot;
  plot_->setMinimumSize(120, 80);
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
  plot_->setNoAntialiasingOnDrag(true);
  overlay_ = new ChartOverlay(*this, plot_);
  connect(plot_, &QCustomPlot::afterReplot, overlay_, qOverload<>(&QWidget::update));
  connect(cursor_, &ChartCursor::moved, overlay_, qOverload<>(&QWidget::update));
  timer_ = new QTimer(this);
  timer_->setSingleShot(true);
  timer_->setInterval(replot_interval_ms);
  connect(timer_, &QTimer::timeout, this, &MetricChart::replotNow);

  auto* row = new QHBoxLayout;
  row->setObjectName(QStringLiteral("titleRow"));
  row->setContentsMargins(14, 0, 8, 0);
  row->setSpacing(2);
  row->addWidget(legend_, 1);
  if (options_.smoothing >= 0) row->addWidget(smoothing_ = new SmoothingButton(*this));
  row->addWidget(menu);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 4, 1, 6);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(plot_, 1);
}

int MetricChart::addCurve(const CurveStyle& style) {
  QCPGraph* graph = plot_->addGraph();
  graph->setAdaptiveSampling(true);
  QCPGraph* fill = nullptr;
  if (style.kind == CurveKind::area) {
    fill = plot_->addGraph();
    fill->setPen(Qt::NoPen);
    fill->setLayer(QStringLiteral("grid"));  // below every line
  }
  curves_.push_back({style, graph, fill, {}, {}});
  restyleCurve(curves_.back());
  legend_->update();
  return curves() - 1;
}

void MetricChart::removeCurves() {
  plot_->clearGraphs();
  curves_.clear();
  valueRange_.reset();
  legend_->update();
  replotSoon();
}

void MetricChart::setCurve(int curve, const QVector<double>& x, const QVector<double>& y) {
  Curve& c = curves_[static_cast<std::size_t>(curve)];
  c.x = x;
  c.y = y;
  valueRange_.reset();
  c.graph->setData(x, y, true);
  if (c.fill) setFill(*c.fill, x, y);
  const bool many =
      std::any_of(curves_.begin(), curves_.end(), [](const Curve& each) { return each.x.size() > many_points; });
  plot_->setPlottingHint(QCP::phFastPolylines, many);
  if (c.style.kind == CurveKind::validation) c.graph->setScatterSkip(static_cast<int>(x.size()) / most_circles);
  replotSoon();
}

void MetricChart::setHorizontal(Range range) {
  if (range == horizontal_ || !(range.size() > 0)) return;
  horizontal_ = range;
  replotSoon();
}

void MetricChart::setMarks(const QVector<ChartMark>& marks) {
  if (marks == marks_) return;
  marks_ = marks;
  replotSoon();
}

void MetricChart::setHeadline(const QString& text) { legend_->setHeadline(text); }

void MetricChart::setTitle(const QString& title) {
  if (title == options_.title) return;
  options_.title = title;
  setAccessibleName(title);
  legend_->update();
  replotSoon();
}

void MetricChart::setUnit(const QString& unit) {
  options_.unit = unit;
  legend_->update();
  replotSoon();
}

void MetricChart::setQuantity(const QString& title, const QString& unit, double highest,
                              std::function<QString(double)> format) {
  options_.unit = unit;
  options_.highest = highest;
  options_.format = std::move(format);
  setTitle(title);
  replotSoon();
}

void MetricChart::setTitleControl(QWidget* control) {
  titleControl_ = control;
  findChild<QHBoxLayout*>(QStringLiteral("titleRow"))->insertWidget(0, control);
  legend_->update();
}

void MetricChart::setLogAxis(bool on) {
  options_.logAxis = on;
  valueRange_.reset();
  replotSoon();
}

void MetricChart::setWholeRange(bool on) {
  wholeRange_ = on;
  valueRange_.reset();
  replotSoon();
}

void MetricChart::setSmoothing(double factor) {
  options_.smoothing = factor;
  Q_EMIT smoothingChanged();
}

void MetricChart::replotSoon() {
  if (!timer_->isActive()) timer_->start();
}

void MetricChart::replotNow() {
  rescale();
  nameAxes();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

/// Kept until the values change: long curves have millions.
Range MetricChart::rangeOfValues() {
  if (valueRange_) return *valueRange_;
  QVector<double> values;
  for (const Curve& c : curves_)
    if (c.style.kind != CurveKind::raw) values += c.y;
  if (options_.logAxis) values.removeIf([](double v) { return !(v > 0); });
  Range range;
  const bool known = quantileRange(std::move(values), wholeRange_ ? Trim{} : options_.trim, range);
  if (!known) range = options_.logAxis ? Range{0.01, 1} : Range{0, 1};
  valueRange_ = range;
  return range;
}

void MetricChart::rescale() {
  const Range range = rangeOfValues();
  const Range shown = options_.logAxis ? paddedLogRange(range) : paddedRange(range, options_.fromZero);
  plot_->yAxis->setScaleType(options_.logAxis ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  plot_->yAxis->setRange(shown.low, std::min(shown.high, std::max(range.high, options_.highest)));
  const int rows = std::clamp(plot_->height() / 52, 2, 6);
  const Range now = vertical();
  const double least = tick_label_height / static_cast<double>(std::max(1, plot_->height() - above_and_below));
  setTicks(plot_->yAxis,
           ticksWithRoom(options_.logAxis ? logTicks(now) : linearTicks(now, rows), now, least, options_.logAxis));
  rescaleHorizontal();

  double end = horizontal_.low, room = 0;
  const QFontMetricsF metrics(ui::font(TextRole::button));
  for (const Curve& c : curves_) {
    if (!c.style.endLabel || c.x.isEmpty()) continue;
    end = std::max(end, c.x.last());
    room = std::max(room, metrics.horizontalAdvance(formatted(c.y.last())) + end_label_gap);
  }
  const bool near = end > horizontal_.low + 0.88 * horizontal_.size();
  plot_->axisRect()->setMargins({0, 26, near ? std::max(16, static_cast<int>(room)) : 16, 0});
  fadeRaw();
  findSpikes();
}

void MetricChart::findSpikes() {
  spikes_.clear();
  const double top = vertical().high;
  if (options_.trim.spike > 0)
    for (const Curve& c : curves_)
      for (qsizetype i = 0; i < c.y.size(); ++i)
        if (c.y[i] > top) spikes_.append({c.x[i], c.y[i]});
  setAccessibleDescription(
      spikes_.isEmpty() ? QString() : tr("%n value(s) above the axis", nullptr, static_cast<int>(spikes_.size())));
}

/// Raw values are drawn as a line of 1 px. Where many steps share a pixel, their lines overlap, so each gets a lower
/// opacity.
void MetricChart::fadeRaw() {
  for (const Curve& c : curves_) {
    if (c.style.kind != CurveKind::raw) continue;
    QPen pen = c.graph->pen();
    QColor ink = pen.color();
    const double columns =
        std::max(1, plot_->width()) *
        (c.x.isEmpty() ? 1.0 : std::clamp((c.x.last() - horizontal_.low) / horizontal_.size(), 0.05, 1.0));
    ink.setAlphaF(static_cast<double>(c.x.size()) > 1.5 * columns ? 0.13F : 0.28F);
    pen.setColor(ink);
    c.graph->setPen(pen);
  }
}

Range MetricChart::vertical() const {
  const QCPRange r = plot_->yAxis->range();
  return {r.lower, r.upper};
}

QColor MetricChart::colour(int curve) const {
  const CurveStyle& s = style(curve);
  QColor c = s.kind == CurveKind::future ? theme().text3 : theme().series[s.series % 6];
  if (s.kind == CurveKind::raw) c.setAlphaF(0.28F);
  return c;
}

void MetricChart::restyle() {
  plot_->setBackground(Qt::NoBrush);
  plot_->setAttribute(Qt::WA_OpaquePaintEvent, false);  // the card behind shows through: it must be painted first
  plot_->axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
  plot_->axisRect()->setMinimumMargins({40, 26, 16, 24});
  restyleAxis(plot_->xAxis, false);
  restyleAxis(plot_->yAxis, true);
  for (const Curve& c : curves_) restyleCurve(c);
  replotSoon();
  legend_->update();
  update();
}

void MetricChart::restyleCurve(const Curve& curve) {
  const int index = static_cast<int>(&curve - curves_.data());
  const CurveKind kind = curve.style.kind;
  QPen pen(colour(index), kind == CurveKind::raw || kind == CurveKind::future ? 1 : 2);
  pen.setCosmetic(true);
  pen.setJoinStyle(Qt::RoundJoin);
  if (kind == CurveKind::future) pen.setDashPattern({1.4, 2.2});
  if (kind == CurveKind::dashed) pen.setDashPattern(seriesDash(curve.style.series));
  if (kind == CurveKind::dashed && seriesDash(curve.style.series).isEmpty()) pen.setStyle(Qt::SolidLine);
  curve.graph->setPen(pen);
  curve.graph->setAntialiased(kind != CurveKind::raw);
  if (kind == CurveKind::validation)
    curve.graph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour(index), 1.6), theme().chartCard, 6));
  if (kind == CurveKind::dots) {
    curve.graph->setLineStyle(QCPGraph::lsNone);
    curve.graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 4));
  }
  QColor fill = colour(index);
  fill.setAlphaF(theme().dark ? 0.18F : 0.12F);
  if (curve.fill) curve.fill->setBrush(fill);
}

QString MetricChart::formatted(double value) const {
  return std::isfinite(value) ? options_.format(value) : QStringLiteral("–");
}

QPointF MetricChart::place(double x, double y) const {
  return {plot_->xAxis->coordToPixel(x), plot_->yAxis->coordToPixel(y)};
}

QRectF MetricChart::plotRect() const { return plot_->axisRect()->rect(); }

double MetricChart::valueAt(int curve, double x) const {
  const Curve& c = curves_[static_cast<std::size_t>(curve)];
  if (c.x.isEmpty() || x > c.x.last() + horizontal_.size() * 0.02) return qQNaN();
  const auto after = std::lower_bound(c.x.begin(), c.x.end(), x);
  qsizetype i = std::min<qsizetype>(std::distance(c.x.begin(), after), c.x.size() - 1);
  if (i > 0 && x - c.x[i - 1] < c.x[i] - x) --i;
  return c.y[i];
}

void MetricChart::pointAt(const QPointF& place) {
  const QRectF rect = plotRect();
  pointedAt_ = rect.contains(place);
  cursor_->moveTo(pointedAt_ ? plot_->xAxis->pixelToCoord(place.x()) : qQNaN());
  overlay_->update();
}

bool MetricChart::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseMove:
      pointAt(static_cast<QMouseEvent*>(event)->position());
      break;
    case QEvent::Leave:
      pointAt({-1, -1});
      break;
    case QEvent::ContextMenu:
      showMenu();
      return true;
    case QEvent::Resize:
      overlay_->setGeometry(plot_->rect());
      replotSoon();
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void MetricChart::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
  QWidget::changeEvent(event);
}

void MetricChart::paintEvent(QPaintEvent*) {
  QPainter p(this);
  style::box(p, rect(), radius::card, theme().chartCard, theme().border1);
}

}  // namespace nw::ui
