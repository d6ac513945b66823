// SPDX-License-Identifier: GPL-3.0-or-later
// chart_bench [--runs R] [--points N] [--steps S] [--frames F] [--json]: measures the redraws of a chart with R curves
// of N points each, as the Runs page overlays them, and of a chart of one run of S steps, as the Train page keeps them
// (Series), while its horizontal range moves. A redraw is a new range, scaling, the plot and its paint; 900 x 420
// pixels, software rendering, without a screen. It prints the measurements; there is no pass or fail.
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ui/charts/metric_chart.hpp"
#include "ui/charts/plot.hpp"
#include "ui/session/followed_run.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

/// A loss that falls, with noise.
double lossAt(double step, double all, int run) {
  const double noise = std::sin(step * 12.9898 + run * 78.233) * 43758.5453;
  return 2.3 * std::exp(-3 * step / all) + 0.05 + 0.2 * (noise - std::floor(noise));
}

ChartOptions lossOptions() {
  ChartOptions options;
  options.title = QStringLiteral("Loss");
  options.xName = QStringLiteral("Step");
  options.trim = {0.02, 0.02};
  options.smoothing = 0.9;
  options.format = [](double v) { return QString::number(v, 'g', 4); };
  return options;
}

/// Redraws once for each range; milliseconds of each.
std::vector<double> redraws(MetricChart& chart, int frames, const std::function<Range(int)>& range) {
  auto* timer = chart.findChild<QTimer*>();
  timer->setInterval(0);  // no wait for further changes
  bool drawn = false;
  QObject::connect(chart.plot(), &QCustomPlot::afterReplot, &chart, [&drawn] { drawn = true; });
  std::vector<double> times;
  for (int i = 0; i < frames + 1; ++i) {
    QElapsedTimer clock;
    clock.start();
    drawn = false;
    chart.setHorizontal(range(i));
    while (!drawn) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    chart.repaint();
    if (i > 0) times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);  // the first one builds caches
  }
  QObject::disconnect(chart.plot(), &QCustomPlot::afterReplot, &chart, nullptr);
  std::sort(times.begin(), times.end());
  return times;
}

void put(QJsonObject& out, const QString& name, const std::vector<double>& times) {
  out[name + QStringLiteral("_ms")] = times[times.size() / 2];
  out[name + QStringLiteral("_p99_ms")] = times[std::min(times.size() - 1, times.size() * 99 / 100)];
  out[name + QStringLiteral("_max_ms")] = times.back();
}

void overlay(QJsonObject& out, int runs, int points, int frames) {
  ChartCursor cursor;
  MetricChart chart(lossOptions(), &cursor);
  chart.resize(900, 420);
  chart.show();
  QVector<double> x(points), y(points);
  for (int run = 0; run < runs; ++run) {
    for (int i = 0; i < points; ++i) x[i] = i, y[i] = lossAt(i, points, run);
    chart.setCurve(chart.addCurve({QStringLiteral("run %1").arg(run), run, CurveKind::line}), x, y);
  }
  put(out, QStringLiteral("overlay"), redraws(chart, frames, [&](int i) {
        return Range{0, static_cast<double>(points) * (1 - 0.001 * (i % 50))};
      }));
}

void scroll(QJsonObject& out, qint64 steps, int frames) {
  Series series;
  QElapsedTimer clock;
  clock.start();
  for (qint64 i = 0; i < steps; ++i) {
    const double loss = lossAt(static_cast<double>(i), static_cast<double>(steps), 0);
    series.add(static_cast<double>(i), loss, loss, loss);
  }
  out[QStringLiteral("append_ns_a_step")] = static_cast<double>(clock.nsecsElapsed()) / static_cast<double>(steps);
  ChartCursor cursor;
  MetricChart chart(lossOptions(), &cursor);
  chart.resize(900, 420);
  chart.show();
  chart.setCurve(chart.addCurve({QStringLiteral("steps"), 0, CurveKind::raw}), series.x, series.y);
  chart.setCurve(chart.addCurve({QStringLiteral("smoothed"), 0, CurveKind::line}), series.x, series.y);
  out[QStringLiteral("points_kept")] = static_cast<double>(series.x.size());
  const auto width = static_cast<double>(steps) / 10;
  put(out, QStringLiteral("scroll"), redraws(chart, frames, [&](int i) {
        const double from = (static_cast<double>(steps) - width) * (i % 200) / 200;
        return Range{from, from + width};
      }));
}

int measureCharts(const QStringList& arguments) {
  QCommandLineParser options;
  options.addOptions({{QStringLiteral("runs"), QString(), QStringLiteral("R"), QStringLiteral("20")},
                      {QStringLiteral("points"), QString(), QStringLiteral("N"), QStringLiteral("100000")},
                      {QStringLiteral("steps"), QString(), QStringLiteral("S"), QStringLiteral("10000000")},
                      {QStringLiteral("frames"), QString(), QStringLiteral("F"), QStringLiteral("100")},
                      {QStringLiteral("json"), QString()}});
  options.process(arguments);
  const auto number = [&](const char* name) { return options.value(QLatin1String(name)).toLongLong(); };
  const int frames = static_cast<int>(std::max<qint64>(1, number("frames")));
  QJsonObject out{{QStringLiteral("runs"), number("runs")},
                  {QStringLiteral("points"), number("points")},
                  {QStringLiteral("steps"), number("steps")}};
  overlay(out, static_cast<int>(number("runs")), static_cast<int>(number("points")), frames);
  scroll(out, number("steps"), frames);
  const bool json = options.isSet(QStringLiteral("json"));
  std::puts(QJsonDocument(out).toJson(json ? QJsonDocument::Compact : QJsonDocument::Indented).constData());
  return 0;
}

}  // namespace
}  // namespace nw::ui

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  nw::ui::applyTheme(nw::ui::ThemeMode::light);
  return nw::ui::measureCharts(app.arguments());
}
