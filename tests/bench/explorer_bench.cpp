// SPDX-License-Identifier: GPL-3.0-or-later
// explorer_bench [--samples N] [--frames F] [--folder DIR] [--json]: measures the explorer's time per frame while it is
// scrolled by wheel, scroll bar and keys, over N samples whose thumbnails come from a helper that responds at once; the
// time to filter and to sort; frames of the Predict page's map of 2 000 images. With a folder (of train/CLASS/*.jpg and
// test/CLASS/*.jpg): the same for that folder's images, which the netwright-cli serve beside this program decodes while
// the wheel is turned by a notch every 100 ms, with frames 16 ms apart; longer frames are counted. 1200 x 800, software
// rendering, without a screen. It prints the measurements; there is no pass or fail.
#include <QApplication>
#include <QCommandLineParser>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QScrollBar>
#include <QThread>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "engine/design/project_file.hpp"
#include "tests/ui/predict/fake_helper.hpp"
#include "ui/data/explorer.hpp"
#include "ui/predict/explain/map_view.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Message labels_of(int count) {
  std::vector<std::int32_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  for (int i = 0; i < count; ++i) numbers.push_back(i % 10);
  Message m{Json{{"ok", true}, {"count", count}, {"test_set", false}}, {}};
  m.payload.resize(numbers.size() * 4);
  std::memcpy(m.payload.data(), numbers.data(), m.payload.size());
  return m;
}

/// Median, 99th percentile and maximum of the frames; a frame is a step of the gesture, its events and its paint.
void measure(QJsonObject& out, const QString& name, QWidget& painted, int frames,
             const std::function<void(int)>& step) {
  std::vector<double> times;
  for (int i = 0; i < frames; ++i) {
    const Clock::time_point begin = Clock::now();
    step(i);
    QCoreApplication::processEvents();
    painted.repaint();
    times.push_back(since(begin));
  }
  std::sort(times.begin(), times.end());
  out[name + QStringLiteral("_ms")] = times[times.size() / 2];
  out[name + QStringLiteral("_p99_ms")] = times[std::min(times.size() - 1, times.size() * 99 / 100)];
  out[name + QStringLiteral("_max_ms")] = times.back();
}

/// Frames of 16 ms: the step, all pending events, the paint; events are processed for the rest of the time.
void measureLive(QJsonObject& out, const QString& name, Explorer& e, const std::function<bool(int)>& step) {
  std::vector<double> times;
  for (int i = 0; step(i); ++i) {
    const Clock::time_point begin = Clock::now();
    e.grid().viewport()->update();
    QCoreApplication::processEvents();  // also paints
    times.push_back(since(begin));
    while (since(begin) < 16) {
      const Clock::time_point event = Clock::now();
      QCoreApplication::processEvents();
      times.back() = std::max(times.back(), since(event));  // an event that takes long counts as a long frame
      QThread::usleep(300);
    }
  }
  std::sort(times.begin(), times.end());
  out[name + QStringLiteral("_ms")] = times[times.size() / 2];
  out[name + QStringLiteral("_p99_ms")] = times[std::min(times.size() - 1, times.size() * 99 / 100)];
  out[name + QStringLiteral("_max_ms")] = times.back();
  out[name + QStringLiteral("_frames")] = static_cast<int>(times.size());
  out[name + QStringLiteral("_over_16_ms")] =
      static_cast<int>(times.end() - std::upper_bound(times.begin(), times.end(), 16.0));
}

/// A real helper process reads a real folder: frames while it opens and decodes the folder, then while the explorer is
/// scrolled and thumbnails arrive.
QJsonObject runFolder(const QString& folder, int frames) {
  QJsonObject out;
  Session session;
  GraphDoc doc = find_template("lenet5")->make();
  DataChoice data = doc.data();
  data.kind = SourceKind::image_folder;
  data.path = folder.toStdString();
  if (!doc.apply({PutData{data}})) return out;
  session.replace(doc, {}, QStringLiteral("bench"));
  Explorer explorer(session);
  explorer.resize(1200, 800);
  explorer.show();
  const Clock::time_point begin = Clock::now();
  measureLive(out, QStringLiteral("folder_opening"), explorer,
              [&](int) { return explorer.model().count() == 0 && since(begin) < 300000; });
  out[QStringLiteral("folder_open_ms")] = since(begin);
  out[QStringLiteral("folder_images")] = explorer.model().count();
  QScrollBar& bar = *explorer.grid().verticalScrollBar();
  int seen = 0, there = 0;
  measureLive(out, QStringLiteral("folder_wheel"), explorer, [&](int i) {
    if (i % 6 == 0) bar.setValue(bar.value() + 120);
    const auto [first, count] = explorer.grid().inView();
    for (int row = first; row < first + count; ++row, ++seen)
      there += explorer.pictures().picture(explorer.model().index(row)) != nullptr;
    return i < frames;
  });
  out[QStringLiteral("folder_cells_with_picture_share")] = seen > 0 ? static_cast<double>(there) / seen : 0;
  out[QStringLiteral("folder_pictures_asked_for")] = explorer.pictures().askedFor();
  return out;
}

/// The Predict page's map with the number of images that it requests: while thumbnails arrive, while zooming, while
/// panning.
void measureMap(QJsonObject& out, int frames) {
  constexpr int images = 2000;
  Session session;
  PredictSource source(session.helper());
  source.setWeights(QStringLiteral("/tmp/runs/a-run"), QStringLiteral("best"));
  eventually([&] { return source.view() != nullptr; });
  ThumbnailStore thumbnails(source);
  MapCanvas map(source, thumbnails);
  map.resize(1200, 800);
  map.show();
  FeatureMap all;
  for (int i = 0; i < images; ++i)
    all.points.push_back({std::fmod(i * 0.618034, 1.0), std::fmod(i * 0.754878, 1.0), i, i % 10});
  map.setMap(all);
  const auto press = [&](int key) {
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
    QApplication::sendEvent(&map, &event);
  };
  measure(out, QStringLiteral("map_filling"), map, frames, [](int) {});
  eventually([&] { return map.drawnThumbnails() == images; });
  out[QStringLiteral("map_images")] = map.drawnThumbnails();
  measure(out, QStringLiteral("map_whole"), map, frames, [](int) {});
  measure(out, QStringLiteral("map_zoom"), map, frames,
          [&](int i) { press(i / 10 % 2 == 0 ? Qt::Key_Plus : Qt::Key_Minus); });
}

QJsonObject run(int samples, int frames) {
  FakeHelper helper([samples](const Message& request) {
    const std::string what = request.json["do"];
    if (what == "labels") return labels_of(samples);
    return fake_response(request);
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
    QWidget& painted = *explorer.grid().viewport();
    measure(out, QStringLiteral("wheel"), painted, frames, [&](int) { bar.setValue(bar.value() + 40); });
    measure(out, QStringLiteral("drag"), painted, frames,
            [&](int i) { bar.setValue(static_cast<int>(static_cast<double>(bar.maximum()) * i / frames)); });
    explorer.grid().setCurrent(0);
    measure(out, QStringLiteral("keys"), painted, frames,
            [&](int) { explorer.grid().setCurrent(explorer.grid().current() + explorer.grid().columns()); });
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
  measureMap(out, frames);
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
  parser.addOptions(
      {{QStringLiteral("samples"), QStringLiteral("How many."), QStringLiteral("N"), QStringLiteral("1000000")},
       {QStringLiteral("frames"), QStringLiteral("Of each gesture."), QStringLiteral("F"), QStringLiteral("300")},
       {QStringLiteral("folder"), QStringLiteral("Photos in class folders."), QStringLiteral("DIR")},
       {QStringLiteral("json"), QStringLiteral("One line.")}});
  parser.process(app);
  const int frames = std::max(1, parser.value(QStringLiteral("frames")).toInt());
  const QString folder = parser.value(QStringLiteral("folder"));
  const QJsonObject result = folder.isEmpty() ? nw::ui::run(parser.value(QStringLiteral("samples")).toInt(), frames)
                                              : nw::ui::runFolder(folder, frames);
  std::printf("%s\n",
              QJsonDocument(result)
                  .toJson(parser.isSet(QStringLiteral("json")) ? QJsonDocument::Compact : QJsonDocument::Indented)
                  .constData());
  return 0;
}
