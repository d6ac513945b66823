// SPDX-License-Identifier: GPL-3.0-or-later
// netwright_gallery [--check] [--runs FOLDER] [--scales LIST] [--window WxH] [--part N/M] OUT_DIR [PATTERN]: renders
// every screen in both themes and languages at 100 % and, in one child process each, at the scales of LIST (default:
// 200 %); once in high contrast. With --window only the screens that show the whole window, at that size; with --part
// every M-th screen, from the N-th on.
// The runs on the screens are trained first, unless --runs gives a folder that holds them; they stay in that folder.
// With --check the program fails when a picture is blank, an icon is missing or a letter has no glyph, and renders half
// of the pictures, every pair of theme, language and scale; with NETWRIGHT_LONG=1 all of them, at more scales.
// --rules: it fails, too, when a screen breaks a rule of screen_rules.hpp and exceptions.cpp does not say that it may.
// --expected FOLDER compares the text form of each screen with the file there, --write-expected FOLDER writes it.
#include <QAbstractButton>
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QProcess>
#include <QRawFont>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <optional>

#if defined(NW_FAKE_GPU)
#include "tests/gallery/gpu_screens.hpp"
#include "tests/support/fake_machine.hpp"
#endif
#include "tests/gallery/exceptions.hpp"
#include "tests/gallery/expected_forms.hpp"
#include "tests/gallery/lane_screens.hpp"
#include "tests/gallery/screen_rules.hpp"
#include "tests/gallery/screens.hpp"
#include "tests/gallery/text_form.hpp"
#include "tests/gallery/trained_runs.hpp"
#include "ui/session/fit_estimator.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr const char* childVariable = "NW_GALLERY_CHILD";
QStringList complaints;

void listen(QtMsgType type, const QMessageLogContext&, const QString& text) {
  if (type != QtDebugMsg && !text.contains(QLatin1String("propagateSizeHints")))
    std::fprintf(stderr, "%s\n", qPrintable(text));
  if (text.startsWith(QLatin1String("No icon"))) complaints << text;
}

bool isBlank(const QImage& image) {
  QSet<QRgb> colours;
  for (int y = 0; y < image.height(); y += 3)
    for (int x = 0; x < image.width(); x += 3)
      if (colours.insert(image.pixel(x, y)); colours.size() > 12) return false;
  return true;
}

/// Letters of labels and buttons that none of the program's fonts contains.
QString missingGlyphs(QWidget* root) {
  static const QList<QRawFont> fonts = [] {
    QList<QRawFont> list;
    for (const QString& family : ui::font(TextRole::body).families()) list << QRawFont::fromFont(QFont(family));
    return list;
  }();
  QString missing, text;
  for (const QLabel* label : root->findChildren<QLabel*>()) text += label->text();
  for (const QAbstractButton* button : root->findChildren<QAbstractButton*>()) text += button->text();
  for (const uint letter : text.toUcs4())
    if (letter > 32 &&
        std::none_of(fonts.begin(), fonts.end(), [&](const QRawFont& f) { return f.supportsCharacter(letter); }))
      missing += QString::fromUcs4(reinterpret_cast<const char32_t*>(&letter), 1);
  return missing;
}

/// Four of the eight combinations cover every pair of theme and language, theme and scale, language and scale.
bool isInPairwiseSubset(bool dark, bool chinese, bool twice) { return !(dark ^ chinese ^ twice); }

const char* nameOf(ThemeMode mode) {
  return mode == ThemeMode::dark ? "dark" : mode == ThemeMode::contrast ? "contrast" : "light";
}

/// Screens of drawing and choosing show figures that follow from the network and the data; others show measured ones.
Figures figuresOf(const QString& screen) {
  static const QRegularExpression settled(
      QStringLiteral("^(?:design|welcome|data|settings|guide|command|help|about|components|preferences|save|table|get|"
                     "explorer|photos)"));
  return screen.contains(settled) ? Figures::settled : Figures::measured;
}

/// Its devices, its libraries, or what it is faster with: not every build has the screens of GPUs, or the plug-in.
bool showsTheComputer(const QString& screen) {
  static const QRegularExpression some(QStringLiteral("^(?:gpu-|devices$|about$|deploy-compress)"));
  return screen.contains(some);
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

/// One picture of every screen is painted in each look.
struct Look {
  ThemeMode mode;
  bool chinese;
  QString scale;  // in percent
  QString name() const {
    return QStringLiteral("-%1-%2-%3").arg(QLatin1String(nameOf(mode)), QLatin1String(chinese ? "zh" : "en"), scale);
  }
  /// The committed text forms are of this look: its font is the program's own.
  bool isFirst() const { return name() == QLatin1String("-light-en-100"); }
};

/// Every n-th screen.
struct Part {
  int number = 1, of = 1;
  bool has(std::size_t screen) const { return static_cast<int>(screen) % of == number - 1; }
};

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
  QSize window;  // invalid: every screen in its own size
  bool pairs, judged;
  ExpectedForms expected;
  Part part;
};

/// Of pairs, high contrast is for one language and one scale.
bool isPainted(const Look& look, bool pairs) {
  const bool whole = look.scale == QLatin1String("100");
  if (look.mode == ThemeMode::contrast) return whole && !(look.chinese && pairs);
  return !pairs || isInPairwiseSubset(look.mode == ThemeMode::dark, look.chinese, !whole);
}

void judge(QWidget& window, const QImage& image, const Screen& screen, const Look& look, const Wish& wish) {
  const QString name = QLatin1String(screen.name) + look.name();
  const auto complain = [&](const QString& what) { complaints << name + QStringLiteral(": ") + what; };
  if (isBlank(image)) complain(QStringLiteral("is blank"));
  if (const QString missing = missingGlyphs(&window); !missing.isEmpty())
    complain(QStringLiteral("has no glyph for ") + missing);
  const bool formed = wish.expected.wanted() && look.isFirst() && !wish.window.isValid() &&
                      !showsTheComputer(QLatin1String(screen.name));
  if (!wish.judged && !formed) return;
  const QList<PaintedText> texts = paintedTexts(window);
  if (formed)
    if (const QString changed = wish.expected.take(
            QLatin1String(screen.name), textForm(window, texts, image, figuresOf(QLatin1String(screen.name))));
        !changed.isEmpty())
      complaints << changed;
  if (wish.judged)
    for (const QString& fault :
         withoutExceptions(QLatin1String(screen.name), screenFaults(window, texts, image, look.chinese)))
      complain(fault);
}

void paint(const Screen& screen, QSize size, const QString& run, const Look& look, const Wish& wish) {
#if defined(NW_FAKE_GPU)
  std::optional<test::FakeMachine> machine;
  if (const auto gpus = gpuSetup(screen.name)) machine.emplace(gpus->gpus, gpus->variables);
#endif
  const QString file = QLatin1String(screen.name) + look.name() + QStringLiteral(".png");
  Stage stage;
  stage.run = run;
  QWidget* widget = screen.make(stage);
  widget->resize(size);
  if (!waitFor([&] { return screen.ready(stage); }, 60000))
    complaints << QStringLiteral("%1 did not get ready").arg(file);
  for (int i = 0; i < 20; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  const QImage image = widget->grab().toImage();
  judge(*widget, image, screen, look, wish);
  image.save(QDir(wish.out).filePath(file));
  std::printf("%s\n", qPrintable(file));
}

void paintAll(const QString& scale, const Wish& wish) {
  const QString run = finishedRun(qEnvironmentVariable("NETWRIGHT_RUNS"));
  const std::vector<Screen> all = allScreens();
  for (const bool chinese : {false, true}) {
    setLanguage(QLatin1String(chinese ? "zh_CN" : "en"));
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark, ThemeMode::contrast}) {
      const Look look{mode, chinese, scale};
      if (!isPainted(look, wish.pairs)) continue;
      applyTheme(mode);
      for (std::size_t i = 0; i < all.size(); ++i)
        if (const QSize size = sizeOf(all[i], wish.window);
            size.isValid() && wish.part.has(i) &&
            (QLatin1String(all[i].name) + look.name() + QStringLiteral(".png")).contains(wish.pattern))
          paint(all[i], size, run, look, wish);
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
  if (child.exitCode() != 0) complaints << QStringLiteral("at %1 %: see above").arg(percent);
}

/// Redirects the user's folders to a temporary home, so that the pictures do not depend on the machine, and registers
/// the trained projects as recent projects.
void settleIn(const QTemporaryDir& home, QString runs) {
  for (const char* place : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
    qputenv(place, home.filePath(QLatin1String(place).toString().toLower()).toLocal8Bit());
  const bool given = !runs.isEmpty() && !QDir(runs).isEmpty();
  if (runs.isEmpty()) runs = home.filePath(QStringLiteral("runs"));
  QDir().mkpath(runs);
  qputenv("NETWRIGHT_RUNS", runs.toLocal8Bit());
  if (!given) trainForPictures(runs);
  for (const QString& project :
       QDir(runs).entryList({QStringLiteral("*.netwright")}, QDir::Files, QDir::Name | QDir::Reversed))
    rememberProject(QDir(runs).filePath(project));
}

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
  parser.addOptions({check, runs, scales, window, expected, write, rules, part});
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
  if (parser.isSet(expected) && !QFileInfo::exists(qEnvironmentVariable("NETWRIGHT_DATA") + QStringLiteral("/mnist"))) {
    std::puts("NETWRIGHT_DATA holds no mnist");  // the forms show its images' classes and sizes
    return 77;
  }
  const QString out = parser.positionalArguments().constFirst();
  QDir().mkpath(out);
  FitEstimator::setProgram(QStringLiteral("/bin/true"));  // no estimates; their screen restores the program
  const QTemporaryDir home;
  if (child.isEmpty())
    settleIn(home, parser.value(runs).isEmpty() ? QString() : QDir(parser.value(runs)).absolutePath());
  const QStringList percents = parser.value(scales).split(u',', Qt::SkipEmptyParts);
  const QString first = QStringLiteral("100");
  const QStringList sides = parser.value(window).split(u'x');
  const QSize size = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
  const ExpectedForms forms(parser.isSet(write)      ? ExpectedForms::Task::write
                            : parser.isSet(expected) ? ExpectedForms::Task::compare
                                                     : ExpectedForms::Task::nothing,
                            parser.value(parser.isSet(write) ? write : expected));
  const Wish wish{out,
                  QRegularExpression(parser.positionalArguments().value(1)),
                  size,
                  parser.isSet(check) && !isLong,
                  parser.isSet(rules),
                  forms,
                  *wanted};
  if (!child.isEmpty() || percents.contains(first)) paintAll(child.isEmpty() ? first : child, wish);
  for (const QString& percent : percents)
    if (child.isEmpty() && percent != first) paintAt(percent, app);
  complaints.removeDuplicates();
  for (const QString& complaint : complaints) std::fprintf(stderr, "%s\n", qPrintable(complaint));
  return (parser.isSet(check) || parser.isSet(expected) || parser.isSet(rules)) && !complaints.isEmpty() ? 1 : 0;
}
