// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/followed_run.hpp"

#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>

#include "ui/session/followed_run_worker.hpp"

namespace nw::ui {

namespace {
constexpr double machine_seconds = 600;
constexpr std::size_t log_limit = 5000;
constexpr std::size_t statistics_limit = 600;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// The step of a log entry; -1: the entry has no step and is kept when the run resumes.
std::int64_t stepOf(const Event& event) {
  return std::visit(Overloaded{[](const EpochEnd& e) { return e.step; }, [](const Saved& e) { return e.step; },
                               [](const Knob& e) { return e.step; }, [](const auto&) { return std::int64_t{-1}; }},
                    event.what);
}
}  // namespace

FollowedRun::FollowedRun() = default;
FollowedRun::~FollowedRun() = default;

std::shared_ptr<FollowedRun> FollowedRun::of(const QString& runFolder) {
  static std::map<QString, std::weak_ptr<FollowedRun>> followed;  // by canonical path
  std::erase_if(followed, [](const auto& entry) { return entry.second.expired(); });
  const QFileInfo folder(runFolder);
  const QString name = folder.exists() ? folder.canonicalFilePath() : folder.absoluteFilePath();
  if (const auto found = followed.find(name); !runFolder.isEmpty() && found != followed.end())
    return found->second.lock();
  const std::shared_ptr<FollowedRun> run(new FollowedRun);
  if (runFolder.isEmpty()) return run;
  followed[name] = run;
  run->worker_ = std::make_unique<Worker>(fs::path(runFolder.toStdString()));
  run->worker_->begin(run.get(), [run = run.get()](Batch& batch) { run->take(batch); });
  return run;
}

void FollowedRun::clear() {
  definition_.reset();
  started_ = {};
  status_ = RunStatus::interrupted;
  paused_ = loaded_ = false;
  base_ = seconds_ = 0;
  for (Series* s : {&loss_, &accuracy_, &learningRate_, &throughput_}) s->clear();
  epochs_.clear();
  machine_.clear();
  log_.clear();
  statistics_.clear();
  damagedStatistics_ = 0;
  last_ = {};
  split_ = {};
  ranks_ = ranksOfEpoch_ = {};
  predictedBubble_ = -1;
  planned_ = false;
  pipeline_ = {};
  ended_.reset();
}

double FollowedRun::elapsedSeconds() const {
  return ended_ && ended_->wall_s > 0 && base_ == 0 ? ended_->wall_s : base_ + seconds_;
}

double FollowedRun::secondsLeft() const {
  if (status_ != RunStatus::running || started_.epochs <= 0) return -1;
  const double left = static_cast<double>(started_.epochs) - last_.epoch;
  if (left <= 0) return 0;
  if (!epochs_.empty() && epochs_.back().seconds > 0) return left * epochs_.back().seconds;
  if (last_.images_per_s <= 0) return -1;
  return left * static_cast<double>(started_.steps_per_epoch * started_.batch) / last_.images_per_s;
}

void FollowedRun::take(Batch& batch) {
  const auto self = shared_from_this();  // a listener may release this run by following another one
  Changes changed;
  const bool defined = batch.definition != nullptr;
  if (defined) definition_ = std::move(batch.definition);
  for (const Event& event : batch.events) add(event, changed);
  changed.statistics = changed.statistics || batch.damagedStatistics != damagedStatistics_;
  damagedStatistics_ = batch.damagedStatistics;
  const bool renamed = givenName_ != batch.givenName;
  givenName_ = batch.givenName;
  if (changed.reset) Q_EMIT reset();
  if (renamed) Q_EMIT nameChanged();
  if (defined) Q_EMIT definitionArrived();
  if (changed.steps) Q_EMIT stepsArrived();
  if (changed.epoch) Q_EMIT epochArrived();
  if (changed.machine) Q_EMIT machineArrived();
  if (changed.split) Q_EMIT splitArrived();
  if (changed.ranks) Q_EMIT ranksArrived();
  if (changed.log) Q_EMIT logArrived();
  if (changed.statistics) Q_EMIT statisticsArrived();
  updateStatus(batch.alive, batch.drained);
}

void FollowedRun::updateStatus(bool alive, bool drained) {
  const RunStatus before = status_;
  const bool wasPaused = paused_, wasLoaded = loaded_;
  loaded_ = loaded_ || drained;
  if (ended_)
    status_ = status_after(ended_->reason);
  else if (alive)
    status_ = RunStatus::running;
  else if (drained)
    status_ = RunStatus::interrupted;
  paused_ = status_ == RunStatus::running && !log_.empty() && pausedByLog();
  if (status_ != before || paused_ != wasPaused || loaded_ != wasLoaded) Q_EMIT statusChanged();
}

bool FollowedRun::pausedByLog() const {
  for (auto it = log_.rbegin(); it != log_.rend(); ++it) {
    if (std::holds_alternative<Paused>(it->what)) return true;
    if (std::holds_alternative<Continued>(it->what) || std::holds_alternative<Resumed>(it->what)) return false;
  }
  return false;
}

void FollowedRun::add(const Event& event, Changes& changed) {
  seconds_ = std::max(seconds_, event.t);
  std::visit(
      Overloaded{[&](const Started& e) {
                   begin(e);
                   changed.reset = true;
                 },
                 [&](const Steps& e) {
                   addSteps(e);
                   changed.steps = true;
                 },
                 [&](const EpochEnd& e) {
                   epochs_.push_back(e);
                   changed.epoch = true;
                 },
                 [&](const DeviceSample& e) {
                   machine_.emplace_back(base_ + event.t, e);
                   changed.machine = true;
                 },
                 [&](const StepSplit& e) {
                   split_ = e;
                   changed.split = true;
                 },
                 [&](const RankTimes& e) {
                   (e.whole_epoch ? ranksOfEpoch_ : ranks_) = e;
                   changed.ranks = true;
                 },
                 [&](const PipelinePlan& e) {
                   predictedBubble_ = e.predicted_bubble;
                   planned_ = true;
                   changed.ranks = true;
                 },
                 [&](const PipelineTimes& e) {
                   pipeline_ = e;
                   changed.ranks = true;
                 },
                 [&](const Resumed& e) {
                   base_ += seconds_;
                   seconds_ = event.t;
                   cutAfterStep(e.from_step);
                   if (!planned_) predictedBubble_ = -1, pipeline_ = {};
                   changed.reset = true;
                 },
                 [&](const Knob& e) {
                   if (e.name == epochs_knob && e.value >= 1 && e.value <= 1e6)
                     started_.epochs = static_cast<std::int64_t>(e.value);
                 },
                 [&](const LayerStatistics& e) {
                   addStatistics(e);
                   changed.statistics = true;
                 },
                 [&](const Paused&) { ended_.reset(); },  // of a process that waits for its data before it resumes
                 [&](const Ended& e) { ended_ = e; }, [](const auto&) {}},
      event.what);
  if (!std::holds_alternative<Steps>(event.what) && !std::holds_alternative<DeviceSample>(event.what) &&
      !std::holds_alternative<StepSplit>(event.what) && !std::holds_alternative<LayerStatistics>(event.what) &&
      !std::holds_alternative<RankTimes>(event.what)) {
    remember(event);
    changed.log = true;
  }
  while (!machine_.empty() && machine_.front().first < base_ + seconds_ - machine_seconds)
    machine_.erase(machine_.begin());
}

/// Clears the run when the same `started` event is read again: the file was replaced and is read from its first line.
void FollowedRun::begin(const Started& started) {
  if (started_.time > 0 && started_.time == started.time) {
    auto definition = std::move(definition_);
    clear();
    definition_ = std::move(definition);
  }
  started_ = started;
}

void FollowedRun::addSteps(const Steps& s) {
  last_ = s;
  planned_ = false;
  loss_.add(s.epoch, s.loss.mean, s.loss.min, s.loss.max);
  accuracy_.add(s.epoch, s.accuracy.mean, s.accuracy.min, s.accuracy.max);
  learningRate_.add(s.epoch, s.learning_rate, s.learning_rate, s.learning_rate);
  throughput_.add(s.epoch, s.images_per_s, s.images_per_s, s.images_per_s);
}

void FollowedRun::cutAfterStep(std::int64_t step) {
  ended_.reset();
  const double perEpoch = static_cast<double>(std::max<std::int64_t>(1, started_.steps_per_epoch));
  const double at = static_cast<double>(step) / perEpoch;
  for (Series* s : {&loss_, &accuracy_, &learningRate_, &throughput_}) s->cutAfter(at + 0.5 / perEpoch);
  std::erase_if(epochs_, [&](const EpochEnd& e) { return e.step > step; });
  std::erase_if(log_, [&](const Event& e) { return stepOf(e) > step; });
  std::erase_if(statistics_, [&](const LayerStatistics& s) { return s.step > step; });
  for (RankTimes* r : {&ranks_, &ranksOfEpoch_})
    if (r->step > step) *r = {};
  if (pipeline_.step > step) pipeline_ = {};
  if (last_.last > step) {
    last_.last = step;
    last_.epoch = at;
  }
}

/// A file that was truncated and rewritten invalidates its earlier entries. Above the limit, every other entry of the
/// older half is removed.
void FollowedRun::addStatistics(const LayerStatistics& s) {
  std::erase_if(statistics_, [&](const LayerStatistics& old) { return old.step >= s.step; });
  if (statistics_.size() >= statistics_limit)
    for (std::size_t i = 0; i < statistics_limit / 4; ++i)
      statistics_.erase(statistics_.begin() + static_cast<std::ptrdiff_t>(i + 1));
  statistics_.push_back(s);
}

void FollowedRun::remember(const Event& event) {
  if (log_.size() >= log_limit) log_.erase(log_.begin(), log_.begin() + log_limit / 10);
  log_.push_back(event);
}

}  // namespace nw::ui
