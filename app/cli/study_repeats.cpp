// SPDX-License-Identifier: Apache-2.0
// The best trial of a study trained again with other seeds.
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "app/cli/study_process.hpp"

namespace nw::cli {
namespace {

constexpr int most_tries = 4;  // of a run whose process is killed

/// The seeds after the project's own that have not been trained yet.
std::vector<std::uint64_t> missing_seeds(const search::Study& study, std::int64_t trial, std::uint64_t own,
                                         std::int64_t count) {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t k = 1; k <= static_cast<std::uint64_t>(count); ++k)
    if (std::none_of(study.repeats().begin(), study.repeats().end(),
                     [&](const search::Repeated& r) { return r.trial == trial && r.seed == own + k; }))
      seeds.push_back(own + k);
  return seeds;
}

}  // namespace

Result<LiveTrial> StudyProcess::begin_repeat(search::Trial trial, std::uint64_t seed) {
  NW_ASSIGN(GraphDoc project, project_of(plan_, study().definition().space, trial));
  TrainSettings settings = project.settings();
  settings.seed = seed;
  NW_ASSIGN(const Edit undo, project.apply({PutSettings{settings}}));
  (void)undo;
  trial.run = search::run_of(trial.number, seed);
  trial.to_epoch = plan_.epochs;
  return LiveTrial::begin(plan_, trial, project);
}

Status StudyProcess::finish_repeat(const search::Trial& trial, std::uint64_t seed, LiveTrial& live) {
  search::Repeated repeat{trial.number, seed, {}, "", unix_now()};
  const auto run = summarize_run(live.run());
  NW_ASSIGN(const GraphDoc project, project_of(plan_, study().definition().space, trial));
  const search::Figures figures = figures_of(live.epochs(), run ? *run : RunSummary{}, network_of(plan_, project));
  for (const search::Objective& o : study().definition().objectives)
    repeat.values.push_back(figures.*search::find_metric(o.metric)->value);
  const bool finished = run && run->status == RunStatus::finished;
  if (!finished || !std::isfinite(repeat.values.front())) {
    repeat.values.clear();
    repeat.message = last_error(live.run(), log_file);
  }
  return write(repeat);
}

Status StudyProcess::repeat_best(std::int64_t count) {
  const search::Trial* best = study().best();
  if (!best || count == 0) return {};
  const search::Trial trial = *best;
  NW_ASSIGN(const GraphDoc project, project_of(plan_, study().definition().space, trial));
  std::vector<std::uint64_t> seeds = missing_seeds(study(), trial.number, project.settings().seed, count);
  std::map<std::uint64_t, int> tries;
  std::map<std::uint64_t, LiveTrial> live;  // its destructor stops what still runs, with checkpoints
  while (!is_over() && !(seeds.empty() && live.empty())) {
    while (!seeds.empty() && live.size() < jobs_ && !study().held()) {
      NW_ASSIGN(LiveTrial begun, begin_repeat(trial, seeds.front()));
      live.emplace(seeds.front(), std::move(begun));
      seeds.erase(seeds.begin());
    }
    for (auto it = live.begin(); it != live.end();) {
      if (!it->second.ended()) {
        ++it;
        continue;
      }
      const auto run = summarize_run(it->second.run());
      const bool killed = !(run && run->status == RunStatus::finished) && WIFSIGNALED(it->second.status());
      if (killed && ++tries[it->first] < most_tries)
        seeds.push_back(it->first);
      else
        NW_TRY(finish_repeat(trial, it->first, it->second));
      it = live.erase(it);
    }
    std::map<std::int64_t, LiveTrial*> asked;
    for (auto& [seed, each] : live) asked[static_cast<std::int64_t>(seed)] = &each;
    NW_TRY(hold(asked));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return {};
}

std::string StudyProcess::spread_text(std::int64_t trial) const {
  const search::Spread s = search::spread_of(study().repeats(), trial);
  if (s.runs == 0) return "";
  return fmt::format("trial {} trained with {} other seeds: {} {:.6g} ± {:.2g} ({:.6g} to {:.6g})", trial, s.runs,
                     study().definition().objectives.front().metric, s.mean, s.deviation, s.low, s.high);
}

}  // namespace nw::cli
