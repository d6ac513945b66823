// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/recovery.hpp"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QThreadPool>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/design/project_file.hpp"
#include "ui/session/guarded.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

struct Recovery::Private {
  QThreadPool worker;  // one thread, so writes keep their order
  QString file;        // this window's file; locked from the first write on
  std::optional<FileLock> lock;
  quint64 written = 0;   // version on disk, or on its way there; 0: none
  bool failing = false;  // the last write failed, which was said
  std::mutex mutex;
  std::optional<Status> result;  // of the last write, until it is taken
};

namespace {

constexpr std::uint64_t sizeLimit = std::uint64_t{64} << 20;

std::string lockOf(const QString& file) { return (file + QStringLiteral(".lock")).toStdString(); }

std::string recoveryText(const GraphDoc& doc, const QString& name, const QString& path) {
  return canonical(Json{{"name", name.toStdString()},
                        {"path", path.toStdString()},
                        {"project", ProjectFile::json(doc)},
                        {"saved", QDateTime::currentSecsSinceEpoch()},
                        {"schema", 1}});
}

Result<Json> readRecovery(const QString& file) {
  NW_ASSIGN(const std::string text, read_file(file.toStdString(), sizeLimit));
  return parse_json(text, file.toStdString());
}

}  // namespace

Recovery::Recovery(Session& session, const QString& folder, QObject* parent)
    : QObject(parent), session_(session), folder_(folder), d_(std::make_unique<Private>()) {
  d_->worker.setMaxThreadCount(1);
  timer_.setInterval(intervalMs);
  connect(&timer_, &QTimer::timeout, this, &Recovery::saveSoon);
  connect(&session_, &Session::fileChanged, this, [this] {
    if (!session_.isModified()) cleared();
  });
  timer_.start();
  connect(&session_, &Session::documentChanged, this, [this] {
    // a write in progress is followed by the next one
    if (++edits_ >= maxEdits && d_->worker.activeThreadCount() == 0) saveSoon();
  });
}

Recovery::~Recovery() {
  cleared();  // at a normal end the user was already asked about unsaved changes
  d_->worker.waitForDone();
}

void Recovery::saveSoon() {
  if (!session_.isModified() || session_.version() == d_->written) return;
  if (const Status opened = openFile(); !opened) return settle(opened);
  d_->written = session_.version();
  edits_ = 0;
  d_->worker.start(
      guarded([this, doc = session_.doc(), name = session_.displayName(), path = session_.path(), file = d_->file] {
        // An exception is a failed save. It is not reported as one of the window: that saves here again.
        const Status saved = [&]() -> Status {
          try {
            return save_file(file.toStdString(), recoveryText(doc, name, path), 0600);
          } catch (const std::exception& e) { return fail(Errc::other, "{0}", e.what()); }
        }();
        const std::lock_guard lock(d_->mutex);
        d_->result = saved;
        QMetaObject::invokeMethod(this, &Recovery::settleWrite, Qt::QueuedConnection);
      }));
}

/// The folder and the locked file of this window, created with the first write.
Status Recovery::openFile() {
  NW_TRY(make_folder(folder_.toStdString(), 0700));
  if (!d_->file.isEmpty()) return {};
  const QString name =
      QStringLiteral("%1-%2.json").arg(QCoreApplication::applicationPid()).arg(QDateTime::currentMSecsSinceEpoch());
  NW_ASSIGN(FileLock lock, FileLock::take(lockOf(QDir(folder_).filePath(name))));
  d_->lock.emplace(std::move(lock));
  d_->file = QDir(folder_).filePath(name);
  return {};
}

void Recovery::settleWrite() {
  std::optional<Status> result;
  {
    const std::lock_guard lock(d_->mutex);
    result = std::exchange(d_->result, std::nullopt);
  }
  if (result) settle(*result);
}

/// A write that failed is tried again at the next tick, and said once until one succeeds.
void Recovery::settle(const Status& result) {
  const bool saidBefore = std::exchange(d_->failing, !result);
  if (result) return;
  d_->written = 0;
  if (saidBefore) return;
  Q_EMIT session_.message(tr("Your changes are not protected against a crash: the copy in %1 cannot be written (%2). "
                             "Save the project now.")
                              .arg(QDir::toNativeSeparators(folder_), translated(result.error().what)),
                          2);
}

Status Recovery::flush() {
  saveSoon();
  d_->worker.waitForDone();
  if (!d_->file.isEmpty()) settleWrite();
  if (d_->failing) return fail(Errc::disk, NW_TR("the recovery copy cannot be written"));
  return {};
}

void Recovery::cleared() {
  if (d_->file.isEmpty()) return;
  d_->worker.waitForDone();
  QFile::remove(d_->file);
  QFile::remove(QString::fromStdString(lockOf(d_->file)));
  d_->lock.reset();
  d_->file.clear();
  d_->written = 0;
  d_->failing = false;
  d_->result.reset();
}

/// Newest first.
std::vector<QString> Recovery::filesOfEnded() const {
  std::vector<QString> files;
  for (const QString& name :
       QDir(folder_).entryList({QStringLiteral("*.json")}, QDir::Files | QDir::NoSymLinks, QDir::Time)) {
    const QString file = QDir(folder_).filePath(name);
    if (FileLock::is_held(lockOf(file))) continue;
    files.push_back(file);
  }
  return files;
}

std::vector<Text> Recovery::unreadable() const {
  std::vector<Text> reasons;
  for (const QString& file : filesOfEnded())
    if (const auto json = readRecovery(file); !json && json.error().code == Errc::disk)
      reasons.push_back(json.error().what);
  return reasons;
}

std::vector<RecoveredProject> Recovery::found() const {
  std::vector<RecoveredProject> projects;
  for (const QString& file : filesOfEnded()) {
    const Result<Json> json = readRecovery(file);
    if (!json || !json->is_object()) continue;
    const auto text = [&](const char* key) {
      const auto it = json->find(key);
      return it != json->end() && it->is_string() ? QString::fromStdString(it->get<std::string>()) : QString();
    };
    const auto saved = json->find("saved");
    projects.push_back({file, text("name"), text("path"),
                        saved != json->end() && saved->is_number_integer() ? saved->get<qint64>() : 0});
  }
  return projects;
}

Result<GraphDoc> Recovery::load(const RecoveredProject& project) const {
  NW_ASSIGN(const Json json, readRecovery(project.file));
  const auto inner = json.find("project");
  if (inner == json.end()) return fail(Errc::bad_input, NW_TR("{0}: no project inside"), project.file.toStdString());
  return ProjectFile::from_json(*inner, project.file.toStdString());
}

void Recovery::discard(const RecoveredProject& project) {
  QFile::remove(project.file);
  QFile::remove(QString::fromStdString(lockOf(project.file)));
}

}  // namespace nw::ui
