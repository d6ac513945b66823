// SPDX-License-Identifier: Apache-2.0
#include "app/cli/study_process.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <thread>
#include <utility>

namespace nw::cli {
namespace {

using namespace std::chrono_literals;

volatile std::sig_atomic_t study_signal = 0;
// The first signal stops the trials with checkpoints; the second one ends the process by the default action.
extern "C" void stop_study(int signal) {
  study_signal = signal;
  std::signal(signal, SIG_DFL);
}

constexpr int most_kills = 3;

}  // namespace

double unix_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) / 1000;
}

namespace {}  // namespace

int StudyProcess::run(std::int64_t trials, std::int64_t repeats) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, stop_study);
  listen_for_pauses();
  Status done = write(search::WentOn{trials, unix_now()});
  if (done) done = loop();
  stop_all();
  if (done && !is_over()) done = repeat_best(repeats);
  return end(done);
}

Status StudyProcess::write(const search::Record& record) {
  NW_TRY(journal_.write(record));
  say(record);
  return {};
}

bool StudyProcess::is_over() const {
  return study_signal != 0 ||
         (minutes_ > 0 && Clock::now() - begin_ - held_ > std::chrono::duration<double>(minutes_ * 60));
}

Status StudyProcess::loop() {
  while (!is_over()) {
    NW_TRY(start_some());
    if (live_.empty() && !study().held()) return {};
    NW_TRY(follow());
    std::map<std::int64_t, LiveTrial*> live;
    for (auto& [number, trial] : live_) live[number] = &trial;
    NW_TRY(hold(live));
    std::this_thread::sleep_for(20ms);
  }
  return {};
}

Status StudyProcess::start_some() {
  while (live_.size() < jobs_ && !is_over() && !study().held()) {
    std::set<std::int64_t> live;
    for (const auto& [number, trial] : live_) live.insert(number);
    search::Step step = study().next(live);
    switch (step.kind) {
      case search::Step::Kind::wait:
      case search::Step::Kind::done:
        return {};
      case search::Step::Kind::go_on:
        break;
      case search::Step::Kind::promote:
        NW_TRY(write(search::Promoted{step.trial, step.to_epoch, unix_now()}));
        break;
      case search::Step::Kind::start:
        NW_TRY(write(search::Proposed{step.trial, std::move(step.point), step.to_epoch, unix_now()}));
        break;
    }
    NW_TRY(go_on(step.trial));
  }
  return {};
}

// What is wrong with one trial ends only this one; a full disk would end them all, so it ends the study, which goes on
// with the same trials once there is room.
Status StudyProcess::go_on(std::int64_t number) {
  const auto project = project_of(plan_, study().definition().space, trial(number));
  if (!project) return fail_trial(number, project.error().str());
  NW_ASSIGN(LiveTrial live, LiveTrial::begin(plan_, trial(number), *project));
  live_.emplace(number, std::move(live));
  return {};
}

Status StudyProcess::follow() {
  for (auto it = live_.begin(); it != live_.end();) {
    const std::int64_t number = it->first;
    const bool over = it->second.ended();
    NW_TRY(report(number, it->second));
    if (!over) {
      if (study().gives_up(number)) it->second.stop();
      ++it;
      continue;
    }
    LiveTrial ended = std::move(it->second);
    it = live_.erase(it);
    NW_TRY(finish(number, ended));
  }
  return {};
}

Status StudyProcess::report(std::int64_t number, LiveTrial& live) {
  const search::MetricRow& metric = *search::find_metric(study().definition().objectives.front().metric);
  if (!metric.each_epoch) return {};
  const std::vector<EpochEnd>& epochs = live.epochs();
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    const auto known = search::last_report(trial(number));
    if (known && known->epoch >= epochs[i].epoch) continue;
    const std::vector<EpochEnd> so_far(epochs.begin(), epochs.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    const double value = figures_of(so_far, {}, {}).*metric.value;
    if (std::isfinite(value)) NW_TRY(write(search::Reported{number, epochs[i].epoch, value}));
  }
  return {};
}

Status StudyProcess::finish(std::int64_t number, LiveTrial& live) {
  const auto run = summarize_run(live.run());
  const int status = live.status();
  if (run && run->status == RunStatus::finished) return complete(number, live, *run);
  if (live.was_stopped()) return write(search::Closed{number, search::TrialState::pruned, {}, "", unix_now()});
  if (live.has_reached(trial(number).to_epoch, plan_.epochs)) return write(search::Paused{number, unix_now()});
  if (status == 0 || was_killed(status)) return try_again(number, run ? &*run : nullptr, ending_of(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(Errc::stopped))
    return write(search::Closed{number, search::TrialState::pruned, {}, "stopped by hand", unix_now()});
  const std::string words = last_error(live.run(), log_file);
  if (WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(Errc::disk))
    return fail(Errc::disk, NW_TR("trial {0}: {1}"), number, words.empty() ? ending_of(status) : words);
  return fail_trial(number, words.empty() ? ending_of(status) : words);
}

Status StudyProcess::complete(std::int64_t number, LiveTrial& live, const RunSummary& run) {
  NW_ASSIGN(const GraphDoc project, project_of(plan_, study().definition().space, trial(number)));
  const search::Figures figures = figures_of(live.epochs(), run, network_of(plan_, project));
  search::Closed closed{number, search::TrialState::complete, {}, "", unix_now()};
  for (const search::Objective& o : study().definition().objectives) {
    closed.values.push_back(figures.*search::find_metric(o.metric)->value);
    if (!std::isfinite(closed.values.back())) return fail_trial(number, o.metric + " could not be measured");
  }
  return write(closed);
}

Status StudyProcess::fail_trial(std::int64_t number, const std::string& message) {
  return write(search::Closed{number, search::TrialState::failed, {}, message, unix_now()});
}

Status StudyProcess::try_again(std::int64_t number, const RunSummary* run, const std::string& message) {
  Tries& tries = tries_[number];
  const std::int64_t step = run ? run->steps : 0;
  tries.kills = step > tries.step ? 1 : tries.kills + 1;
  tries.step = std::max(tries.step, step);
  if (tries.kills > most_kills) return fail_trial(number, message + ", several times at the same step");
  if (!output_.quiet) note(fmt::format("trial {}: {}; it goes on from its last checkpoint", number, message));
  return {};
}

// Trials that run are kept: the next process of the study goes on with them.
void StudyProcess::stop_all() {
  for (auto& [number, live] : live_) live.stop();
  while (!live_.empty()) {
    for (auto it = live_.begin(); it != live_.end();) {
      if (!it->second.ended()) {
        ++it;
        continue;
      }
      if (const Status reported = report(it->first, it->second); !reported) note(reported.error().str());
      it = live_.erase(it);
    }
    if (!live_.empty()) std::this_thread::sleep_for(20ms);
  }
}

int StudyProcess::end(const Status& done) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  const auto has_value = [](const search::Trial& t) {
    return t.state == search::TrialState::complete || search::last_report(t);
  };
  const auto& trials = study().trials();
  const bool useless = !trials.empty() && std::none_of(trials.begin(), trials.end(), has_value);
  const bool any_left = std::any_of(trials.begin(), trials.end(),
                                    [](const search::Trial& t) { return t.state == search::TrialState::running; });
  const std::string how = !done || (useless && !any_left) ? "failed"
                          : study_signal != 0             ? "stopped"
                          : is_over()                     ? "time"
                                                          : "finished";
  if (done) (void)journal_.write(search::Stopped{how, unix_now()});
  print_result(how);
  if (!done) return cli::report(done.error());
  if (how == "failed")
    return cli::report(
        fail(Errc::bad_input, NW_TR("no trial could be trained; the first one: {0}"), trials.front().message));
  return study_signal != 0 ? 128 + study_signal : 0;
}

}  // namespace nw::cli
