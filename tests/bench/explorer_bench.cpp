// SPDX-License-Identifier: GPL-3.0-or-later
// explorer_bench [--samples N] [--frames F] [--json]: how long the explorer takes for a frame while a wheel turns, while the bar is
// dragged and while keys move, over N samples whose pictures come from a helper that answers at once; how long a filter and an order
// take. 1200 x 800, software rendering, without a screen. It prints what it measured and judges nothing.
#include <QApplication>
#include <QCommandLineParser>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScrollBar>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/data/explorer.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

Message labels_of(int count) {
  std::vector<std::int32_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  for (int i = 0; i < count; ++i) numbers.push_back(i % 10);
  Message m{Json{{"ok", true}, {"count", count}, {"test_set", false}}, {}};
  m.payload.resize(numbers.size() * 4);
  std::memcpy(m.payload.data(), numbers.data(), m.payload.size());
  return m;
}

/// Median and 99th percentile of frames, each a step of the gesture, its events and its paint.
void measure(QJsonObject& out, const QString& name, Explorer& e, int frames, const std::function<void(int)>& step) {
  std::vector<double> times;
  for (int i = 0; i < frames; ++i) {
    const Clock::time_point begin = Clock::now();
    step(i);
    QCoreApplication::processEvents();
    e.grid().viewport()->repaint();
    times.push_back(since(begin));
  }
  std::sort(times.begin(), times.end());
  out[name + QStringLiteral("_ms")] = times[times.size() / 2];
  out[name + QStringLiteral("_p99_ms")] = times[std::min(times.size() - 1, times.size() * 99 / 100)];
}

QJsonObject run(int samples, int frames) {
  FakeHelper helper([samples](const Message& request) {
    const std::string what = request.json["do"];
    if (what == "labels") return labels_of(samples);
    return fake_answer(request);
  });
  HelperClient::setDefaultLauncher(helper.launcher());
  QJsonObject out{{"samples", samples}};
  {
    Session session;
    Explorer explorer(session);
    explorer.resize(1200, 800);
    explorer.show();
    const Clock::time_point begin = Clock::now();
    eventually([&] { return explorer.model().count() == samples; });
    out["open_ms"] = since(begin);
    QScrollBar& bar = *explorer.grid().verticalScrollBar();
    measure(out, QStringLiteral("wheel"), explorer, frames, [&](int) { bar.setValue(bar.value() + 40); });
    measure(out, QStringLiteral("drag"), explorer, frames, [&](int i) { bar.setValue(static_cast<int>(static_cast<double>(bar.maximum()) * i / frames)); });
    explorer.grid().setCurrent(0);
    measure(out, QStringLiteral("keys"), explorer, frames, [&](int) { explorer.grid().setCurrent(explorer.grid().current() + explorer.grid().columns()); });
    const auto timed = [&](const char* name, const std::function<void()>& act) {
      const Clock::time_point start = Clock::now();
      act();
      explorer.grid().viewport()->repaint();
      out[QLatin1String(name)] = since(start);
    };
    timed("filter_ms", [&] { explorer.model().setClass(3); });
    timed("all_ms", [&] { explorer.model().setClass(-1); });
    timed("by_class_ms", [&] { explorer.model().setOrder(ExplorerModel::Order::label); });
    timed("scattered_ms", [&] { explorer.model().setOrder(ExplorerModel::Order::scattered); });
    out["pictures_asked_for"] = explorer.pictures().askedFor();
  }
  HelperClient::setDefaultLauncher({});
  return out;
}

}  // namespace
}  // namespace nw::ui

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  nw::ui::applyTheme(nw::ui::ThemeMode::dark);
  QCommandLineParser parser;
  parser.addOptions({{QStringLiteral("samples"), QStringLiteral("How many."), QStringLiteral("N"), QStringLiteral("1000000")},
                     {QStringLiteral("frames"), QStringLiteral("Of each gesture."), QStringLiteral("F"), QStringLiteral("300")}, {QStringLiteral("json"), QStringLiteral("One line.")}});
  parser.process(app);
  const QJsonObject result = nw::ui::run(parser.value(QStringLiteral("samples")).toInt(), std::max(1, parser.value(QStringLiteral("frames")).toInt()));
  std::printf("%s\n", QJsonDocument(result).toJson(parser.isSet(QStringLiteral("json")) ? QJsonDocument::Compact : QJsonDocument::Indented).constData());
  return 0;
}
