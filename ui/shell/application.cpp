// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/application.hpp"

#include <QApplication>
#include <QCommandLineParser>
#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "engine/core/version.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/shell/banner.hpp"
#include "ui/shell/preferences.hpp"
#include "ui/shell/project_files.hpp"

namespace nw::ui {

Desk::Desk(const StartOptions& options) {
  if (const QString runs = preferences().runsFolder; !runs.isEmpty()) work_.session.run().setRunsFolder(runs);
  makeWindow();
  openFirst(options);
  window_->show();
  findRuns();
}

Desk::~Desk() = default;

void Desk::makeWindow() {
  window_ = std::make_unique<MainWindow>(work_);
  // Queued: the window must not go while one of its menus is still closing.
  connect(window_.get(), &MainWindow::languageAsked, this, &Desk::setWindowLanguage, Qt::QueuedConnection);
}

void Desk::setWindowLanguage(const QString& language) {
  Preferences p = preferences();
  p.language = language;
  setPreferences(p);
  if (!setLanguage(language)) return;
  const QString page = window_->currentPage();
  const QByteArray geometry = window_->saveGeometry();
  const bool visible = window_->isVisible();
  makeWindow();
  window_->showPage(page);
  window_->restoreGeometry(geometry);
  if (visible) window_->show();
}

void Desk::openFirst(const StartOptions& options) {
  const bool opened = !options.templateName.isEmpty() ? window_->files().newFromTemplate(options.templateName)
                      : !options.path.isEmpty()       ? window_->files().openPath(options.path)
                                                      : false;
  if (!opened) window_->showPage(QStringLiteral("welcome"));
  else if (!work_.recovery.found().empty())
    window_->banner().say(tr("There is a project that was not saved when Netwright ended last"), 1, tr("Show"),
                          [this] { window_->showPage(QStringLiteral("welcome")); });
}

/// Runs outlive windows: the newest that still goes on is followed and controlled again.
void Desk::findRuns() {
  inBackground(this, [] {
    for (const RunSummary& run : list_runs(runs_folder()))
      if (run.status == RunStatus::running) return QString::fromStdString(run.folder.string());
    return QString();
  }, [this](const QString& folder) {
    RunController& run = work_.session.run();
    if (folder.isEmpty() || run.state() != RunController::State::idle) return;
    run.attach(folder);
    work_.session.feed().follow(folder);
    window_->banner().say(tr("A training is going on"), 0, tr("Show"), [this] { window_->showPage(QStringLiteral("train")); });
  });
}

namespace {

bool asksOnly(int argc, char** argv) {
  static constexpr std::array questions = {"-h", "--help", "--help-all", "-v", "--version"};
  return std::any_of(argv + 1, argv + argc, [](const char* word) { return std::find(questions.begin(), questions.end(), std::string_view(word)) != questions.end(); });
}

/// Qt ends a program without a display by aborting it; people get a sentence instead.
bool hasDisplay(int argc, char** argv) {
  const auto set = [](const char* name) { return !qEnvironmentVariableIsEmpty(name); };
  return set("DISPLAY") || set("WAYLAND_DISPLAY") || set("QT_QPA_PLATFORM") ||
         std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string_view(word) == "-platform"; });
}

}  // namespace

int runApplication(int argc, char** argv) {
  if (asksOnly(argc, argv)) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (!hasDisplay(argc, argv)) {
    std::fputs("netwright: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); netwright-cli does the same in a terminal\n", stderr);
    return 1;
  }
  QGuiApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
  QApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("netwright"));
  QCoreApplication::setApplicationName(QStringLiteral("netwright"));
  QCoreApplication::setApplicationVersion(QString::fromStdString(version()));
  QGuiApplication::setDesktopFileName(QStringLiteral("org.netwright.Netwright"));
  const Preferences p = preferences();
  setLanguage(p.language);
  QCommandLineParser parser;
  parser.setApplicationDescription(QCoreApplication::translate("Start", "Draw a neural network, train it, see why."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addOption({QStringLiteral("template"), QCoreApplication::translate("Start", "Start with this template, such as lenet5."), QStringLiteral("NAME")});
  parser.addPositionalArgument(QStringLiteral("FILE|RUN_DIR"), QCoreApplication::translate("Start", "A project or the folder of a run."), QStringLiteral("[FILE|RUN_DIR]"));
  parser.process(app);
  applyPreferences(p);
  const StartOptions options{parser.positionalArguments().value(0), parser.value(QStringLiteral("template"))};
  const Desk desk(options);
  return QApplication::exec();
}

}  // namespace nw::ui
