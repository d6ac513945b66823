// SPDX-License-Identifier: GPL-3.0-or-later
// netwright_gallery [--check] OUT_DIR [FILTER]: paints every screen in both themes and languages, at 100 % and, in a child, at
// 200 %. With --check it fails when a picture is blank, an icon is missing or a letter has no glyph.
#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QProcess>
#include <QRawFont>
#include <QTemporaryDir>
#include <cstdio>

#include "engine/runs/run_folder.hpp"
#include "tests/gallery/screens.hpp"
#include "ui/shell/preferences.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

QStringList complaints;

void listen(QtMsgType type, const QMessageLogContext&, const QString& text) {
  if (type != QtDebugMsg) std::fprintf(stderr, "%s\n", qPrintable(text));
  if (text.startsWith(QLatin1String("No icon"))) complaints << text;
}

bool isBlank(const QImage& image) {
  QSet<QRgb> colours;
  for (int y = 0; y < image.height(); y += 3)
    for (int x = 0; x < image.width(); x += 3)
      if (colours.insert(image.pixel(x, y)); colours.size() > 12) return false;
  return true;
}

/// Letters of labels and buttons that none of our fonts can draw.
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
    if (letter > 32 && std::none_of(fonts.begin(), fonts.end(), [&](const QRawFont& f) { return f.supportsCharacter(letter); }))
      missing += QString::fromUcs4(reinterpret_cast<const char32_t*>(&letter), 1);
  return missing;
}

void paintAll(const QString& out, const QString& filter, const QString& run, const QString& scale) {
  for (const char* language : {"en", "zh_CN"}) {
    setLanguage(QLatin1String(language));
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
      applyTheme(mode);
      for (const Screen& screen : screens()) {
        const QString file = QStringLiteral("%1-%2-%3-%4.png").arg(QLatin1String(screen.name), QLatin1String(mode == ThemeMode::dark ? "dark" : "light"),
                                                                  QLatin1String(language).left(2), scale);
        if (!file.contains(filter)) continue;
        Stage stage;
        stage.run = run;
        QWidget* widget = screen.make(stage);
        widget->resize(screen.size);
        if (!waitFor([&] { return screen.ready(stage); }, 60000)) complaints << QStringLiteral("%1 did not get ready").arg(file);
        for (int i = 0; i < 20; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        const QImage image = widget->grab().toImage();
        if (isBlank(image)) complaints << QStringLiteral("%1 is blank").arg(file);
        if (const QString missing = missingGlyphs(widget); !missing.isEmpty()) complaints << QStringLiteral("%1 has no glyph for %2").arg(file, missing);
        image.save(QDir(out).filePath(file));
        std::printf("%s\n", qPrintable(file));
      }
    }
  }
}

/// A short real training on digits made on the spot; empty where there is no netwright-cli beside this program.
QString trainOnce(const QString& runs) {
  const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/netwright-cli");
  if (!QFileInfo::exists(program)) return {};
  const QString project = QDir(runs).filePath(QStringLiteral("lenet5.netwright"));
  QProcess::execute(program, {QStringLiteral("new"), QStringLiteral("--template"), QStringLiteral("lenet5"), QStringLiteral("-o"), project});
  QProcess train;
  train.setStandardOutputFile(QProcess::nullDevice());
  train.setStandardErrorFile(QProcess::nullDevice());
  train.start(program, {QStringLiteral("train"), project, QStringLiteral("--epochs"), QStringLiteral("6")});
  train.waitForFinished(240000);
  const auto all = list_runs(runs.toStdString());
  return all.empty() ? QString() : QString::fromStdString(all.front().folder.string());
}

}  // namespace
}  // namespace nw::ui

int main(int argc, char** argv) {
  using namespace nw::ui;
  qInstallMessageHandler(listen);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QTemporaryDir home;
  if (!qEnvironmentVariableIsSet("NW_GALLERY_CHILD"))
    for (const char* place : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
      qputenv(place, home.filePath(QLatin1String(place).toString().toLower()).toLocal8Bit());
  QApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("netwright"));
  QCoreApplication::setApplicationName(QStringLiteral("netwright"));
  QStringList arguments = app.arguments().mid(1);
  const bool check = arguments.removeAll(QStringLiteral("--check")) > 0;
  if (arguments.isEmpty()) return std::fprintf(stderr, "netwright_gallery [--check] OUT_DIR [FILTER]\n"), 2;
  const QString out = arguments[0], filter = arguments.value(1);
  QDir().mkpath(out);
  if (qEnvironmentVariableIsSet("NW_GALLERY_CHILD")) {
    paintAll(out, filter, qEnvironmentVariable("NW_GALLERY_RUN"), QStringLiteral("200"));
  } else {
    const QString runs = home.filePath(QStringLiteral("runs"));
    QDir().mkpath(runs);
    qputenv("NETWRIGHT_RUNS", runs.toLocal8Bit());
    const QString run = trainOnce(runs);
    paintAll(out, filter, run, QStringLiteral("100"));
    QProcess twice;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("2"));
    environment.insert(QStringLiteral("NW_GALLERY_CHILD"), QStringLiteral("1"));
    environment.insert(QStringLiteral("NW_GALLERY_RUN"), run);
    twice.setProcessEnvironment(environment);
    twice.setProcessChannelMode(QProcess::ForwardedChannels);
    twice.start(app.applicationFilePath(), app.arguments().mid(1));
    twice.waitForFinished(-1);
    if (twice.exitCode() != 0) complaints << QStringLiteral("at 200 %: see above");
  }
  complaints.removeDuplicates();
  for (const QString& complaint : complaints) std::fprintf(stderr, "%s\n", qPrintable(complaint));
  return check && !complaints.isEmpty() ? 1 : 0;
}
