// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/application.hpp"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string_view>

#include "engine/core/version.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/files/start_guard.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/preferences/settings_watch.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/guarded_application.hpp"
#include "ui/shell/window/guide.hpp"
#include "ui/shell/window/last_view.hpp"
#include "ui/submit/job_followers.hpp"

namespace nw::ui {

namespace {
constexpr std::chrono::milliseconds modal_retry{50};

/// Work of a window that crashed is not offered where the disk fails, and must not be taken for lost.
void sayUnreadable(AppState& work) {
  const std::vector<Text> reasons = work.recovery.unreadable();
  if (reasons.empty()) return;
  Q_EMIT work.session.message(WindowHost::tr("Unsaved work of an earlier session cannot be offered: %1. The file stays "
                                             "where it is; start Netwright again once it can be read.")
                                  .arg(translated(reasons.front())),
                              2);
}
}  // namespace

WindowHost::WindowHost(const StartOptions& options) {
  if (const QString runs = preferences().runsFolder; !runs.isEmpty()) work_.session.run().setRunsFolder(runs);
  makeWindow();
  new SettingsWatch(work_.session, this);
  openFirst(options);
  window_->show();
  reattachRuns(options);
  sayUnreadable(work_);
  if (!options.safe) findRuns();
}

WindowHost::~WindowHost() = default;

void WindowHost::makeWindow() {
  window_ = std::make_unique<MainWindow>(work_);
  // Queued: the window must not be destroyed while one of its menus is closing.
  connect(window_.get(), &MainWindow::languageChanged, this, &WindowHost::setWindowLanguage, Qt::QueuedConnection);
}

void WindowHost::setWindowLanguage(const QString& language) {
  // A dialog or menu is a child of the window, and its caller is still running, also when it was closed a moment ago:
  // the window is rebuilt once control is back in the application's own event loop.
  const bool nested = QThread::currentThread()->loopLevel() > 1;
  if (nested || QApplication::activeModalWidget() || QApplication::activePopupWidget()) {
    QTimer::singleShot(modal_retry, this, [this, language] { setWindowLanguage(language); });
    return;
  }
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

void WindowHost::reportException(const QString& what) {
  const bool saved = static_cast<bool>(work_.recovery.flush());
  window_->banner().say(
      (saved ? tr("An internal error occurred (%1). Your work has been saved for recovery. Save the project and "
                  "restart Netwright.")
             : tr("An internal error occurred (%1). Save the project and restart Netwright."))
          .arg(what),
      2);
}

void WindowHost::openSafely(const StartOptions& options) {
  window_->showPage(QStringLiteral("welcome"));
  const QString sentence =
      options.failed ? tr("Netwright failed to start %1 times in a row. It now starts without a project and with "
                          "default settings; your projects and settings are unchanged.")
                           .arg(StartGuard::enough)
                     : tr("Safe mode: Netwright starts without a project and with default settings; your projects and "
                          "settings are unchanged.");
  if (options.path.isEmpty() && options.templateName.isEmpty()) return window_->banner().say(sentence, 1);
  const StartOptions asked{options.path, options.templateName};
  window_->banner().say(sentence, 1,
                        {{tr("Open the requested project"), [this, asked] { openFirst(asked); }, ValidUntil::closed}});
}

void WindowHost::openFirst(const StartOptions& options) {
  if (options.safe) return openSafely(options);
  const bool opened = !options.templateName.isEmpty() ? window_->files().newFromTemplate(options.templateName)
                      : !options.path.isEmpty()       ? window_->files().openPath(options.path)
                                                      : false;
  if (!opened)
    window_->showPage(QStringLiteral("welcome"));
  else if (!work_.recovery.found().empty())
    window_->banner().say(tr("A project has unsaved changes from the last session"), 1,
                          {{tr("Show"), [this] { window_->showPage(QStringLiteral("welcome")); }, ValidUntil::closed}});
}

/// Without a path or template: restores the view of the last quit. Crash recovery has priority, on the Welcome page.
void WindowHost::reattachRuns(const StartOptions& options) {
  if (options.safe || !options.path.isEmpty() || !options.templateName.isEmpty()) return;
  const std::optional<LastView> last =
      preferences().reopen && work_.recovery.found().empty() ? lastView() : std::nullopt;
  if (last && window_->files().openPath(last->path))
    restoreView(*window_, work_.session, *last);
  else
    offerGuide();
}

/// Offered once per settings file.
void WindowHost::offerGuide() {
  const QString key = QStringLiteral("guideOffered");
  if (QSettings().value(key).toBool() || !recentProjects().isEmpty()) return;
  QSettings().setValue(key, true);
  window_->banner().say(tr("New here? Seven steps lead to your first trained network."), 0,
                        {{tr("Show me"), [this] { window_->guide().start(); }, ValidUntil::closed}});
}

/// Runs continue without a window: the newest run that still trains is followed and controlled again.
void WindowHost::findRuns() {
  jobFollowers(work_.session).followAll();
  inBackground(
      this,
      [] {
        for (const RunSummary& run : list_runs(runs_folder()))
          if (run.status == RunStatus::running) return QString::fromStdString(run.folder.string());
        return QString();
      },
      [this](const QString& folder) {
        RunController& run = work_.session.run();
        if (folder.isEmpty() || run.state() != RunController::State::idle) return;
        run.attach(folder);
        work_.session.feed().follow(folder);
        if (window_->currentPage() == QLatin1String("train")) return;
        window_->banner().say(
            tr("A run is training"), 0,
            {{tr("Show"), [this] { window_->showPage(QStringLiteral("train")); }, ValidUntil::run_ends}});
      });
}

namespace {

constexpr std::chrono::seconds served_for{5};  // a window shown for this time counts as a successful start

bool asksOnly(int argc, char** argv) {
  static constexpr std::array questions = {"-h", "--help", "--help-all", "-v", "--version"};
  return std::any_of(argv + 1, argv + argc, [](const char* word) {
    return std::find(questions.begin(), questions.end(), std::string_view(word)) != questions.end();
  });
}

/// Without a display Qt would abort the program; this prints an error message instead.
bool hasDisplay(int argc, char** argv) {
  const auto set = [](const char* name) { return !qEnvironmentVariableIsEmpty(name); };
  return set("DISPLAY") || set("WAYLAND_DISPLAY") || set("QT_QPA_PLATFORM") ||
         std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string_view(word) == "-platform"; });
}

}  // namespace

int runApplication(int argc, char** argv) {
  if (asksOnly(argc, argv)) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (!hasDisplay(argc, argv)) {
    std::fputs(
        "netwright: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); netwright-cli does the same "
        "in a terminal\n",
        stderr);
    return 1;
  }
  QGuiApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
  GuardedApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("netwright"));
  QCoreApplication::setApplicationName(QStringLiteral("netwright"));
  QCoreApplication::setApplicationVersion(QString::fromStdString(version()));
  QGuiApplication::setDesktopFileName(QStringLiteral("org.netwright.Netwright"));
  setLanguage(preferences().language);
  QCommandLineParser parser;
  parser.setApplicationDescription(QCoreApplication::translate("Start", "Draw a neural network, train it, see why."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addOption({QStringLiteral("template"),
                    QCoreApplication::translate("Start", "Start with this template, such as lenet5."),
                    QStringLiteral("NAME")});
  parser.addOption({QStringLiteral("safe-mode"),
                    QCoreApplication::translate("Start", "Start without a project and with default settings.")});
  parser.addPositionalArgument(QStringLiteral("FILE|RUN_DIR"),
                               QCoreApplication::translate("Start", "A project or the folder of a run."),
                               QStringLiteral("[FILE|RUN_DIR]"));
  parser.process(app);
  StartGuard guard(state_folder() / "window-start");
  const StartOptions options{parser.positionalArguments().value(0), parser.value(QStringLiteral("template")),
                             guard.safe() || parser.isSet(QStringLiteral("safe-mode")), guard.safe()};
  const QString unreadable = unreadableSettings();
  if (options.safe || !unreadable.isEmpty()) useSafeSettings();
  applyPreferences(preferences());
  WindowHost desk(options);
  if (!unreadable.isEmpty()) Q_EMIT desk.workplace().session.message(unreadable, 2);
  app.setExceptionHandler([&desk](const QString& what) { desk.reportException(what); });
  QTimer::singleShot(served_for, qApp, [&guard] { guard.startSucceeded(); });
  const int code = QApplication::exec();
  guard.startSucceeded();
  return code;
}

}  // namespace nw::ui
