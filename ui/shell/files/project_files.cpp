// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/project_files.hpp"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <algorithm>
#include <iterator>
#include <memory>

#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/examples/example.hpp"
#include "engine/exchange/weight_table.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/canvas/scene/diagram_export.hpp"
#include "ui/page/page.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/typed_text.hpp"

namespace nw::ui {
namespace {

const QString suffix = QStringLiteral(".netwright");

const char* const lastFolderKey = "lastFolder";

void rememberFolderOf(const QString& path) {
  QSettings().setValue(QLatin1String(lastFolderKey), QFileInfo(path).absolutePath());
}

/// Where the user opened or saved something last.
QString lastFolder(const Session& session) {
  const QString last = QSettings().value(QLatin1String(lastFolderKey)).toString();
  if (!last.isEmpty() && QDir(last).exists()) return last;
  if (!session.path().isEmpty()) return QFileInfo(session.path()).absolutePath();
  const QStringList recent = recentProjects();
  if (!recent.isEmpty() && QFileInfo(recent.front()).dir().exists()) return QFileInfo(recent.front()).absolutePath();
  return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

/// Where files of the project are written: beside the project.
QString startFolder(const Session& session) {
  return session.path().isEmpty() ? lastFolder(session) : QFileInfo(session.path()).absolutePath();
}

constexpr std::size_t recentRunsShown = 5;

QVector<RecentRun> newestRuns(const fs::path& folder) {
  QVector<RecentRun> runs;
  for (const RunSummary& run : list_runs(folder)) {
    if (std::size_t(runs.size()) == recentRunsShown) break;
    runs.append({QString::fromStdString(run.folder.string()), runTitle(run)});
  }
  return runs;
}

bool isTraining(RunController& run) { return run.state() != RunController::State::idle; }

}  // namespace

Result<GraphDoc> readProject(const QString& path) {
  return path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive) ? projectInPicture(path)
                                                                   : ProjectFile::load(path.toStdString());
}

ProjectFiles::ProjectFiles(Session& session, QWidget* window)
    : QObject(window),
      session_(session),
      window_(window),
      data_(session, *this, *window),
      onnx_(session, *window),
      adaptation_(session, *window),
      weights_(session, *window) {
  connect(&weights_, &WeightStart::foreign, this, &ProjectFiles::refuseForeignWeights);
  connect(&onnx_, &OnnxImport::imported, this, &ProjectFiles::importedProject);
  connect(&adaptation_, &RunAdaptation::adapted, this, &ProjectFiles::openProject);
}

bool ProjectFiles::mayLeave() {
  finishTyping(*window_);
  if (!session_.isModified()) return true;
  QMessageBox box(window_);
  box.setWindowTitle(QStringLiteral("Netwright"));
  box.setTextFormat(Qt::PlainText);
  box.setText(tr("Save the changes to %1?").arg(session_.displayName()));
  box.setInformativeText(
      isTraining(session_.run())
          ? tr("Training runs in a separate process, with the network as it was when training started.")
          : tr("Without saving, the changes are lost."));
  QPushButton* save = box.addButton(tr("Save"), QMessageBox::AcceptRole);
  QPushButton* drop = box.addButton(tr("Do not save"), QMessageBox::DestructiveRole);
  box.addButton(tr("Cancel"), QMessageBox::RejectRole);
  box.setDefaultButton(save);
  box.exec();
  if (box.clickedButton() == save) return this->save();
  return box.clickedButton() == drop;
}

void ProjectFiles::newEmpty() {
  if (!mayLeave()) return;
  ++turn_;
  GraphDoc doc;
  if (const int threads = preferences().threads; threads > 0) {
    TrainSettings settings = doc.settings();
    settings.threads = threads;
    (void)static_cast<bool>(doc.apply({PutSettings{settings}}));
  }
  (void)static_cast<bool>(doc.apply(add_node(doc, "", Node{.type = "Input", .name = "images"})));
  session_.replace(std::move(doc), {}, tr("Untitled"));
  Q_EMIT opened();
}

bool ProjectFiles::newFromTemplate(const QString& name) {
  const Template* found = find_template(name.toStdString());
  if (!found) {
    QStringList known;
    for (const Template& t : all_templates()) known << QString::fromUtf8(t.name.data(), qsizetype(t.name.size()));
    Q_EMIT session_.message(
        tr("There is no template %1. Choose one of these: %2").arg(name, known.join(QStringLiteral(", "))), 2);
    return false;
  }
  return newProject(found->make(), name);
}

bool ProjectFiles::newProject(GraphDoc doc, const QString& name) {
  if (!mayLeave()) return false;
  ++turn_;
  session_.replace(std::move(doc), {}, name);
  Q_EMIT opened();
  return true;
}

void ProjectFiles::adaptRun(const QString& run) { adaptation_.toImages({run, runTitle(run)}); }

void ProjectFiles::adaptRunToTable(const QString& run) { adaptation_.toTable({run, runTitle(run)}); }

void ProjectFiles::startFromWeights() { weights_.choose(); }

void ProjectFiles::adaptProject() {
  if (const auto source = adaptable()) adaptation_.toImages(*source);
}

void ProjectFiles::adaptProjectToTable() {
  if (const auto source = adaptable()) adaptation_.toTable(*source);
}

std::optional<RunAdaptation::Source> ProjectFiles::adaptable() {
  const Result<StartFrom> from = start_from(session_.doc());
  if (!from || from->weights.empty()) {
    Q_EMIT session_.message(tr("This project begins with no trained weights. Train it first, then adapt its run; or "
                               "choose a file of weights."),
                            1, {{tr("Start from weights…"), [this] { startFromWeights(); }}});
    return std::nullopt;
  }
  if (session_.path().isEmpty() || session_.isModified()) {
    Q_EMIT session_.message(tr("Save the project first: what is adapted is its file."), 1,
                            {{tr("Save"), [this] { save(); }}});
    return std::nullopt;
  }
  return RunAdaptation::Source{session_.path(), session_.displayName()};
}

/// What an imported network is for: its training on other images.
void ProjectFiles::importedProject(const QString& project, const QString& sentence, bool opaque) {
  if (!openProject(project)) return;
  if (opaque)
    return void(Q_EMIT session_.message(
        sentence, 1, {{tr("Show the problems"), [] { action(QStringLiteral("next-problem"))->trigger(); }}}));
  Q_EMIT session_.message(sentence, 0,
                          {{tr("Adapt to my images…"), [this] { adaptProject(); }, ValidUntil::run_starts},
                           {tr("Adapt to a table…"), [this] { adaptProjectToTable(); }, ValidUntil::run_starts}});
}

void ProjectFiles::openRunProject(const QString& run) {
  inBackground(
      this, [run] { return std::make_shared<Result<RunDefinition>>(read_run_definition(run.toStdString())); },
      [this, run](const std::shared_ptr<Result<RunDefinition>>& read) {
        if (!*read) return void(Q_EMIT session_.message(translated(read->error().what), 2));
        RunDefinition& definition = **read;
        if (!newProject(std::move(definition.doc), QString::fromStdString(definition.name))) return;
        Q_EMIT session_.message(tr("The network and the settings of run %1 are a new project.").arg(runTitle(run)), 0);
      });
}

void ProjectFiles::openExample(const QString& name) {
  const Example* example = find_example(name.toStdString());
  if (!example) return;
  inBackground(
      this, [example] { return open_example(*example, examples_folder()); },
      [this](const Result<fs::path>& file) {
        if (!file) return void(Q_EMIT session_.message(translated(file.error().what), 2));
        openPath(QString::fromStdString(file->string()));
      });
}

void ProjectFiles::fillExamples(QMenu& menu) {
  menu.setToolTipsVisible(true);
  for (const Example& example : all_examples()) {
    QAction* entry = menu.addAction(translated(example.title));
    entry->setToolTip(translated(example.summary));
    connect(
        entry, &QAction::triggered, this,
        [this, name = QString::fromUtf8(example.name.data(), qsizetype(example.name.size()))] { openExample(name); });
  }
}

void ProjectFiles::requestOpen() {
  const QString path = QFileDialog::getOpenFileName(window_, tr("Open a project, an ONNX network, a drawing or data"),
                                                    lastFolder(session_),
                                                    tr("What Netwright opens (*.netwright *.onnx *.png *.csv *.tsv "
                                                       "*.json *.zip *.tar *.tgz *.gz *.txt *-ubyte *idx3*);;"
                                                       "Netwright projects (*.netwright);;ONNX networks (*.onnx);;PNG "
                                                       "drawings with a project (*.png);;All files (*)"));
  if (!path.isEmpty()) openPath(path);
}

void ProjectFiles::requestOpenFolder() {
  const QString path =
      QFileDialog::getExistingDirectory(window_, tr("Open a folder with images, data or a run"), lastFolder(session_));
  if (!path.isEmpty()) openPath(path);
}

bool ProjectFiles::refuseForeignWeights(const QString& path) {
  const auto kind = exchange::foreign_weights(path.toStdString());
  if (!kind) return false;
  const QString script = QString::fromStdString(std::string(exchange::conversion_script(*kind)));
  Q_EMIT session_.message(translated(exchange::foreign_weights_error(*kind, path.toStdString()).what), 2,
                          {{tr("Copy the script"), [script] { QGuiApplication::clipboard()->setText(script); }}});
  return true;
}

bool ProjectFiles::openPath(const QString& path) {
  ++turn_;
  const QFileInfo info(path);
  if (!info.exists()) {
    Q_EMIT session_.message(tr("%1 does not exist any more").arg(QDir::toNativeSeparators(path)), 2);
    return false;
  }
  rememberFolderOf(path);
  // A file manager, in which a folder opens itself, offers the run's file.
  if (info.isFile() && info.fileName() == QLatin1String("run.json")) return Q_EMIT openRun(info.absolutePath()), true;
  if (info.isDir() && QFileInfo::exists(QDir(path).filePath(QStringLiteral("run.json"))))
    return Q_EMIT openRun(info.absoluteFilePath()), true;
  if (!info.isDir() && refuseForeignWeights(path)) return false;
  if (!info.isDir() && path.endsWith(suffix)) return openProject(path);
  if (!info.isDir() && path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) return openImage(path), true;
  if (!info.isDir() && path.endsWith(QLatin1String(".onnx"), Qt::CaseInsensitive)) return onnx_.open(path), true;
  if (!info.isDir() && path.endsWith(QLatin1String(".safetensors"), Qt::CaseInsensitive))
    return weights_.open(path), true;
  return data_.open(info.absoluteFilePath());
}

bool ProjectFiles::openProject(const QString& path) {
  if (!mayLeave()) return false;
  if (const Status status = session_.open(path); !status) {
    Q_EMIT session_.message(translated(status.error().what), 2);
    return false;
  }
  rememberProject(session_.path());
  Q_EMIT opened();
  return true;
}

/// Opens the project stored in an exported diagram as a new project; the diagram file is not changed. It may be large
/// and from anywhere, so it is read on another thread; what is opened meanwhile comes instead of it.
void ProjectFiles::openImage(const QString& path) {
  inBackground(
      this, [path] { return std::make_shared<Result<GraphDoc>>(projectInPicture(path)); },
      [this, path, turn = turn_](const std::shared_ptr<Result<GraphDoc>>& doc) {
        if (turn != turn_) return;
        if (!*doc) return void(Q_EMIT session_.message(translated(doc->error().what), 2));
        if (!newProject(*std::move(*doc), QFileInfo(path).completeBaseName())) return;
        rememberProject(QFileInfo(path).absoluteFilePath());
      });
}

void ProjectFiles::exportDrawing(const GraphScene& scene) {
  struct Kind {
    const char* ending;
    QString name;
  };
  const Kind kinds[] = {{".png", tr("PNG with the project inside (*.png)")},
                        {".svg", tr("Drawing for the web and for papers (*.svg)")},
                        {".pdf", tr("PDF page (*.pdf)")},
                        {".tex", tr("TikZ picture for LaTeX (*.tex)")}};
  QStringList names;
  for (const Kind& kind : kinds) names << kind.name;
  QString chosen = names.front();
  QString path = QFileDialog::getSaveFileName(window_, tr("Export the drawing"),
                                              QDir(startFolder(session_)).filePath(session_.displayName()),
                                              names.join(QStringLiteral(";;")), &chosen);
  if (path.isEmpty()) return;
  const bool ends = std::any_of(std::begin(kinds), std::end(kinds), [&](const Kind& k) {
    return path.endsWith(QLatin1String(k.ending), Qt::CaseInsensitive);
  });
  if (!ends) path += QLatin1String(kinds[std::max<qsizetype>(0, names.indexOf(chosen))].ending);
  const Status done = ui::exportDrawing(scene, path);
  if (!done) return void(Q_EMIT session_.message(translated(done.error().what), 2));
  Q_EMIT session_.message(tr("The drawing was saved to %1").arg(QDir::toNativeSeparators(path)), 0, fileActions(path));
}

bool ProjectFiles::save() {
  finishTyping(*window_);
  if (session_.path().isEmpty() || session_.readOnly()) return saveAs();
  if (const Status status = session_.save(session_.path()); !status) {
    Q_EMIT session_.message(translated(status.error().what), 2);
    return false;
  }
  rememberProject(session_.path());
  return true;
}

bool ProjectFiles::saveAs() {
  finishTyping(*window_);
  QString name = session_.displayName();
  QString path =
      QFileDialog::getSaveFileName(window_, tr("Save the project"), QDir(startFolder(session_)).filePath(name + suffix),
                                   tr("Netwright projects (*.netwright)"));
  if (path.isEmpty()) return false;
  if (!path.endsWith(suffix)) path += suffix;
  if (const Status status = session_.save(path); !status) {
    Q_EMIT session_.message(translated(status.error().what), 2);
    return false;
  }
  rememberFolderOf(path);
  rememberProject(session_.path());
  return true;
}

void ProjectFiles::fillRecent(QMenu& menu) {
  listRecent(menu);
  const QString chosen = session_.run().runsFolder();
  inBackground(
      &menu,
      [folder = chosen.isEmpty() ? runs_folder() : fs::path(chosen.toStdString())] { return newestRuns(folder); },
      [this, &menu](const QVector<RecentRun>& runs) {
        if (std::exchange(recentRuns_, runs) != runs) listRecent(menu);
      });
}

void ProjectFiles::listRecent(QMenu& menu) {
  menu.clear();
  for (const QString& path : recentProjects()) {
    QString shown = QFileInfo(path).completeBaseName();
    QAction* entry =
        menu.addAction(shown.replace(QLatin1Char('&'), QLatin1String("&&")), this, [this, path] { openPath(path); });
    entry->setToolTip(QDir::toNativeSeparators(path));
    entry->setEnabled(QFileInfo::exists(path));
  }
  const bool none = menu.isEmpty();
  if (none) menu.addAction(tr("No project was opened yet"))->setEnabled(false);
  if (!recentRuns_.isEmpty()) menu.addSeparator();
  for (const RecentRun& run : recentRuns_) {
    const QString shown = QString(run.title).replace(QLatin1Char('&'), QLatin1String("&&"));
    QAction* entry = menu.addAction(icon(QStringLiteral("page-runs")), tr("Run %1").arg(shown), this,
                                    [this, folder = run.folder] { Q_EMIT openRun(folder); });
    entry->setToolTip(QDir::toNativeSeparators(run.folder));
  }
  if (!none) {
    menu.addSeparator();
    menu.addAction(icon(QStringLiteral("trash")), tr("Clear the list"), this, [] { clearRecentProjects(); });
  }
  menu.setToolTipsVisible(true);
}

}  // namespace nw::ui
