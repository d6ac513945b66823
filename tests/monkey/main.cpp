// SPDX-License-Identifier: GPL-3.0-or-later
// netwright_monkey: plays random input in the real window and checks what must hold after every step.
//
//   netwright_monkey --seed 7 --steps 2000     the same seed plays the same steps
//   netwright_monkey --seed 7 --seconds 60
//   netwright_monkey --replay FILE             steps from a file, one in a line
//
// Each step is written to the file of --log before it is played, so that a step that ends the process is known.
// tests/monkey/monkey.py runs many seeds and shortens the sequence of a failure. Exit code 1: something did not hold.
#include <QApplication>
#include <QCommandLineParser>
#include <QDesktopServices>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <utility>

#include "tests/monkey/gap_clock.hpp"
#include "tests/monkey/invariants.hpp"
#include "tests/monkey/player.hpp"
#include "tests/monkey/sample_files.hpp"
#include "tests/monkey/sample_runs.hpp"
#include "tests/monkey/throw_place.hpp"
#include "ui/page/actions.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int undo_every = 100, layout_every = 5, longest_animation_ms = 350;

struct Options {
  std::uint64_t seed = 1;
  long steps = 1000;
  double seconds = 1e9;
  QString replay, log, pictures;
  bool layout = true;
};

class Monkey : public QObject {
 public:
  Monkey(const Options& options, WindowHost& host, const QStringList& files)
      : options_(options), host_(host), player_(host, files), source_(options.seed) {
    if (!options.log.isEmpty()) log_.open(options.log.toStdString());
    if (!options.replay.isEmpty()) readSteps();
    total_.start();
    QTimer::singleShot(0, this, &Monkey::tick);
  }
  int report() const {
    std::printf("%ld steps in %.0f s; %s", played_, double(total_.elapsed()) / 1000, qPrintable(gaps_.report()));
    for (const auto& [fault, count] : faults_) std::printf("%5ld × %s\n", count, qPrintable(fault));
    return failed_ || (options_.layout && !faults_.empty()) ? 1 : 0;
  }
  /// A warning of Qt: what painted or laid out something impossible.
  void warn(const QString& message) { count(QStringLiteral("Qt warns: %1").arg(message)); }
  void fail(const QString& sentence) {
    failed_ = true;
    std::printf("FAILED at step %ld (%s): %s\n", played_, qPrintable(player_.description()), qPrintable(sentence));
    leave();
  }

 private:
  void readSteps() {
    std::ifstream in(options_.replay.toStdString());
    for (std::string line; std::getline(in, line);)
      if (const auto step = step_of(line)) replay_.push_back(*step);
    options_.steps = static_cast<long>(replay_.size());
  }
  /// Every second seed begins in Chinese.
  Step next() {
    if (!options_.replay.isEmpty()) return replay_[static_cast<std::size_t>(played_)];
    return played_ > 0 ? source_.next() : Step{StepKind::language, static_cast<std::uint32_t>(options_.seed), 0, 0};
  }
  bool over() const { return played_ >= options_.steps || double(total_.elapsed()) / 1000 >= options_.seconds; }
  /// Ends the process at once, also inside the event loops of dialogs.
  void leave() {
    if (const qint64 pid = host_.workplace().session.run().processId(); pid > 0)
      ::kill(static_cast<pid_t>(pid), SIGKILL);
    const int code = report();
    std::fflush(stdout);
    std::_Exit(code);
  }
  /// One step. The event loop of a dialog calls this again before play() returns; the events that QTest processes while
  /// it sends one do not.
  void tick() {
    const int level = QThread::currentThread()->loopLevel();
    if (level <= level_) return QTimer::singleShot(1, this, &Monkey::tick);
    check();
    if (over()) return leave();
    const Step step = next();
    ++played_;
    if (log_.is_open()) log_ << line_of(step) << std::endl;
    const int pause = step.kind == StepKind::wait ? static_cast<int>(step.b % 300) : 0;
    gaps_.begin(pause);
    QTimer::singleShot(pause, this, &Monkey::tick);
    const int outer = std::exchange(level_, level);
    player_.play(step);
    level_ = outer;
    if (log_.is_open()) log_ << "# " << player_.description().toStdString() << std::endl;
  }
  void check() {
    if (played_ > 0) gaps_.end(player_.description());
    if (const QString broken = brokenSelection(host_); !broken.isEmpty()) fail(broken);
    const bool alone = !QApplication::activeModalWidget() && !QApplication::activePopupWidget();
    if (played_ % undo_every == undo_every - 1 && alone)
      if (const QString broken = brokenUndo(host_); !broken.isEmpty()) fail(broken);
    settleLayout();
    if (options_.layout && alone && played_ % layout_every == 0 && played_ > 0)
      for (const QString& fault : lastingFaults()) count(fault);
  }
  /// A layout within a layout is asked by the next request only.
  static void settleLayout() {
    for (int i = 0; i < 4; ++i) QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  }
  /// A panel that opens slides over its neighbours for a moment: only what is still there afterwards is a fault.
  QStringList lastingFaults() {
    QStringList faults = layoutFaults(host_.window());
    if (faults.isEmpty()) return faults;
    for (int look = 0; look < 2 && !faults.isEmpty(); ++look) {  // an analysis may have ended just now
      QTest::qWait(longest_animation_ms);
      settleLayout();
      const QStringList lasting = layoutFaults(host_.window());
      faults.removeIf([&](const QString& fault) { return !lasting.contains(fault); });
    }
    return faults;
  }
  void count(const QString& fault) {
    if (++faults_[fault] > 1) return;
    std::printf("step %ld (%s), %d×%d, page %s: %s\n", played_, qPrintable(player_.description()),
                host_.window().width(), host_.window().height(), qPrintable(host_.window().currentPage()),
                qPrintable(fault));
    if (!options_.pictures.isEmpty())
      host_.window().grab().save(QStringLiteral("%1/step-%2.png").arg(options_.pictures).arg(played_));
  }

  Options options_;
  WindowHost& host_;
  Player player_;
  StepSource source_;
  std::vector<Step> replay_;
  std::ofstream log_;
  QElapsedTimer total_;
  GapClock gaps_;
  long played_ = 0;
  int level_ = 0;  // of the event loop in which a step is being played
  std::map<QString, long> faults_;
  bool failed_ = false;
};

/// Reports an exception that leaves an event handler, with the step that caused it.
class GuardedApplication : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    try {
      return QApplication::notify(receiver, event);
    } catch (const std::exception& e) {
      std::fflush(stdout);
      printThrowPlace();
      if (monkey) monkey->fail(QStringLiteral("exception: %1").arg(QString::fromUtf8(e.what())));
      throw;
    }
  }
  Monkey* monkey = nullptr;
};

Options optionsOf(const QApplication& app) {
  QCommandLineParser parser;
  parser.addOptions(
      {{QStringLiteral("seed"), QStringLiteral("draws the steps"), QStringLiteral("N")},
       {QStringLiteral("steps"), QStringLiteral("how many"), QStringLiteral("N")},
       {QStringLiteral("seconds"), QStringLiteral("how long"), QStringLiteral("S")},
       {QStringLiteral("replay"), QStringLiteral("file of steps"), QStringLiteral("FILE")},
       {QStringLiteral("log"), QStringLiteral("writes the steps"), QStringLiteral("FILE")},
       {QStringLiteral("pictures"), QStringLiteral("saves the window at the first sight of a fault"),
        QStringLiteral("DIR")},
       {QStringLiteral("no-layout"), QStringLiteral("does not check texts and positions, lists warnings")}});
  parser.process(app);
  Options o;
  if (parser.isSet(QStringLiteral("seed"))) o.seed = parser.value(QStringLiteral("seed")).toULongLong();
  if (parser.isSet(QStringLiteral("seconds")))
    o.seconds = parser.value(QStringLiteral("seconds")).toDouble(), o.steps = 1L << 40;
  if (parser.isSet(QStringLiteral("steps"))) o.steps = parser.value(QStringLiteral("steps")).toLong();
  o.replay = parser.value(QStringLiteral("replay"));
  o.log = parser.value(QStringLiteral("log"));
  o.pictures = parser.value(QStringLiteral("pictures"));
  o.layout = !parser.isSet(QStringLiteral("no-layout"));
  return o;
}

/// No file of the user is read or written.
void useOwnFolders(const QTemporaryDir& home) {
  for (const char* place :
       {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"}) {
    const QString folder = home.filePath(QString::fromLatin1(place).toLower());
    QDir().mkpath(folder);
    QFile::setPermissions(folder, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    qputenv(place, folder.toLocal8Bit());
  }
  for (const char* name : {"runs", "queue"})
    qputenv(QByteArray("NETWRIGHT_").append(QByteArray(name).toUpper()).constData(),
            home.filePath(QLatin1String(name)).toLocal8Bit());
}

/// Takes the place of the file manager and the browser.
class NoDesktop : public QObject {
  Q_OBJECT
 public Q_SLOTS:
  void open(const QUrl&) {}
};

/// Three screens whose device pixel ratios differ.
void useOwnScreens(const QTemporaryDir& home) {
  constexpr std::pair<const char*, double> screens[] = {{"one", 1}, {"high", 2}, {"odd", 1.5}};
  QJsonArray all;
  int x = 0;
  for (const auto& [name, ratio] : screens) {
    all << QJsonObject{{QStringLiteral("name"), QLatin1String(name)},
                       {QStringLiteral("x"), x},
                       {QStringLiteral("y"), 0},
                       {QStringLiteral("width"), 3840},
                       {QStringLiteral("height"), 2160},
                       {QStringLiteral("dpr"), ratio}};
    x += 3840;
  }
  QFile file(home.filePath(QStringLiteral("screens.json")));
  if (file.open(QIODevice::WriteOnly))
    file.write(QJsonDocument(QJsonObject{{QStringLiteral("screens"), all}}).toJson());
  qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + QFile::encodeName(file.fileName()));
}

Monkey* monkeyAtWork = nullptr;

void takeMessage(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtDebugMsg || type == QtInfoMsg || message.startsWith(QLatin1String("This plugin does not support")) ||
      message.startsWith(QLatin1String("Mouse event at")))  // QTest's own: the window became smaller meanwhile
    return;
  std::fprintf(stderr, "%s\n", qPrintable(message));
  if (!monkeyAtWork || QThread::currentThread() != monkeyAtWork->thread()) return;
  if (type == QtFatalMsg)
    monkeyAtWork->fail(message);
  else
    monkeyAtWork->warn(message);
}

}  // namespace

int runMonkey(int argc, char** argv) {
  const QTemporaryDir home;
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || qgetenv("QT_QPA_PLATFORM") == "offscreen") useOwnScreens(home);
  useOwnFolders(home);
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  GuardedApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("netwright"));
  QCoreApplication::setApplicationName(QStringLiteral("netwright"));
  applyTheme(ThemeMode::light);
  NoDesktop none;
  for (const char* scheme : {"file", "http", "https"})
    QDesktopServices::setUrlHandler(QLatin1String(scheme), &none, "open");
  const QStringList files = writeSampleFiles(home.path());
  const auto place = [&](const char* name) { return fs::path(home.filePath(QLatin1String(name)).toStdString()); };
  writeSampleRuns(place("runs"), place("queue"), files.front().toStdString());
  WindowHost host(StartOptions{files.front(), {}});
  host.window().resize(1366, 768);
  if (!QTest::qWaitForWindowExposed(&host.window())) return 2;
  Monkey monkey(optionsOf(app), host, files);
  app.monkey = monkeyAtWork = &monkey;
  qInstallMessageHandler(takeMessage);
  action(QStringLiteral("quit"))->setEnabled(false);  // its menu entry would end the seed
  QApplication::exec();
  std::printf("The window was closed.\n");
  const int code = monkey.report();
  monkeyAtWork = app.monkey = nullptr;
  return code;
}

}  // namespace nw::ui

#include "main.moc"

int main(int argc, char** argv) { return nw::ui::runMonkey(argc, argv); }
