// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.hpp"
#include "kernels/nested_text.hpp"
#include "kernels/printable.hpp"

#include <sys/stat.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QLockFile>
#include <QPointer>
#include <QThreadPool>
#include <QtConcurrentRun>

#include "engine/backend/devices.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "ui/session/edit_command.hpp"
#include "ui/session/guarded.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"

namespace nw::ui {

struct Session::Private {
  std::unique_ptr<QLockFile> lock;
  QThreadPool worker;  // one thread: analyses run in order, the newest result replaces the others
  QFutureWatcher<Guarded<Analysis>> watcher;
  quint64 inFlight = 0;    // version being analysed, 0: none
  quint64 replacedAt = 0;  // version at which the document was replaced
  std::function<Analysis(const GraphDoc&, const DataFacts&)> analyser;
};

namespace {

constexpr auto extension = ".netwright";

/// Worker thread: shapes, problems and, if this program has the device's backend, planned memory.
Analysis analyseSnapshot(const GraphDoc& doc, const DataFacts& facts) {
  Target target;
  target.data = facts;
  target.world = static_cast<int>(std::max<std::size_t>(1, doc.settings().devices.size()));
  auto found = resolve_devices({doc.settings().devices.empty() ? "cpu" : doc.settings().devices.front()},
                               doc.settings().threads);
  if (found && !found->empty()) target.device = found->front().device.get();
  return analyse(doc, target);
}

using Analyser = std::function<Analysis(const GraphDoc&, const DataFacts&)>;
Analyser& analyser() {
  static Analyser one = analyseSnapshot;
  return one;
}

/// Worker thread: a network that needs more memory than there is has a problem that says so.
Analysis analysedWithinMemory(const Analyser& how, const GraphDoc& doc, const DataFacts& facts) {
  try {
    return how(doc, facts);
  } catch (const std::bad_alloc&) {
    Analysis none;
    none.problems.push_back({.what = text(NW_TR("There is not enough memory to analyse this network; make it smaller "
                                                "or close other programs"))});
    return none;
  }
}

constexpr off_t most_lock_bytes = 4096;  // a process's number and two names

QString lockPath(const QString& path) {
  const QFileInfo info(path);
  return info.dir().filePath(QStringLiteral(".%1.lock").arg(info.fileName()));
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent), d_(std::make_unique<Private>()) {
  d_->worker.setMaxThreadCount(1);
  d_->analyser = analyser();
  devices_ = {DeviceInfo{"cpu", {}, 0, true, {}}};
  run_ = std::make_unique<RunController>(*this);
  feed_ = std::make_unique<RunFeed>();
  helper_ = std::make_unique<HelperClient>();
  connect(&undo_, &QUndoStack::cleanChanged, this, &Session::fileChanged);
  connect(&d_->watcher, &QFutureWatcher<Analysis>::finished, this,
          [this] { analysed(std::exchange(d_->inFlight, 0), d_->watcher.result()); });
  findDevices();
  analyseSoon();
}

Session::~Session() {
  d_->watcher.disconnect(this);
  undo_.disconnect(this);
  d_->worker.waitForDone();
}

void Session::setAnalyser(Analyser how) { analyser() = how ? std::move(how) : analyseSnapshot; }

// --- the document

bool Session::push(const Edit& edit, const QString& text, int mergeKey) {
  if (edit.empty()) return true;
  Edit inverse;
  if (!applyNow(edit, &inverse)) return false;
  undo_.push(new EditCommand(*this, edit, std::move(inverse), text, mergeKey));
  return true;
}

bool Session::applyNow(const Edit& edit, Edit* inverse) {
  Result<Edit> back = doc_.apply(edit);
  if (!back) {
    Q_EMIT message(translated(back.error().what), 2);
    return false;
  }
  if (inverse) *inverse = *std::move(back);
  ++version_;
  Q_EMIT documentChanged(edit);
  analyseSoon();
  return true;
}

void Session::replace(GraphDoc doc, const QString& path, const QString& name) {
  Q_EMIT documentAboutToBeReplaced();
  undo_.clear();  // before the document changes: its signals reach views that still show the old one
  undo_.setClean();
  QString holder;
  d_->lock.reset();
  readOnly_ = !path.isEmpty() && !lock(path, &holder);
  doc_ = std::move(doc);
  d_->replacedAt = ++version_;
  analysis_ = {};
  facts_ = {};
  dataProblem_.reset();
  path_ = path;
  name_ = name;
  Q_EMIT documentReplaced();
  Q_EMIT fileChanged();
  Q_EMIT dataFactsChanged();
  analyseSoon();
  if (readOnly_)
    Q_EMIT message(
        tr("%1 is open in %2. It can be changed here and saved under another name.").arg(displayName(), holder), 1);
}

// --- its file

QString Session::displayName() const {
  if (!path_.isEmpty()) {
    const QString file = QFileInfo(path_).fileName();
    return inOneLine(file.endsWith(QLatin1String(extension)) ? file.chopped(qstrlen(extension)) : file);
  }
  return name_.isEmpty() ? tr("Untitled") : inOneLine(name_);
}

void Session::setPath(const QString& path, const QString& name) {
  path_ = path;
  name_ = name;
  Q_EMIT fileChanged();
}

Status Session::open(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  Result<GraphDoc> doc = ProjectFile::load(absolute.toStdString());
  if (!doc) return doc.error();
  replace(*std::move(doc), absolute, QFileInfo(path).completeBaseName());
  return {};
}

Status Session::save(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  const bool elsewhere = absolute != path_;
  if (!elsewhere && readOnly_)
    return fail(Errc::other, NW_TR("{0} is open in another window; save it under another name"), path.toStdString());
  std::unique_ptr<QLockFile> before = elsewhere ? std::move(d_->lock) : nullptr;
  QString holder;
  if (elsewhere && !lock(absolute, &holder)) {
    d_->lock = std::move(before);
    return fail(Errc::other, NW_TR("{0} is open in {1}; choose another name"), path.toStdString(),
                holder.toStdString());
  }
  if (elsewhere && !path_.isEmpty())
    if (auto moved = away_from(doc_, fs::path(path_.toStdString()).parent_path())) doc_ = *std::move(moved);
  const Status saved = ProjectFile::save(doc_, absolute.toStdString());
  if (!saved) {
    if (elsewhere) d_->lock = std::move(before);
    return saved;
  }
  readOnly_ = false;
  undo_.setClean();
  setPath(absolute, name_);
  return saved;
}

/// A document lock does not expire; it is released when its process ends. If no lock file can be created (the folder
/// is read-only, or something else is in its place), the file counts as unlocked; saving will report the error.
bool Session::lock(const QString& path, QString* holder) {
  // A received folder may have a pipe or a link to a device there, on which QLockFile would wait or read for ever.
  struct stat info {};
  const bool there = ::lstat(QFile::encodeName(lockPath(path)).constData(), &info) == 0;
  if (there && (!S_ISREG(info.st_mode) || info.st_size > most_lock_bytes)) return true;
  auto file = std::make_unique<QLockFile>(lockPath(path));
  file->setStaleLockTime(0);
  if (!file->tryLock(0) && file->error() == QLockFile::LockFailedError) {
    qint64 pid = 0;
    QString host, application;
    file->getLockInfo(&pid, &host, &application);
    *holder = host.isEmpty() || host == QSysInfo::machineHostName()
                  ? tr("another window (process %1)").arg(pid)
                  : tr("another window (process %1 on %2)").arg(pid).arg(host);
    return false;
  }
  d_->lock = std::move(file);
  return true;
}

// --- its analysis

void Session::setDataFacts(const DataFacts& facts) {
  if (facts == facts_) return;
  facts_ = facts;
  ++version_;
  Q_EMIT dataFactsChanged();
  analyseSoon();
}

void Session::setDataProblem(std::optional<Problem> problem) {
  if (!problem && !dataProblem_) return;
  dataProblem_ = std::move(problem);
  ++version_;
  analyseSoon();
}

void Session::setDataOpening(bool opening) {
  if (std::exchange(dataOpening_, opening) != opening) Q_EMIT dataOpeningChanged();
}

void Session::analyseSoon() {
  if (d_->inFlight) return;  // if the running analysis is out of date, another one follows it
  d_->inFlight = version_;
  d_->watcher.setFuture(QtConcurrent::run(&d_->worker, guarded([how = d_->analyser, doc = doc_, facts = facts_] {
    return analysedWithinMemory(how, doc, facts);
  })));
}

void Session::analysed(quint64 version, std::optional<Analysis> analysis) {
  if (version >= d_->replacedAt && analysis) {
    analysis_ = *std::move(analysis);
    if (dataProblem_) analysis_.problems.insert(analysis_.problems.begin(), *dataProblem_);
    analysed_ = version;
    Q_EMIT analysisChanged();
  }
  if (version != version_) analyseSoon();
}

void Session::findDevices() {
  auto* watcher = new QFutureWatcher<Guarded<std::vector<DeviceInfo>>>(this);
  connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
    if (auto found = watcher->result()) devices_ = *std::move(found);
    watcher->deleteLater();
    Q_EMIT devicesChanged();
  });
  watcher->setFuture(QtConcurrent::run(&d_->worker, guarded([] { return list_devices(); })));
}

QString inOneLine(const QString& words) { return QString::fromStdString(printable(words.toStdString())); }

QString translated(const Text& text) {
  Text local = text;
  local.source = QCoreApplication::translate("engine", text.source.c_str()).toStdString();
  for (std::string& arg : local.args)
    if (const auto inner = nested_in(arg)) arg = translated(*inner).toStdString();
  return QString::fromStdString(local.str());
}

}  // namespace nw::ui
