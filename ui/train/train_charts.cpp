// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_charts.hpp"

#include <algorithm>
#include <cmath>

#include "engine/runs/epochs.hpp"
#include "ui/charts/chart_table.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/run_settings/setting_changes.hpp"

namespace nw::ui {

namespace {
struct TrainChartsTexts {
  Q_DECLARE_TR_FUNCTIONS(TrainCharts)
};
constexpr double default_smoothing = 0.95;

QString lossText(double v) { return QString::number(v, 'g', 4); }
QString accuracyText(double v) { return QString::number(v, 'f', 2); }
QString rateText(double v) { return tickText(QString::number(v, 'g', 3).toDouble()); }
QString speedText(double v) { return grouped(std::llround(v)); }

QVector<double> percent(QVector<double> v) {
  for (double& x : v) x *= 100;
  return v;
}

struct Points {
  QVector<double> x, y;
};
Points validation(const RunFeed& feed, double EpochEnd::*member, double scale) {
  Points out;
  for (const EpochEnd& e : feed.epochs()) {
    if (!e.has_validation) continue;
    out.x.append(static_cast<double>(e.epoch));
    out.y.append(e.*member * scale);
  }
  return out;
}

/// Both extremes at every point, so that the values of single steps stay visible.
Points extremes(const Series& s) {
  Points out;
  out.x.reserve(2 * s.x.size());
  out.y.reserve(2 * s.x.size());
  for (qsizetype i = 0; i < s.x.size(); ++i) {
    out.x << s.x[i] << s.x[i];
    out.y << s.low[i] << s.high[i];
  }
  return out;
}

/// "2 LR 0.04": the number is that of the list of changes.
QString changeChip(const SettingChange& change) {
  const QString words = change.names.first() == QLatin1String("learning_rate")
                            ? TrainChartsTexts::tr("LR %1").arg(rateText(change.after.value))
                        : change.names.first().startsWith(QLatin1String("frozen."))
                            ? changeText(change)
                            : QStringLiteral("%1 %2").arg(settingLabel(change.names.first()),
                                                          settingText(change.names.first(), change.after));
  return QStringLiteral("%1  %2").arg(change.number).arg(words);
}

/// Marks the changes of settings and the resumes, in the order in which they were made.
QVector<ChartMark> changes(const RunFeed& feed) {
  QVector<ChartMark> out;
  for (const SettingChange& change : settingChanges(feed))
    out.append({change.epoch, changeChip(change), QString::number(change.number)});
  const double perEpoch = static_cast<double>(std::max<std::int64_t>(1, feed.started().steps_per_epoch));
  for (const Event& e : feed.log())
    if (const auto* resumed = std::get_if<Resumed>(&e.what))
      out.append({static_cast<double>(resumed->from_step) / perEpoch, TrainChartsTexts::tr("resumed")});
  std::stable_sort(out.begin(), out.end(), [](const ChartMark& a, const ChartMark& b) { return a.x < b.x; });
  return out;
}

/// The numbers alone, where the chart has marks of its own.
QVector<ChartMark> changeNumbers(const RunFeed& feed, bool rateOnly) {
  QVector<ChartMark> out;
  for (const SettingChange& change : settingChanges(feed))
    if (!rateOnly || change.names.first() == QLatin1String("learning_rate"))
      out.append({change.epoch, QString::number(change.number)});
  return out;
}

/// Those of the run; its epochs may have become more since it was first started.
TrainSettings settingsOf(const RunFeed& feed) {
  TrainSettings s = feed.definition()->doc.settings();
  if (feed.started().epochs > 0) s.epochs = feed.started().epochs;
  return s;
}

QVector<ChartMark> scheduledSteps(const RunFeed& feed) {
  QVector<ChartMark> out;
  if (!feed.definition()) return out;
  const TrainSettings s = settingsOf(feed);
  if (s.schedule != ScheduleKind::step || s.step_epochs <= 0 || !(s.step_gamma > 0)) return out;
  for (std::int64_t e = s.step_epochs; e < s.epochs && static_cast<double>(e) <= feed.last().epoch; e += s.step_epochs)
    out.append({static_cast<double>(e), TrainChartsTexts::tr("LR ÷ %1").arg(1 / s.step_gamma, 0, 'g', 3)});
  return out;
}

QVector<ChartMark> best(const RunFeed& feed) {
  const EpochEnd* e = best_epoch(feed.epochs());
  if (e == nullptr) return {};
  return {{static_cast<double>(e->epoch),
           TrainChartsTexts::tr("best %1").arg(metricText(feed.started().metric, compared_accuracy(*e)))}};
}

/// The learning rate of the schedule from now to the end, sampled.
Points plannedRate(const RunFeed& feed) {
  Points out;
  if (!feed.definition() || feed.started().steps_per_epoch <= 0 || feed.ended()) return out;
  const TrainSettings s = settingsOf(feed);
  const std::int64_t perEpoch = feed.started().steps_per_epoch, total = perEpoch * feed.started().epochs,
                     from = feed.last().last;
  constexpr std::int64_t samples = 400;
  const std::int64_t stride = std::max<std::int64_t>(1, (total - from) / samples);
  for (std::int64_t step = from; step < total; step += stride) {
    out.x.append(static_cast<double>(step) / static_cast<double>(perEpoch));
    out.y.append(learning_rate_at(s, step, perEpoch));
  }
  return out;
}

void fillLoss(MetricChart& chart, const RunFeed& feed) {
  const Series& s = feed.loss();
  const Points raw = extremes(s), checked = validation(feed, &EpochEnd::validation_loss, 1);
  chart.setCurve(0, raw.x, raw.y);
  chart.setCurve(1, s.x, smoothed(s.y, chart.options().smoothing));
  chart.setCurve(2, checked.x, checked.y);
  chart.setMarks(scheduledSteps(feed) + changes(feed));
}

void fillAccuracy(MetricChart& chart, const RunFeed& feed) {
  const Series& s = feed.accuracy();
  const Points checked = validation(feed, &EpochEnd::validation_accuracy, 100);
  chart.setCurve(0, s.x, smoothed(percent(s.y), chart.options().smoothing));
  chart.setCurve(1, checked.x, checked.y);
  chart.setMarks(best(feed) + changeNumbers(feed, false));
  chart.setTitle(metricTitle(feed.started().metric));
}

void fillRate(MetricChart& chart, const RunFeed& feed) {
  const Series& s = feed.learningRate();
  const Points planned = plannedRate(feed);
  chart.setMarks(changeNumbers(feed, true));
  chart.setCurve(0, planned.x, planned.y);
  chart.setCurve(1, s.x, smoothed(s.y, chart.options().smoothing));
  chart.setHeadline(s.y.isEmpty() ? QString() : TrainChartsTexts::tr("%1 now").arg(rateText(s.y.last())));
}

void fillThroughput(MetricChart& chart, const RunFeed& feed) {
  const Series& s = feed.throughput();
  chart.setCurve(0, s.x, smoothed(s.y, chart.options().smoothing));
  chart.setHeadline(s.y.isEmpty() ? QString() : TrainChartsTexts::tr("%1 now").arg(speedText(s.y.last())));
}

const ChartRow<RunFeed> chart_rows[] = {
    {"loss",
     QT_TRANSLATE_NOOP("TrainCharts", "Loss"),
     "",
     QT_TRANSLATE_NOOP("TrainCharts", "Epoch"),
     0,
     0,
     false,
     false,
     {0, 0.02},
     qInf(),
     default_smoothing,
     lossText,
     fillLoss,
     [] {
       return std::vector<CurveStyle>{{TrainChartsTexts::tr("train, raw"), 0, CurveKind::raw, true, false, false},
                                      {TrainChartsTexts::tr("train"), 0, CurveKind::line},
                                      {TrainChartsTexts::tr("validation"), 1, CurveKind::validation}};
     }},
    {"accuracy",
     QT_TRANSLATE_NOOP("TrainCharts", "Accuracy"),
     "%",
     QT_TRANSLATE_NOOP("TrainCharts", "Epoch"),
     0,
     1,
     false,
     false,
     {0.02, 0},
     100,
     default_smoothing,
     accuracyText,
     fillAccuracy,
     [] {
       return std::vector<CurveStyle>{{TrainChartsTexts::tr("train"), 0, CurveKind::line},
                                      {TrainChartsTexts::tr("validation"), 1, CurveKind::validation}};
     }},
    {"learning_rate",
     QT_TRANSLATE_NOOP("TrainCharts", "Learning rate"),
     QT_TRANSLATE_NOOP("TrainCharts", "log"),
     QT_TRANSLATE_NOOP("TrainCharts", "Epoch"),
     1,
     0,
     false,
     true,
     {0.01, 0},
     qInf(),
     0,
     rateText,
     fillRate,
     [] {
       return std::vector<CurveStyle>{{TrainChartsTexts::tr("planned"), 2, CurveKind::future, false, false, true},
                                      {TrainChartsTexts::tr("learning rate"), 2, CurveKind::line, false, false, true}};
     }},
    {"throughput",
     QT_TRANSLATE_NOOP("TrainCharts", "Throughput"),
     QT_TRANSLATE_NOOP("TrainCharts", "images/s"),
     QT_TRANSLATE_NOOP("TrainCharts", "Epoch"),
     1,
     1,
     true,
     false,
     {0, 0, 3},
     qInf(),
     0,
     speedText,
     fillThroughput,
     [] {
       return std::vector<CurveStyle>{{TrainChartsTexts::tr("images/s"), 3, CurveKind::area, false, false, true}};
     }},
};
}  // namespace

TrainCharts::TrainCharts(const RunFeed& feed, QWidget* parent)
    : QWidget(parent), feed_(feed), cursor_(new ChartCursor(this)) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(space::m);
  charts_ = charts_of<RunFeed>(chart_rows, "TrainCharts", *cursor_, *grid);
  for (const MetricChart* chart : charts_) {
    connect(chart, &MetricChart::smoothingChanged, this, &TrainCharts::refresh);
    connect(chart, &MetricChart::message, this, &TrainCharts::message);
  }
  grid->setRowStretch(0, 8);
}

MetricChart* TrainCharts::chart(const QString& id) const {
  const auto found =
      std::find_if(charts_.begin(), charts_.end(), [&](const MetricChart* c) { return c->objectName() == id; });
  return found == charts_.end() ? nullptr : *found;
}

void TrainCharts::refresh() {
  const double epochs = static_cast<double>(feed_.started().epochs);
  const double seen = feed_.loss().x.isEmpty() ? 0 : feed_.loss().x.last();
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    charts_[i]->setHorizontal({0, std::max({epochs, seen, 1.0})});
    chart_rows[i].fill(*charts_[i], feed_);
  }
}

}  // namespace nw::ui
