// SPDX-License-Identifier: GPL-3.0-or-later
// netwright_gallery [--check] [--runs FOLDER] [--scales LIST] [--window WxH] [--part N/M] OUT_DIR [PATTERN]: renders
// every screen in every theme and both languages at 100 % and, in one child process each, at the scales of LIST
// (default: 200 %). With --window only the screens that show the whole window, at that size; with --part every M-th
// screen, from the N-th on.
// The runs on the screens are trained first, unless --runs gives a folder that holds them; they stay in that folder.
// With --copied they are copied: screens write into them.
// With --check the program fails when a picture is blank, an icon is missing or a letter has no glyph, keeps the
// pictures of such screens alone, and has high contrast in one language and scale; with NETWRIGHT_LONG=1 in all of
// them, at more scales.
// --rules: it fails, too, when a screen breaks a rule of screen_rules.hpp and exceptions.cpp does not say that it may.
// --expected FOLDER compares the text form of each screen with the file there, --write-expected FOLDER writes it.
// A line for each window says the seconds of processor time that it took.
#include <sys/resource.h>
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#if defined(NW_FAKE_GPU)
#include "tests/gallery/gpu_screens.hpp"
#include "tests/support/fake_machine.hpp"
#endif
#include "tests/gallery/judgement.hpp"
#include "tests/gallery/lane_screens.hpp"
#include "tests/gallery/screens.hpp"
#include "tests/gallery/trained_runs.hpp"
#include "ui/session/fit_estimator.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr const char* childVariable = "NW_GALLERY_CHILD";
constexpr int skipped = 77;
QStringList complaints;

void complain(const QString& what) {
  if (complaints.contains(what)) return;
  complaints << what;
  std::fprintf(stderr, "%s\n", qPrintable(what));
}

void listen(QtMsgType type, const QMessageLogContext&, const QString& text) {
  if (type != QtDebugMsg && !text.contains(QLatin1String("propagateSizeHints")))
    std::fprintf(stderr, "%s\n", qPrintable(text));
  if (text.startsWith(QLatin1String("No icon"))) complain(text);
}

/// The size of a screen's widget; none: with --window, screens of another size are left out.
QSize sizeOf(const Screen& screen, QSize window) {
  return !window.isValid() ? screen.size : screen.size == wholeWindow ? window : QSize();
}

std::vector<Screen> allScreens() {
  std::vector<Screen> all = screens();
#if defined(NW_FAKE_GPU)
  all.insert(all.end(), gpuScreens().begin(), gpuScreens().end());
#endif
  all.insert(all.end(), laneScreens().begin(), laneScreens().end());
  return all;
}

/// Every n-th screen.
struct Part {
  int number = 1, of = 1;
  bool has(std::size_t screen) const { return static_cast<int>(screen) % of == number - 1; }
};

std::vector<Screen> screensOf(const Part& part) {
  const std::vector<Screen> all = allScreens();
  std::vector<Screen> some;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (part.has(i)) some.push_back(all[i]);
  return some;
}

/// "2/4"; nothing: the text is none.
std::optional<Part> partOf(const QString& text) {
  static const QRegularExpression form(QStringLiteral("^(\\d{1,3})/(\\d{1,3})$"));
  const QRegularExpressionMatch match = form.match(text);
  const Part part{match.captured(1).toInt(), match.captured(2).toInt()};
  if (!match.hasMatch() || part.number < 1 || part.number > part.of) return {};
  return part;
}

struct Wish {
  QString out;
  QRegularExpression pattern;
  QSize window;        // invalid: every screen in its own size
  bool all, pictures;  // looks: all of them; pictures: of every screen, else of those with faults
  Demands demands;
  Part part;
  bool isWanted(const Screen& screen, const Look& look) const {
    return (QLatin1String(screen.name) + look.name() + QStringLiteral(".png")).contains(pattern);
  }
};

/// Seconds of this process and of those that it has waited for.
double processorTime() {
  double sum = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(whose, &used);
    for (const timeval& t : {used.ru_utime, used.ru_stime})
      sum += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  }
  return sum;
}

/// What has changed is painted, and what that leads to. What was to be deleted later goes: no event loop does it here.
void settle() {
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  for (int i = 0; i < 20; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

void takePicture(const Screen& screen, QWidget& window, const Look& look, const Wish& wish) {
  const QString name = QLatin1String(screen.name) + look.name();
  const QImage picture = window.grab().toImage();
  Demands demands = wish.demands;
  if (wish.window.isValid()) demands.forms = {};
  const QStringList faults = faultsOf(QLatin1String(screen.name), window, picture, look, demands);
  for (const QString& fault : faults) complain(name + QStringLiteral(": ") + fault);
  if (wish.pictures || !faults.isEmpty()) picture.save(QDir(wish.out).filePath(name + QStringLiteral(".png")));
}

/// The window is made in the first look.
void paint(const Screen& screen, QSize size, const QString& run, const QList<Look>& looks, const Wish& wish) {
#if defined(NW_FAKE_GPU)
  std::optional<test::FakeMachine> machine;
  if (const auto gpus = gpuSetup(screen.name)) machine.emplace(gpus->gpus, gpus->variables);
#endif
  const double before = processorTime();
  applyTheme(looks.first().mode);
  Stage stage;
  stage.run = run;
  QWidget* window = screen.make(stage);
  window->resize(size);
  if (!waitFor([&] { return screen.ready(stage); }, 60000))
    complain(QLatin1String(screen.name) + looks.first().name() + QStringLiteral(" did not get ready"));
  for (const Look& look : looks) {
    if (themeMode() != look.mode) applyTheme(look.mode);
    settle();
    if (wish.isWanted(screen, look)) takePicture(screen, *window, look, wish);
  }
  std::printf("%s%s %.1f s\n", screen.name, qPrintable(looks.first().name()), processorTime() - before);
  std::fflush(stdout);
}

/// What windows keep until the next one: sizes, chosen tabs. Each screen finds what was there at first.
class FirstSettings {
 public:
  FirstSettings() {
    const QSettings settings;
    for (const QString& key : settings.allKeys()) first_[key] = settings.value(key);
  }
  ~FirstSettings() { restore(); }
  void restore() const {
    QSettings settings;
    settings.clear();
    for (auto one = first_.begin(); one != first_.end(); ++one) settings.setValue(one.key(), one.value());
  }

 private:
  QVariantMap first_;
};

void paintAll(const QString& scale, const Wish& wish) {
  const FirstSettings settings;
  const QString run = finishedRun(qEnvironmentVariable("NETWRIGHT_RUNS"));
  const std::vector<Screen> all = screensOf(wish.part);
  for (const bool chinese : {false, true}) {
    setLanguage(QLatin1String(chinese ? "zh_CN" : "en"));
    const QList<Look> looks = looksOf(scale, chinese, wish.all);
    for (const Screen& screen : all) {
      settings.restore();
      const QSize size = sizeOf(screen, wish.window);
      if (size.isValid() &&
          std::any_of(looks.begin(), looks.end(), [&](const Look& look) { return wish.isWanted(screen, look); }))
        paint(screen, size, run, looks, wish);
    }
  }
}

/// Renders the same screens at another scale, in a child process: Qt reads the scale factor only at the start.
void paintAt(const QString& percent, QApplication& app) {
  QProcess child;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QString::number(percent.toDouble() / 100));
  environment.insert(QLatin1String(childVariable), percent);
  child.setProcessEnvironment(environment);
  child.setProcessChannelMode(QProcess::ForwardedChannels);
  child.start(app.applicationFilePath(), app.arguments().mid(1));
  child.waitForFinished(-1);
  if (child.exitCode() != 0) complain(QStringLiteral("at %1 %: see above").arg(percent));
}

/// Redirects the user's folders to a temporary home, so that the pictures do not depend on the machine, and registers
/// the trained projects as recent projects. `runs`: is filled if it is empty; none: of that home. `copied`: the home
/// gets a copy of that folder, which has runs.
void settleIn(const QTemporaryDir& home, QString runs, const QString& copied) {
  for (const char* place : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
    qputenv(place, home.filePath(QLatin1String(place).toString().toLower()).toLocal8Bit());
  if (!copied.isEmpty())
    std::filesystem::copy(copied.toStdString(), home.path().toStdString(), std::filesystem::copy_options::recursive);
  if (runs.isEmpty()) runs = home.filePath(QStringLiteral("runs"));
  QDir().mkpath(runs);
  qputenv("NETWRIGHT_RUNS", runs.toLocal8Bit());
  if (QDir(runs).isEmpty()) trainForPictures(runs);
  for (const QString& project :
       QDir(runs).entryList({QStringLiteral("*.netwright")}, QDir::Files, QDir::Name | QDir::Reversed))
    rememberProject(QDir(runs).filePath(project));
}

QString absolute(const QString& folder) { return folder.isEmpty() ? QString() : QDir(folder).absolutePath(); }

}  // namespace
}  // namespace nw::ui

int main(int argc, char** argv) {
  using namespace nw::ui;
  qInstallMessageHandler(listen);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QString child = qEnvironmentVariable(childVariable);
#if defined(NW_FAKE_GPU)
  nw::test::FakeMachine::open();
#endif
  QApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("netwright"));
  QCoreApplication::setApplicationName(QStringLiteral("netwright"));
  const bool isLong = qEnvironmentVariableIsSet("NETWRIGHT_LONG");
  QCommandLineParser parser;
  const QCommandLineOption check(
      QStringLiteral("check"),
      QStringLiteral("Fail when a picture is blank, an icon missing or a letter without glyph."));
  const QCommandLineOption runs(QStringLiteral("runs"), QStringLiteral("Show these runs instead of training some."),
                                QStringLiteral("FOLDER"));
  const QCommandLineOption copied(QStringLiteral("copied"), QStringLiteral("Show copies of FOLDER/runs."),
                                  QStringLiteral("FOLDER"));
  const QCommandLineOption scales(QStringLiteral("scales"), QStringLiteral("Scales in percent, from 100 to 300."),
                                  QStringLiteral("LIST"),
                                  isLong ? QStringLiteral("100,150,200") : QStringLiteral("100,200"));
  const QCommandLineOption window(QStringLiteral("window"), QStringLiteral("Only whole windows, of this size."),
                                  QStringLiteral("WxH"));
  const QCommandLineOption expected(QStringLiteral("expected"),
                                    QStringLiteral("Fail when a screen's text form differs from that in FOLDER."),
                                    QStringLiteral("FOLDER"));
  const QCommandLineOption write(QStringLiteral("write-expected"),
                                 QStringLiteral("Write the text forms of the screens to FOLDER."),
                                 QStringLiteral("FOLDER"));
  const QCommandLineOption rules(QStringLiteral("rules"), QStringLiteral("Fail when a screen breaks a rule."));
  const QCommandLineOption part(QStringLiteral("part"), QStringLiteral("Only every M-th screen, from the N-th on."),
                                QStringLiteral("N/M"), QStringLiteral("1/1"));
  parser.addOptions({check, runs, copied, scales, window, expected, write, rules, part});
  parser.addPositionalArgument(QStringLiteral("OUT_DIR"), QStringLiteral("Where the pictures go."));
  parser.addPositionalArgument(QStringLiteral("PATTERN"),
                               QStringLiteral("Only names that match this regular expression."),
                               QStringLiteral("[PATTERN]"));
  parser.addHelpOption();
  parser.process(app);
  if (parser.positionalArguments().isEmpty()) parser.showHelp(2);
  if (const QRegularExpression wanted(parser.positionalArguments().value(1)); !wanted.isValid()) {
    qCritical("The pattern is no regular expression: %s", qUtf8Printable(wanted.errorString()));
    return 2;
  }
  const std::optional<Part> wanted = partOf(parser.value(part));
  if (!wanted) {
    qCritical("--part takes two numbers, as 2/4: the second of four parts");
    return 2;
  }
  // the forms show the classes and sizes of its images
  const bool judgeable =
      !parser.isSet(expected) || QFileInfo::exists(qEnvironmentVariable("NETWRIGHT_DATA") + QStringLiteral("/mnist"));
  if (!judgeable) std::puts("NETWRIGHT_DATA holds no mnist");
  if (!judgeable && !parser.isSet(check)) return skipped;
  const QString out = parser.positionalArguments().constFirst();
  QDir().mkpath(out);
  FitEstimator::setProgram(QStringLiteral("/bin/true"));  // no estimates; their screen restores the program
  qputenv("TMPDIR", "/tmp");                              // paths on the pictures are as long on each computer
  const QTemporaryDir home;
  if (child.isEmpty()) settleIn(home, absolute(parser.value(runs)), absolute(parser.value(copied)));
  const QStringList percents = parser.value(scales).split(u',', Qt::SkipEmptyParts);
  const QString first = QStringLiteral("100");
  const QStringList sides = parser.value(window).split(u'x');
  const QSize size = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
  const ExpectedForms forms(!judgeable               ? ExpectedForms::Task::nothing
                            : parser.isSet(write)    ? ExpectedForms::Task::write
                            : parser.isSet(expected) ? ExpectedForms::Task::compare
                                                     : ExpectedForms::Task::nothing,
                            parser.value(parser.isSet(write) ? write : expected));
  const Wish wish{out,
                  QRegularExpression(parser.positionalArguments().value(1)),
                  size,
                  isLong || !parser.isSet(check),
                  !parser.isSet(check),
                  {parser.isSet(rules) && judgeable, forms},
                  *wanted};
  if (!child.isEmpty() || percents.contains(first)) paintAll(child.isEmpty() ? first : child, wish);
  for (const QString& percent : percents)
    if (child.isEmpty() && percent != first) paintAt(percent, app);
  if (!complaints.isEmpty() && (parser.isSet(check) || parser.isSet(expected) || parser.isSet(rules))) return 1;
  return judgeable || !child.isEmpty() ? 0 : skipped;
}
