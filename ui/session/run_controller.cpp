// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_controller.hpp"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/runs/lock_holder.hpp"
#include "ui/desktop/desktop_notification.hpp"
#include "ui/session/guarded.hpp"
#include "ui/session/job_of_run.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/run_process.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/sentences.hpp"

namespace nw::ui {

namespace {
using namespace std::chrono_literals;
constexpr auto kill_after = 1000ms;
constexpr int control_tries = 20;  // looks for the socket of a process that has just started
constexpr auto control_retry = 100ms;
constexpr double control_timeout_s = 2;

QString pathText(const fs::path& path) { return QString::fromStdString(path.string()); }
fs::path path(const QString& text) { return fs::path(text.toStdString()); }

/// Of a run-time setting: each counts, unlike two clicks on Pause.
bool isChange(const QString& command) { return command.startsWith(QLatin1String("set ")); }

/// How a run ended, for somebody who does not look at it.
QString endSentence(const RunSummary& summary) {
  if (summary.status == RunStatus::failed) return RunController::tr("Training failed");
  return std::isfinite(summary.test_accuracy) ? testSentence(summary.metric, summary.test_accuracy)
                                              : RunController::tr("Training finished");
}
}  // namespace

/// One controlled run. It has its own feed, because the window may show another run at the same time; while the
/// window shows this run, both feeds share one reader.
struct RunController::Process {
  RunProcess process;
  RunFeed feed;
  bool fresh = false;  // its folder is new, until run.json exists
  fs::path snapshot;   // the project file that the process reads meanwhile; empty: none
  QString before;      // the folder shown before
  QString job;         // the record of the job that it is; empty: none
  bool killed = false, gone = false;
  int generation = 0;
};

RunController::RunController(Session& session) : session_(session) {
  connect(&session, &Session::dataOpeningChanged, this, &RunController::dataArrived);
  connect(&session, &Session::analysisChanged, this, &RunController::dataArrived);
  connect(&session, &Session::documentReplaced, this, &RunController::takeBackStart);
}

RunController::~RunController() = default;  // the training process continues

void RunController::setState(State state) {
  if (state == state_) return;
  state_ = state;
  Q_EMIT stateChanged();
}

void RunController::setWaiting(bool waiting) {
  if (waiting == startAsked_) return;
  startAsked_ = waiting;
  Q_EMIT stateChanged();
}

void RunController::takeBackStart() {
  if (!startAsked_) return;
  setWaiting(false);
  Q_EMIT startTakenBack();
}

qint64 RunController::processId() const {
  return process_ && process_->process.isRunning() ? process_->process.pid() : 0;
}

bool RunController::isIdle() {
  if (state_ == State::idle) return true;
  Q_EMIT session_.message(tr("A run is already training. Stop it first, or wait until it finishes."), 1);
  return false;
}

bool RunController::mayTrain() {
  if (session_.dataProblem() && session_.dataProblem()->severity == Severity::error)
    return refuse({Errc::bad_input, session_.dataProblem()->what});
  const int errors = session_.analysisCurrent() ? session_.analysis().count(Severity::error)
                                                : analyse(session_.doc(), Target{}).count(Severity::error);
  if (errors == 0) return true;
  Q_EMIT session_.message(tr("The network has %n problem(s). Solve them before training.", nullptr, errors), 2);
  return false;
}

/// Whether the data can be read is not known while they are opened; a run of data that cannot be read would only fail.
bool RunController::waitsForData() {
  if (!session_.dataOpening()) return false;
  setWaiting(true);
  Q_EMIT session_.message(tr("The data are being opened. Training starts as soon as they are."), 0,
                          {{tr("Do not start"), [this] { takeBackStart(); }, ValidUntil::run_starts}});
  return true;
}

void RunController::dataArrived() {
  if (session_.dataOpening() || !session_.analysisCurrent() || !startAsked_) return;
  setWaiting(false);
  start();
}

bool RunController::start() {
  if (!isIdle() || waitsForData() || !mayTrain()) return false;
  const std::string name = runNameOf(session_.displayName()).toStdString();
  const auto run = reserve_run_folder(runsFolder_.isEmpty() ? runs_folder() : path(runsFolder_), name);
  if (!run) return refuse(run.error());
  const auto snapshot = saveSnapshot(session_.doc(), *run, name);
  if (!snapshot) return refuse(snapshot.error());
  watch(pathText(*run));
  process_->fresh = true;
  process_->snapshot = *snapshot;
  process_->before = session_.feed().folder();
  return launch({QStringLiteral("train"), pathText(*snapshot), QStringLiteral("--run-dir"), folder_});
}

/// The document in a file that the process reads.
Result<fs::path> RunController::saveSnapshot(const GraphDoc& doc, const fs::path& run, const std::string& name) const {
  const fs::path snapshot = state_folder() / "starting" / run.filename() / (name + ".netwright");
  NW_TRY(make_folder(snapshot.parent_path(), 0700));
  // the snapshot does not lie beside the file of weights that the project begins with
  NW_ASSIGN(const GraphDoc moved, away_from(doc, path(session_.path()).parent_path()));
  NW_TRY(ProjectFile::save(moved, snapshot));
  return snapshot;
}

bool RunController::refuse(const Error& error) {
  Q_EMIT session_.message(translated(error.what), 2);
  return false;
}

bool RunController::resume(const QString& runFolder, const QString& device, std::int64_t epochs) {
  if (!isIdle()) return false;
  if (is_running(path(runFolder))) {
    Q_EMIT session_.message(
        tr("This run was started outside this window and is still training. Its progress is shown here."), 0);
    attach(runFolder);
    Q_EMIT started(runFolder);
    return false;
  }
  if (const QString job = jobOfRun(runFolder); !job.isEmpty()) {
    Q_EMIT jobToResume(job);
    return false;
  }
  watch(runFolder);
  QStringList arguments{QStringLiteral("resume"), runFolder};
  if (!device.isEmpty()) arguments += {QStringLiteral("--device"), device};
  if (epochs > 0) arguments += {QStringLiteral("--epochs"), QString::number(epochs)};
  return launch(arguments);
}

bool RunController::branch(const BranchRequest& request) {
  if (!isIdle()) return false;
  const auto definition = read_run_definition(path(request.parent));
  if (!definition) return refuse(definition.error());
  const auto run = reserve_run_folder(runsFolder_.isEmpty() ? runs_folder() : path(runsFolder_), definition->name);
  if (!run) return refuse(run.error());
  QStringList arguments{QStringLiteral("branch"),    request.parent, QStringLiteral("--from"), request.from,
                        QStringLiteral("--run-dir"), pathText(*run)};
  for (const QString& setting : request.settings) arguments += {QStringLiteral("--set"), setting};
  if (!request.devices.isEmpty()) arguments += {QStringLiteral("--device"), request.devices};
  fs::path snapshot;
  if (request.project) {
    const auto saved = saveSnapshot(*request.project, *run, definition->name);
    if (!saved) return refuse(saved.error());
    snapshot = *saved;
    arguments += {QStringLiteral("--project"), pathText(snapshot)};
  }
  watch(pathText(*run));
  process_->fresh = true;
  process_->snapshot = snapshot;
  process_->before = session_.feed().folder();
  return launch(arguments);
}

bool RunController::launch(const QStringList& arguments) {
  const QString program = program_.isEmpty() ? pathText(program_folder() / "netwright-cli") : program_;
  if (!process_->process.start(program, arguments, logFile())) {
    const QString why = process_->process.errorText();
    tidyStart();
    process_.reset();
    Q_EMIT session_.message(tr("%1 could not be started: %2").arg(program, why), 2);
    return false;
  }
  setState(State::starting);
  session_.feed().follow(folder_);
  Q_EMIT started(folder_);
  return true;
}

void RunController::attach(const QString& runFolder) {
  if (state_ != State::idle) return;
  if (!is_running(path(runFolder))) {
    folder_ = runFolder;
    session_.feed().follow(runFolder);
    return;
  }
  watch(runFolder);
  process_->process.attach(lock_holder(path(runFolder) / "lock"));
  setState(process_->feed.paused() ? State::paused : State::running);
  session_.feed().follow(runFolder);
}

void RunController::watch(const QString& runFolder) {
  static int generations = 0;
  folder_ = runFolder;
  process_ = std::make_unique<Process>();
  process_->generation = ++generations;
  process_->job = jobOfRun(runFolder);
  waiting_.clear();  // it was for the process before
  changes_.clear();
  connect(&process_->process, &RunProcess::exited, this, &RunController::processExited);
  process_->feed.follow(runFolder);  // first: follow() may announce events of the previous process
  connect(&process_->feed, &RunFeed::statusChanged, this, &RunController::followWatched);
  connect(&process_->feed, &RunFeed::logArrived, this, &RunController::followWatched);
  connect(&process_->feed, &RunFeed::definitionArrived, this, &RunController::followWatched);
}

void RunController::followWatched() {
  if (!process_) return;
  const RunFeed& feed = process_->feed;
  if (feed.definition()) tidyStart();
  if (feed.status() == RunStatus::running) {
    if (state_ != State::stopping) setState(feed.paused() ? State::paused : State::running);
    return;
  }
  // of a process that is not a child only the released lock is observable
  if (!process_->process.isChild() && state_ != State::starting && feed.loaded()) processExited();
}

void RunController::pause() {
  if (state_ == State::running) control(QStringLiteral("pause"));
}

void RunController::unpause() {
  if (state_ == State::paused) control(QStringLiteral("continue"));
}

void RunController::change(const QString& setting, double value) {
  if (state_ == State::running || state_ == State::paused)
    control(QStringLiteral("set %1 %2").arg(setting).arg(value, 0, 'g', 17));
}

void RunController::followSchedule() {
  if (state_ == State::running || state_ == State::paused) control(QStringLiteral("set learning_rate scheduled"));
}

void RunController::stop() {
  takeBackStart();
  if (state_ == State::idle || state_ == State::stopping) return;
  setState(State::stopping);
  control(QStringLiteral("stop"));
}

void RunController::stopNow() {
  if (state_ == State::idle) return;
  setState(State::stopping);
  control(QStringLiteral("stop-now"));
  if (!process_->job.isEmpty()) return;  // the process here only follows it
  QTimer::singleShot(kill_after, this, [this, generation = process_->generation] { killIfStill(generation); });
}

void RunController::killIfStill(int generation) {
  if (!process_ || process_->generation != generation || !process_->process.isRunning()) return;
  process_->killed = true;
  process_->process.kill();
}

void RunController::control(const QString& command) {
  if (asking_) {
    if (isChange(command))
      changes_ += command;
    else
      waiting_ = command;  // the last click counts
    return;
  }
  asking_ = true;
  if (!process_->job.isEmpty())
    return controlJob(this, process_->job, command, [this, command, generation = process_->generation](auto why) {
      controlAnswered(generation, command, why, true);
    });
  const QPointer<RunController> self(this);
  QThreadPool::globalInstance()->start(
      guarded([self, run = path(folder_), asked = command.toStdString(), generation = process_->generation] {
        bool heard = control_listens(run);
        for (int i = 0; i < control_tries && !heard; ++i, heard = control_listens(run))
          std::this_thread::sleep_for(control_retry);
        auto ask = guarded([&] {
          const auto answer = control_run(run, asked, control_timeout_s);
          return !answer ? translated(answer.error().what)
                         : QString::fromStdString(answer->starts_with("error") ? *answer : "");
        });
        const QString why = ask().value_or(QString());
        QMetaObject::invokeMethod(qApp, [self, generation, asked, why, heard] {
          if (self) self->controlAnswered(generation, QString::fromStdString(asked), why, heard);
        });
      }));
}

void RunController::controlAnswered(int generation, const QString& asked, const QString& why, bool heard) {
  asking_ = false;
  const bool again = !heard && process_ && process_->generation == generation;
  if (again && isChange(asked))
    changes_.prepend(asked);
  else if (again && waiting_.isEmpty())
    waiting_ = asked;
  const QString next = changes_.isEmpty() ? std::exchange(waiting_, QString()) : changes_.takeFirst();
  if (!process_ || process_->gone) return;
  if (!why.isEmpty() && !again && process_->generation == generation) {
    Q_EMIT session_.message(tr("The training process rejected the request: %1").arg(why), 1);
    if (isChange(asked)) Q_EMIT changeRefused();
  }
  if (!next.isEmpty()) control(next);
}

void RunController::processExited() {
  if (process_->gone) return;
  process_->gone = true;
  const QPointer<RunController> self(this);
  QThreadPool::globalInstance()->start(guarded([self, run = path(folder_), generation = process_->generation] {
    const auto read = [&]() -> std::optional<RunSummary> {
      auto found = summarize_run(run);
      return found ? std::optional(*std::move(found)) : std::nullopt;
    };
    const std::optional<RunSummary> summary = guarded(read)().value_or(std::nullopt);
    QMetaObject::invokeMethod(qApp, [self, summary, generation] {
      if (self && self->process_ && self->process_->generation == generation) self->finish(summary);
    });
  }));
}

void RunController::finish(const std::optional<RunSummary>& summary) {
  const bool saidSo = summary && summary->status != RunStatus::interrupted && summary->status != RunStatus::running;
  const bool canResume = summary && summary->can_resume, killed = process_->killed, began = summary.has_value();
  const QString sentence = saidSo ? QString() : exitDescription(began, canResume);
  const bool elsewhere = !process_->job.isEmpty();  // what ended may be the connection alone
  tidyStart();
  process_.reset();
  setState(State::idle);
  if (!killed && (saidSo || !elsewhere) && !(saidSo && summary->status == RunStatus::stopped))  // then the user knows
    notifyUnlessActive(runTitle(folder_), saidSo ? endSentence(*summary) : sentence);
  if (saidSo || elsewhere) return;
  if (killed || !began) Q_EMIT session_.message(sentence, killed ? 0 : 2);
  if (!killed) Q_EMIT endedUnexpectedly(sentence, canResume);
}

QString RunController::exitDescription(bool began, bool canResume) const {
  const RunProcess& process = process_->process;
  const ProcessExit how = process.end();
  const QString last = lastLine(logFile());
  if (!began && how.known && how.signal == 0 && !last.isEmpty()) return tr("Training did not start: %1").arg(last);
  QString what = tr("The training process ended without reporting a reason.");
  if (process_->killed)
    what = tr("The training process was stopped immediately, as requested.");
  else if (how.signal != 0)
    what = tr("The training process was ended by %1.").arg(signalText(how.signal));
  else if (how.known && !last.isEmpty())
    what = tr("The training process ended with code %1: %2").arg(how.exitCode).arg(last);
  else if (how.known)
    what = tr("The training process ended with code %1.").arg(how.exitCode);
  return joinedSentences(what, canResume ? tr("The last checkpoint is intact: training can be resumed from it.")
                                         : tr("No checkpoint had been saved yet."));
}

/// The process has read its snapshot or has ended; the folder of a run that did not begin is removed.
void RunController::tidyStart() {
  if (!std::exchange(process_->fresh, false)) return;
  std::error_code ignored;
  if (!process_->snapshot.empty()) fs::remove_all(process_->snapshot.parent_path(), ignored);
  const fs::path run = path(folder_);
  if (process_->process.isRunning() || fs::exists(run / "run.json", ignored)) return;
  fs::remove(run / "lock", ignored);
  fs::remove(run / "log.txt", ignored);
  fs::remove(run, ignored);  // fails unless the folder is empty
  if (session_.feed().folder() == folder_) session_.feed().follow(process_->before);
}

QString RunController::logFile() const { return pathText(path(folder_) / "log.txt"); }

}  // namespace nw::ui
