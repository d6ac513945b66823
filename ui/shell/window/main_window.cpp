// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/main_window.hpp"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/canvas/canvas.hpp"
#include "ui/data/explorer.hpp"
#include "ui/data/get_data_dialog.hpp"
#include "ui/deploy/deploy_page.hpp"
#include "ui/design/compare_dialog.hpp"
#include "ui/design/design_page.hpp"
#include "ui/page/actions.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/shell/files/merge_dialog.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/help/about.hpp"
#include "ui/shell/help/guide_key.hpp"
#include "ui/shell/help/help.hpp"
#include "ui/shell/help/key_card.hpp"
#include "ui/shell/help/whats_this.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/preferences/preferences_dialog.hpp"
#include "ui/shell/welcome/welcome_page.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/command_palette.hpp"
#include "ui/shell/window/guide.hpp"
#include "ui/shell/window/last_view.hpp"
#include "ui/shell/window/status_bar.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/typed_text.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

struct PageRow {
  const char* id;
  const char* title;  // "" = not in the bar
  Page* (*make)(Session&);
};
// A page is a row of this table and a function in its own folder.
const PageRow pageTable[] = {
    {"design", QT_TRANSLATE_NOOP("Actions", "Design"), makeDesignPage},
    {"train", QT_TRANSLATE_NOOP("Actions", "Train"), makeTrainPage},
    {"predict", QT_TRANSLATE_NOOP("Actions", "Predict"), makePredictPage},
    {"runs", QT_TRANSLATE_NOOP("Actions", "Runs"), makeRunsPage},
    {"deploy", QT_TRANSLATE_NOOP("Actions", "Deploy"), makeDeployPage},
};

// The title bar and the edges that a window manager usually adds; their real sizes are known only after showing.
constexpr QSize usualFrame(12, 44);

}  // namespace

QSize MainWindow::firstSize(QSize available) { return QSize(1600, 1000).boundedTo(available - usualFrame); }

MainWindow::MainWindow(AppState& workplace) : work_(workplace) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(icon(QStringLiteral("netwright")));
  setAcceptDrops(true);
  setMinimumSize(1000, 620);
  resize(firstSize(screen()->availableSize()));
  files_ = new ProjectFiles(work_.session, this);
  top_ = new TopBar(work_.session, work_.machine, *files_, this);
  stack_ = new QStackedWidget(this);
  status_ = new StatusBar(work_.session, this);
  palette_ = new CommandPalette(*new PaletteEntries(*this, work_.session), this);
  guide_ = new Guide(*this, work_.session);
  banner_ = new Banner(stack_, this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(top_);
  column->addWidget(stack_, 1);
  column->addWidget(status_);
  for (const PageRow& row : pageTable) top_->pages().addSegment(QCoreApplication::translate("Actions", row.title));
  for (const ActionRow& row : actionTable())
    if (QLatin1String(row.id) != QLatin1String("-")) addAction(action(QLatin1String(row.id)));
  connectFileActions();
  connectViewActions();
  connectRunActions();
  connectSession();
  restoreGeometry(QSettings().value(QStringLiteral("window")).toByteArray());
  showTitle();
}

// A field that is destroyed with the focus hands over its text: to a window that no longer is one, if it did so later.
MainWindow::~MainWindow() { finishTyping(*this); }

// --- pages

Page* MainWindow::page(const QString& id) {
  if (const auto found = pages_.find(id); found != pages_.end()) return found->second;
  Page* made = nullptr;
  if (id == QLatin1String("welcome")) made = new WelcomePage(work_, *files_);
  for (const PageRow& row : pageTable)
    if (id == QLatin1String(row.id)) made = row.make(work_.session);
  if (!made) return nullptr;
  connect(made, &Page::goTo, this, &MainWindow::showPage);
  connect(made, &Page::openRun, this, &MainWindow::openRun);
  if (auto* deploy = qobject_cast<DeployPage*>(made))
    connect(deploy, &DeployPage::openSample, this, &MainWindow::openSample);
  connect(made, &Page::shownRunChanged, this, &MainWindow::showTitle);
  connect(made, &Page::openRunProject, files_, &ProjectFiles::openRunProject);
  connect(made, &Page::adaptRun, files_, &ProjectFiles::adaptRun);
  connect(made, &Page::adaptRunToTable, files_, &ProjectFiles::adaptRunToTable);
  stack_->addWidget(made);
  pages_[id] = made;
  return made;
}

void MainWindow::showPage(const QString& id) {
  Page* shown = page(id);
  if (!shown) return;
  if (current_ == id) return shown->setFocus();  // moves the focus from a panel to the page without a mouse
  current_ = id;
  if (id == QLatin1String("train")) banner_->expire(ValidUntil::run_ends);  // the page shows the run
  const bool welcome = id == QLatin1String("welcome");
  top_->setVisible(!welcome);
  status_->setVisible(!welcome);
  for (int i = 0; i < static_cast<int>(std::size(pageTable)); ++i) {
    if (id != QLatin1String(pageTable[i].id)) continue;
    top_->pages().setCurrent(i);
    action(QStringLiteral("page-") + id)->setChecked(true);
  }
  status_->setPageWidget(shown->statusWidget());
  stack_->setCurrentWidget(shown);
  enableActionsFor(id);
  shown->activated();
  shown->setFocus();
  showTitle();
}

void MainWindow::openRun(const QString& folder, const QString& pageId) {
  const bool ours = work_.session.run().folder() == folder && work_.session.run().state() != RunController::State::idle;
  work_.session.feed().follow(folder);
  if (!ours && work_.session.run().state() == RunController::State::idle && is_running(folder.toStdString()))
    work_.session.run().attach(folder);
  showPage(pageId);
}

void MainWindow::openSample(const QString& run, const QString& checkpoint, qint64 sample) {
  auto* predict = static_cast<PredictPage*>(page(QStringLiteral("predict")));
  predict->showSample(run, checkpoint, sample);
  showPage(QStringLiteral("predict"));
}

// --- commands

void MainWindow::connectFileActions() {
  const auto on = [this](const char* id, auto act) {
    connect(action(QLatin1String(id)), &QAction::triggered, this, act);
  };
  on("new", [this] { files_->newEmpty(); });
  on("open", [this] { files_->requestOpen(); });
  on("open-folder", [this] { files_->requestOpenFolder(); });
  on("save", [this] { files_->save(); });
  on("save-as", [this] { files_->saveAs(); });
  on("close", [this] { closeProject(); });
  on("quit", [this] { close(); });
  on("export-drawing",
     [this] { files_->exportDrawing(static_cast<DesignPage*>(page(QStringLiteral("design")))->canvas().scene()); });
  on("start-weights", [this] { files_->startFromWeights(); });
  on("adapt-images", [this] { files_->adaptProject(); });
  on("adapt-table", [this] { files_->adaptProjectToTable(); });
  on("explore-data", [this] { exploreData(work_.session, this); });
  on("get-data", [this] { getData(work_.session, this); });
  on("compare", [this] { requestComparison(work_.session, this); });
  on("merge", [this] { MergeDialog(work_.session, this).exec(); });
  on("export-command-line", [this] {
    QApplication::clipboard()->setText(work_.session.run().commandLine());
    banner_->say(tr("Copied: %1").arg(work_.session.run().commandLine()), 0);
  });
  connect(files_, &ProjectFiles::opened, this, [this] { showPage(QStringLiteral("design")); });
  connect(files_, &ProjectFiles::openRun, this,
          [this](const QString& folder) { openRun(folder, QStringLiteral("train")); });
}

void MainWindow::connectViewActions() {
  const auto on = [this](const char* id, auto act) {
    connect(action(QLatin1String(id)), &QAction::triggered, this, act);
  };
  connect(&top_->pages(), &SegmentedControl::currentChanged, this,
          [this](int index) { showPage(QLatin1String(pageTable[index].id)); });
  for (const PageRow& row : pageTable)
    on((QByteArray("page-") + row.id).constData(), [this, id = QString(QLatin1String(row.id))] { showPage(id); });
  for (const char* id : {"show-data", "show-settings", "show-history", "next-problem"})
    on(id, [this] { showPage(QStringLiteral("design")); });
  struct Mode {
    const char* id;
    ThemeMode mode;
  };
  for (const Mode& row : {Mode{"theme-light", ThemeMode::light}, Mode{"theme-dark", ThemeMode::dark},
                          Mode{"theme-contrast", ThemeMode::contrast}, Mode{"theme-system", ThemeMode::system}}) {
    action(QLatin1String(row.id))->setChecked(themeMode() == row.mode);
    on(row.id, [mode = row.mode] {
      Preferences p = preferences();
      p.theme = mode;
      setPreferences(p);
      applyTheme(mode);
    });
  }
  action(QStringLiteral("language-en"))->setChecked(currentLanguage() == QLatin1String("en"));
  action(QStringLiteral("language-zh"))->setChecked(currentLanguage() == QLatin1String("zh_CN"));
  on("language-en", [this] { Q_EMIT languageChanged(QStringLiteral("en")); });
  on("language-zh", [this] { Q_EMIT languageChanged(QStringLiteral("zh_CN")); });
  on("fullscreen", [this](bool full) { full ? showFullScreen() : showNormal(); });
  on("command-palette", [this] { openPalette(); });
  on("next-pane", [this] { focusNextPane(*page(current_)); });
  on("main-menu", [this] { top_->openMenu(); });
  connect(top_, &TopBar::searchRequested, this, &MainWindow::openPalette);
  on("preferences", [this] {
    PreferencesDialog dialog(work_.session, this);
    connect(&dialog, &PreferencesDialog::languageChosen, this, &MainWindow::languageChanged, Qt::QueuedConnection);
    dialog.exec();
  });
  connect(new GuideKey(this), &GuideKey::missing, this,
          [this](const QString& sentence) { Q_EMIT work_.session.message(sentence, 1); });
  connect(new WhatsThis(this), &WhatsThis::missing, this,
          [this](const QString& sentence) { Q_EMIT work_.session.message(sentence, 1); });
  on("key-card", [this] {
    if (!openKeyCard()) Q_EMIT work_.session.message(tr("The card could not be opened as a PDF."), 1);
  });
  on("help", [this] { showHelp(this); });
  on("about", [this] { showAbout(this); });
}

void MainWindow::connectRunActions() {
  const auto on = [this](const char* id, auto act) {
    connect(action(QLatin1String(id)), &QAction::triggered, this, act);
  };
  on("train", [this] { startTraining(); });
  on("search-settings", [this] {
    finishTyping(*this);
    showPage(QStringLiteral("runs"));
    static_cast<RunsPage*>(page(QStringLiteral("runs")))->searchForSettings();
  });
  on("queue-add", [this] {
    finishTyping(*this);
    showPage(QStringLiteral("runs"));
    static_cast<RunsPage*>(page(QStringLiteral("runs")))->addToQueue();
  });
  on("branch", [this] {
    finishTyping(*this);
    if (auto* shown = page(currentPage()); shown && shown->branchHere()) return;
    showPage(QStringLiteral("train"));
    if (!page(QStringLiteral("train"))->branchHere())
      Q_EMIT work_.session.message(tr("There is no run to branch from yet."), 0);
  });
  on("pause", [this] {
    RunController& run = work_.session.run();
    run.state() == RunController::State::paused ? run.unpause() : run.pause();
  });
  on("stop", [this] {
    RunController& run = work_.session.run();
    run.state() == RunController::State::stopping ? run.stopNow() : run.stop();
  });
  connectJobs();
  RunController& run = work_.session.run();
  connect(&run, &RunController::started, this, [this] {
    banner_->expire(ValidUntil::run_starts);
    showPage(QStringLiteral("train"));
  });
  connect(&run, &RunController::startTakenBack, this, [this] { banner_->expire(ValidUntil::run_starts); });
  connect(&run, &RunController::stateChanged, this, [this] {
    const bool idle = work_.session.run().state() == RunController::State::idle;
    top_->pages().setMark(1, !idle);
    if (idle) banner_->expire(ValidUntil::run_ends);
  });
  connect(&run, &RunController::endedUnexpectedly, this, [this](const QString& sentence, bool canResume) {
    const QString folder = work_.session.run().folder();
    const bool shown = current_ == QLatin1String("train") && work_.session.feed().folder() == folder;
    if (shown) return;  // the page's own notification offers the same
    if (canResume)
      banner_->say(sentence, 2,
                   {{tr("Resume"), [this, folder] { work_.session.run().resume(folder); }, ValidUntil::run_starts}});
    else
      banner_->say(sentence, 2);
  });
  top_->pages().setMark(1, run.state() != RunController::State::idle);
}

void MainWindow::connectSession() {
  Session& session = work_.session;
  connect(&session, &Session::message, banner_, &Banner::say);
  connect(&session.helper(), &HelperClient::endedUnexpectedly, banner_,
          [banner = banner_](const QString& sentence) { banner->say(sentence, 1); });
  connect(&session, &Session::fileChanged, this, &MainWindow::showTitle);
  QUndoStack& undo = session.undoStack();
  const auto follow = [&undo] {
    action(QStringLiteral("undo"))->setEnabled(undo.canUndo());
    action(QStringLiteral("redo"))->setEnabled(undo.canRedo());
    action(QStringLiteral("undo"))->setText(undo.canUndo() ? tr("Undo: %1").arg(undo.undoText()) : tr("Undo"));
    action(QStringLiteral("redo"))->setText(undo.canRedo() ? tr("Redo: %1").arg(undo.redoText()) : tr("Redo"));
  };
  connect(&undo, &QUndoStack::indexChanged, this, follow);
  connect(&undo, &QUndoStack::indexChanged, banner_, [banner = banner_] { banner->expire(ValidUntil::next_edit); });
  connect(action(QStringLiteral("undo")), &QAction::triggered, &undo, &QUndoStack::undo);
  connect(action(QStringLiteral("redo")), &QAction::triggered, &undo, &QUndoStack::redo);
  follow();
}

void MainWindow::startTraining() {
  finishTyping(*this);
  if (work_.session.analysis().count(Severity::error) > 0) {
    showPage(QStringLiteral("design"));
    action(QStringLiteral("next-problem"))->trigger();
    return;
  }
  work_.session.run().start();
}

void MainWindow::closeProject() {
  if (!files_->mayLeave()) return;
  work_.session.replace({}, {}, {});
  showPage(QStringLiteral("welcome"));
}

void MainWindow::openPalette() {
  if (!top_->isVisible()) return palette_->openFor({width() / 2, 80});
  palette_->openFor({width() / 2, top_->height() + 8});
}

void MainWindow::showTitle() {
  const auto shown = pages_.find(current_);
  const QString run = shown == pages_.end() ? QString() : shown->second->shownRun();
  const QString project = work_.session.displayName() + QStringLiteral("[*]");
  setWindowTitle((run.isEmpty() ? project : project + QStringLiteral(" · ") + run) + QStringLiteral(" - Netwright"));
  setWindowModified(work_.session.isModified());
}

// --- the window itself

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!files_->mayLeave()) return event->ignore();
  QSettings().setValue(QStringLiteral("window"), saveGeometry());
  rememberView(*this, work_.session);
  event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::WindowStateChange) action(QStringLiteral("fullscreen"))->setChecked(isFullScreen());
  QWidget::changeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  files_->openPath(event->mimeData()->urls().front().toLocalFile());
}

}  // namespace nw::ui
