// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/submit/job_followers.hpp"

#include "engine/runs/run_folder.hpp"
#include "engine/submit/submission.hpp"
#include "ui/session/background.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr int look_ms = 250, again_ms = 5000;

fs::path recordOf(const QString& job) { return submit::jobs_folder() / job.toStdString(); }

bool jobHasEnded(const QString& job) {
  const submit::JobState state = submit::remembered(recordOf(job)).state;
  return state == submit::JobState::ended || state == submit::JobState::lost;
}

QStringList unfinishedJobs() {
  QStringList names;
  for (const submit::Job& job : submit::list_jobs(submit::jobs_folder()))
    if (const QString name = QString::fromStdString(job.name); !jobHasEnded(name)) names << name;
  return names;
}

}  // namespace

JobFollowers::JobFollowers(QObject* parent) : QObject(parent) {
  setObjectName(QStringLiteral("jobFollowers"));
  look_.setInterval(look_ms);
  connect(&look_, &QTimer::timeout, this, &JobFollowers::lookForRuns);
}

/// The jobs go on; what was copied of their runs is gone on with by the next window.
JobFollowers::~JobFollowers() {
  for (QProcess* process : std::as_const(processes_)) {
    process->disconnect(this);
    process->setParent(nullptr);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
  }
}

QString JobFollowers::runOf(const QString& job) const {
  return QString::fromStdString((recordOf(job) / "run").string());
}

void JobFollowers::follow(const QString& job) {
  if (!waited_.contains(job)) waited_ << job;
  look_.start();
  if (!processes_.contains(job)) start(job);
}

void JobFollowers::followAll() {
  inBackground(
      this, [] { return unfinishedJobs(); },
      [this](const QStringList& jobs) {
        for (const QString& job : jobs) follow(job);
      });
}

void JobFollowers::start(const QString& job) {
  auto* const process = new QProcess(this);
  processes_[job] = process;
  process->setStandardOutputFile(QProcess::nullDevice());
  process->setStandardErrorFile(QProcess::nullDevice());
  connect(process, &QProcess::finished, this, [this, job] { processEnded(job); });
  connect(process, &QProcess::errorOccurred, this, [this, job](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) processEnded(job);
  });
  process->start(CommandProcess::program(),
                 {QStringLiteral("jobs"), QStringLiteral("follow"), job, QStringLiteral("--json")},
                 QIODevice::ReadOnly);
}

/// A process that gave up, or found that another window follows the job, is started again a little later.
void JobFollowers::processEnded(const QString& job) {
  processes_.take(job)->deleteLater();
  std::error_code ignored;
  const bool forgotten = !fs::exists(recordOf(job) / "job.json", ignored);
  if (forgotten || jobHasEnded(job)) {
    waited_.removeAll(job);
    return Q_EMIT ended(job);
  }
  QTimer::singleShot(again_ms, this, [this, job] {
    if (!jobHasEnded(job)) follow(job);
  });
}

void JobFollowers::lookForRuns() {
  const QStringList trained = std::exchange(training_, {});
  for (const QString& job : waited_ + processes_.keys()) {
    if (training_.contains(job) || !is_running(runOf(job).toStdString())) continue;
    training_ << job;
    if (waited_.removeAll(job) > 0 || !trained.contains(job)) Q_EMIT began(runOf(job));
  }
  if (waited_.isEmpty() && processes_.isEmpty()) look_.stop();
}

JobFollowers& jobFollowers(Session& session) {
  auto* found = session.findChild<JobFollowers*>(QStringLiteral("jobFollowers"), Qt::FindDirectChildrenOnly);
  return found != nullptr ? *found : *new JobFollowers(&session);
}

}  // namespace nw::ui
