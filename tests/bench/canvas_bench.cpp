// SPDX-License-Identifier: GPL-3.0-or-later
// canvas_bench [--nodes N] [--frames F] [--only VIEW/GESTURE] [--json]: measures the time per frame while the canvas is
// panned, zoomed and dragged, at 1600 x 1000, once with all nodes in view and once at 100 %; the time to open a
// project; the time from the start of the window's process to its first paint. Software rendering, without a screen. It
// prints the measurements; there is no pass or fail.
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMouseEvent>
#include <QProcess>
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "engine/backend/devices.hpp"
#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/canvas_positions.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/window/main_window.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A network of residual groups (convolution, norm, activation, sum) in columns with a screen's aspect ratio.
GraphDoc drawing(int nodes) {
  GraphDoc doc;
  Edit edit;
  const int columns = std::max(1, static_cast<int>(std::lround(std::sqrt(nodes * 90.0 * 1.6 / 340.0)))),
            rows = (nodes + columns - 1) / columns;
  NodeId before = 0, skip = 0;
  for (int i = 0; i < nodes; ++i) {
    const NodeId id = i + 1;
    const int step = i == 0 ? -1 : i % 4;
    Node node{.type = i == 0      ? "Input"
                      : step == 0 ? "Add"
                      : step == 1 ? "Conv2d"
                      : step == 2 ? "BatchNorm2d"
                                  : "ReLU",
              .name = "n" + std::to_string(i)};
    if (node.type == "Conv2d")
      node.attrs = {{"out_channels", std::int64_t{16}}, {"padding", std::vector<std::int64_t>{1, 1}}};
    if (node.type == "Conv2d" && i == 1) node.attrs["out_channels"] = std::int64_t{16};
    node.position = {340.0 * (i / rows), 90.0 * (i % rows)};
    edit.push_back(PutNode{"", id, node});
    if (before) edit.push_back(PutConnection{"", {before, 0, id, 0}, true});
    if (step == 0 && skip) edit.push_back(PutConnection{"", {skip, 0, id, 1}, true});
    if (step == 0 || i == 3) skip = id;
    before = id;
  }
  if (const auto drawn = doc.apply(edit); !drawn) std::fprintf(stderr, "%s\n", drawn.error().str().c_str());
  return doc;
}

/// Counts the paint events that are executed.
class Paints : public QObject {
 public:
  explicit Paints(QWidget& watched) { watched.installEventFilter(this); }
  int count = 0;
  bool eventFilter(QObject*, QEvent* event) override {
    count += event->type() == QEvent::Paint;
    return false;
  }
};

class Frames {
 public:
  /// The time from an input event to the end of the frame that shows it.
  void time(Paints& paints, const auto& change) {
    const int before = paints.count;
    const auto start = Clock::now();
    change();
    while (paints.count == before && since(start) < 2000) QCoreApplication::processEvents();
    times_.push_back(since(start));
  }
  void report(QJsonObject& into, const char* name) {
    if (times_.empty()) return;
    std::sort(times_.begin(), times_.end());
    const auto at = [this](double share) {
      return times_[static_cast<std::size_t>(share * static_cast<double>(times_.size() - 1))];
    };
    into[QLatin1String(name) + QLatin1String("_median_ms")] = at(0.5);
    into[QLatin1String(name) + QLatin1String("_p99_ms")] = at(0.99);
  }

 private:
  std::vector<double> times_;
};

void mouse(GraphView& view, QEvent::Type type, QPoint at) {
  const bool move = type == QEvent::MouseMove;
  QMouseEvent event(type, at, view.viewport()->mapToGlobal(at), move ? Qt::NoButton : Qt::LeftButton,
                    type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(view.viewport(), &event);
}

NodeId nodeInTheMiddle(GraphView& view) {
  const QPointF middle = view.mapToScene(view.viewport()->rect().center());
  const auto& all = view.graph().elements().nodes();
  return std::min_element(all.begin(), all.end(),
                          [&](const auto& a, const auto& b) {
                            return QLineF(a.second->pos(), middle).length() < QLineF(b.second->pos(), middle).length();
                          })
      ->first;
}

/// `only`: "pan", "zoom" or "drag", to profile one gesture; empty: all.
QJsonObject measure(Canvas& canvas, const char* name, int frames, const QString& only) {
  GraphView& view = canvas.view();
  const auto count = [&](const char* gesture) { return only.isEmpty() || only == QLatin1String(gesture) ? frames : 0; };
  QJsonObject found{{"type", "frames"},
                    {"view", name},
                    {"nodes", static_cast<int>(view.graph().elements().nodes().size())},
                    {"zoom", view.camera().zoom()}};
  Frames pan, zoom, drag;
  Paints paints(*view.viewport());
  for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  for (int i = 0; i < count("pan"); ++i)
    pan.time(paints, [&] { view.camera().scrollBy({i % 20 < 10 ? 7.0 : -7.0, i % 8 < 4 ? 5.0 : -5.0}); });
  const qreal start = view.camera().zoom();
  for (int i = 0; i < count("zoom"); ++i)
    zoom.time(paints, [&] {
      view.camera().setZoom(start * (1 + 0.01 * (i % 20 < 10 ? i % 10 : 10 - i % 10)),
                            view.viewport()->rect().center());
    });
  view.camera().setZoom(start, view.viewport()->rect().center());
  const QPoint at = nodePosition(view, nodeInTheMiddle(view));
  mouse(view, QEvent::MouseButtonPress, at);
  for (int i = 0; i < count("drag"); ++i)
    drag.time(paints, [&] { mouse(view, QEvent::MouseMove, at + QPoint(10 + 3 * (i % 30), 10 + 2 * (i % 20))); });
  view.cancel();
  mouse(view, QEvent::MouseButtonRelease, at);
  pan.report(found, "pan");
  zoom.report(found, "zoom");
  drag.report(found, "drag");
  return found;
}

/// From a file to nodes on the canvas of the main window; the analysis runs later, off the GUI thread.
QJsonObject measureOpening(int nodes, const QString& folder) {
  const QString path = folder + QStringLiteral("/big.netwright");
  if (!ProjectFile::save(drawing(nodes), path.toStdString())) return {};
  AppState work;
  MainWindow window(work);
  window.show();
  window.showPage(QStringLiteral("design"));
  QCoreApplication::processEvents();
  auto start = Clock::now();
  const Status opened = work.session.open(path);
  window.repaint();
  const double shown = since(start);
  QCoreApplication::processEvents();
  const double settled = since(start);
  double longest = 0;
  while (!work.session.analysisCurrent() && since(start) < 60000) {
    const auto turn = Clock::now();
    QCoreApplication::processEvents(QEventLoop::AllEvents);
    longest = std::max(longest, since(turn));
  }
  return {{"type", "open"},
          {"ok", static_cast<bool>(opened)},
          {"nodes", nodes},
          {"open_ms", shown},
          {"lists_ms", settled},
          {"analysed_ms", since(start)},
          {"longest_turn_ms", longest}};
}

QJsonObject measureResNet(const QString& folder) {
  const QString path = folder + QStringLiteral("/resnet50.netwright");
  GraphDoc made = find_template("resnet50")->make();
  if (!ProjectFile::save(made, path.toStdString())) return {};
  auto found = resolve_devices({"cpu"}, 0);
  Target target;
  if (found && !found->empty()) target.device = found->front().device.get();
  const auto start = Clock::now();
  const auto doc = ProjectFile::load(path.toStdString());
  const double loaded = since(start);
  const bool compiled = doc && compile(*doc, target);
  const double all = since(start);
  return {{"type", "resnet50"}, {"ok", compiled}, {"load_ms", loaded}, {"open_and_compile_ms", all}};
}

/// Runs in a child process: from its start, whose time the parent passes, to the first paint of the window.
int startUp(qint64 began) {
  AppState work;
  MainWindow window(work);
  Paints paints(window);
  window.show();
  window.showPage(QStringLiteral("welcome"));
  while (paints.count == 0) QCoreApplication::processEvents();
  const qint64 now = Clock::now().time_since_epoch().count();
  std::printf("%.1f\n", static_cast<double>(now - began) / 1e6);
  return 0;
}

QJsonObject measureStart() {
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    QProcess child;
    child.start(QCoreApplication::applicationFilePath(),
                {QStringLiteral("--started-at"), QString::number(Clock::now().time_since_epoch().count())});
    if (child.waitForFinished(60000)) times.push_back(child.readAllStandardOutput().trimmed().toDouble());
  }
  if (times.empty()) return {};
  const double first = times.front();
  std::sort(times.begin(), times.end());
  return {{"type", "start"}, {"first_ms", first}, {"median_ms", times[times.size() / 2]}};
}

void print(const QJsonObject& found, bool json) {
  if (json) return void(std::printf("%s\n", QJsonDocument(found).toJson(QJsonDocument::Compact).constData()));
  std::printf("%s", qPrintable(found.value(QLatin1String("type")).toString()));
  for (auto it = found.begin(); it != found.end(); ++it)
    if (it.key() != QLatin1String("type"))
      std::printf("  %s %s", qPrintable(it.key()),
                  qPrintable(it.value().isDouble() ? QString::number(it.value().toDouble(), 'f', 2)
                                                   : it.value().toVariant().toString()));
  std::printf("\n");
}

}  // namespace
}  // namespace nw::ui

int main(int argc, char** argv) {
  using namespace nw::ui;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QTemporaryDir home;
  for (const char* place : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
    qputenv(place, home.filePath(QString::fromLatin1(place).toLower()).toLocal8Bit());
  QApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("netwright"));
  QCoreApplication::setApplicationName(QStringLiteral("netwright"));
  applyTheme(ThemeMode::dark);
  QCommandLineParser parser;
  parser.addHelpOption();
  parser.addOptions(
      {{QStringLiteral("nodes"), QStringLiteral("How many layers are drawn."), QStringLiteral("N"),
        QStringLiteral("1000")},
       {QStringLiteral("frames"), QStringLiteral("Frames per gesture."), QStringLiteral("F"), QStringLiteral("120")},
       {QStringLiteral("only"),
        QStringLiteral("One gesture in one view, for a profiler: all or 100, a slash, pan, zoom or drag."),
        QStringLiteral("VIEW/GESTURE")},
       {QStringLiteral("json"), QStringLiteral("One JSON object a line.")},
       {QStringLiteral("started-at"), QStringLiteral("For the children that time their start."),
        QStringLiteral("NS")}});
  parser.process(app);
  if (parser.isSet(QStringLiteral("started-at")))
    return startUp(parser.value(QStringLiteral("started-at")).toLongLong());
  const int nodes = std::max(2, parser.value(QStringLiteral("nodes")).toInt()),
            frames = std::max(2, parser.value(QStringLiteral("frames")).toInt());
  const bool json = parser.isSet(QStringLiteral("json"));
  const QString view = parser.value(QStringLiteral("only")).section(u'/', 0, 0),
                gesture = parser.value(QStringLiteral("only")).section(u'/', 1);
  {
    Session session;
    Canvas canvas(session);
    canvas.resize(1600, 1000);
    canvas.show();
    session.replace(drawing(nodes), {}, QStringLiteral("bench"));
    while (!session.analysisCurrent()) QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    canvas.view().camera().fitAll();
    if (view.isEmpty() || view == QLatin1String("all")) print(measure(canvas, "all", frames, gesture), json);
    canvas.view().camera().setZoom(1, canvas.view().viewport()->rect().center());
    if (view.isEmpty() || view == QLatin1String("100")) print(measure(canvas, "100", frames, gesture), json);
  }
  if (!view.isEmpty()) return 0;
  print(measureOpening(nodes, home.path()), json);
  print(measureResNet(home.path()), json);
  print(measureStart(), json);
  return 0;
}
