// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_starter.hpp"

#include <QSettings>
#include <algorithm>

#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/runs/lock_holder.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/desktop/desktop_notification.hpp"
#include "ui/session/run_process.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/sentences.hpp"

namespace nw::ui {

namespace {

constexpr const char* jobs_key = "search/jobs";

QString wordOf(const fs::path& path) { return QString::fromStdString(path.string()); }

QStringList definitionArguments(const search::StudyDefinition& d) {
  QStringList words;
  for (const search::Objective& o : d.objectives)
    words << QStringLiteral("--objective") << QString::fromStdString(search::to_text(o));
  words << QStringLiteral("--sampler") << QString::fromStdString(d.sampler) << QStringLiteral("--pruner")
        << QString::fromStdString(d.pruner) << QStringLiteral("--epochs") << QString::number(d.epochs)
        << QStringLiteral("--seed") << QString::number(d.seed) << QStringLiteral("--first-rung")
        << QString::number(d.first_rung) << QStringLiteral("--reduction") << QString::number(d.reduction);
  return words;
}

QStringList commandFor(const fs::path& project, const fs::path& space, const fs::path& folder,
                       const search::StudyDefinition& d, qint64 trials, qint64 jobs) {
  return QStringList{
             QStringLiteral("sweep"),  wordOf(project),       QStringLiteral("--space"),  wordOf(space),
             QStringLiteral("--dir"),  wordOf(folder),        QStringLiteral("--trials"), QString::number(trials),
             QStringLiteral("--jobs"), QString::number(jobs), QStringLiteral("--quiet")} +
         definitionArguments(d);
}

}  // namespace

struct StudyStarter::Running {
  RunProcess process;
  fs::path snapshot;  // the project and the space until the study has its copies
  bool stopping = false;
};

StudyStarter::StudyStarter(Session& session, QObject* parent) : QObject(parent), session_(session) {}
StudyStarter::~StudyStarter() = default;

qint64 StudyStarter::lastJobs() {
  return std::clamp<qint64>(QSettings().value(QLatin1String(jobs_key), 1).toLongLong(), 1, 256);
}

fs::path StudyStarter::refuse(const Error& error) {
  Q_EMIT session_.message(translated(error.what), 2);
  return {};
}

fs::path StudyStarter::start(const StudyOrder& order) {
  const std::string name = runNameOf(session_.displayName()).toStdString();
  const auto doc = away_from(session_.doc(), fs::path(session_.path().toStdString()).parent_path());
  if (!doc) return refuse(doc.error());
  const auto folder = reserve_run_folder(runs_folder(), name + "-study");
  if (!folder) return refuse(folder.error());
  const fs::path place = state_folder() / "starting" / folder->filename();
  const fs::path project = place / (name + ".netwright"), space = place / search::space_copy;
  Status saved = make_folder(place, 0700);
  if (saved) saved = ProjectFile::save(*doc, project);
  if (saved) saved = save_file(space, search::to_json(order.space).dump(2) + "\n");
  if (!saved) return refuse(saved.error());
  search::StudyDefinition d;
  d.objectives = order.objectives;
  d.sampler = order.sampler;
  d.pruner = order.pruner;
  d.epochs = order.epochs;
  d.seed = order.seed;
  QSettings().setValue(QLatin1String(jobs_key), order.jobs);
  return launch(*folder, commandFor(project, space, *folder, d, order.trials, order.jobs), place) ? *folder
                                                                                                  : fs::path();
}

bool StudyStarter::goOn(const StudySnapshot& study, qint64 trials, int repeats) {
  if (study.running || !study.canGoOn) return false;
  QStringList words = commandFor(study.folder / search::project_copy, study.folder / search::space_copy, study.folder,
                                 study.definition, trials, lastJobs());
  if (repeats > 0) words << QStringLiteral("--repeat-best") << QString::number(repeats);
  return launch(study.folder, words, {});
}

bool StudyStarter::launch(const fs::path& folder, const QStringList& arguments, const fs::path& snapshot) {
  auto running = std::make_shared<Running>();
  running->snapshot = snapshot;
  const QString program = wordOf(program_folder() / "netwright-cli"), key = wordOf(folder);
  if (!running->process.start(program, arguments, wordOf(folder / "log.txt"))) {
    Q_EMIT session_.message(tr("%1 could not be started: %2").arg(program, running->process.errorText()), 2);
    return false;
  }
  connect(
      &running->process, &RunProcess::exited, this, [this, key] { processEnded(key); }, Qt::QueuedConnection);
  running_[key] = running;
  Q_EMIT started(key);
  return true;
}

void StudyStarter::processEnded(const QString& folder) {
  const auto running = running_.take(folder);
  if (!running) return;
  std::error_code ignored;
  if (!running->snapshot.empty()) fs::remove_all(running->snapshot, ignored);
  const ProcessExit how = running->process.end();
  if (!running->stopping)
    notifyUnlessActive(runTitle(folder), how.known && how.signal == 0 && how.exitCode == 0
                                             ? tr("The search has finished.")
                                             : tr("The search ended before it was done."));
  const fs::path place(folder.toStdString());
  if (how.known && how.signal == 0 && how.exitCode > 0 && how.exitCode < 128) {
    const QString last = lastLine(wordOf(place / "log.txt"));
    Q_EMIT session_.message(tr("The search ended: %1").arg(last.isEmpty() ? tr("code %1").arg(how.exitCode) : last), 2);
    if (!search::holds_study(place))  // it did not begin; the folder is removed only if nothing else is in it
      for (const fs::path& file : {place / "lock", place / "log.txt", place}) fs::remove(file, ignored);
  }
  Q_EMIT ended(folder);
}

bool StudyStarter::isStarted(const fs::path& folder) const { return running_.contains(wordOf(folder)); }

bool StudyStarter::isStopping(const fs::path& folder) const {
  const auto found = running_.constFind(wordOf(folder));
  return found != running_.cend() && (*found)->stopping;
}

void StudyStarter::stop(const fs::path& folder) {
  const QString key = wordOf(folder);
  auto found = running_.find(key);
  if (found == running_.end()) {  // another window, or the command line, started it
    auto other = std::make_shared<Running>();
    if (!other->process.attach(lock_holder(folder / "lock"))) return;
    connect(
        &other->process, &RunProcess::exited, this, [this, key] { processEnded(key); }, Qt::QueuedConnection);
    found = running_.insert(key, other);
  }
  Running& running = **found;
  if (running.stopping) return running.process.kill();
  running.stopping = true;
  running.process.terminate();
  Q_EMIT session_.message(tr("The search stops: its trials save checkpoints. Continue goes on with them."), 0);
}

}  // namespace nw::ui
