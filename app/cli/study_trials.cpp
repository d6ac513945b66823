// SPDX-License-Identifier: Apache-2.0
#include "app/cli/study_trials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "engine/design/project_file.hpp"
#include "engine/runs/contained.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/search/apply.hpp"

namespace nw::cli {

Result<LiveTrial> LiveTrial::begin(const TrialPlan& plan, const search::Trial& trial, const GraphDoc& project) {
  LiveTrial live(plan.folder / trial.run);
  if (is_running(live.run_)) return live;
  const auto summary = summarize_run(live.run_);
  if (summary && (summary->status == RunStatus::finished || live.has_reached(trial.to_epoch, plan.epochs))) return live;
  const fs::path file = plan.folder / (trial.run + ".netwright");
  const bool resumes = summary && summary->can_train_further;
  std::error_code ignored;
  if (!resumes) {  // no checkpoint: nothing is lost
    fs::remove_all(live.run_, ignored);
    NW_TRY(make_folder(live.run_, 0700));
    NW_TRY(ProjectFile::save(project, file));
  }
  std::vector<std::string> words =
      resumes ? std::vector<std::string>{"resume", live.run_.string()}
              : std::vector<std::string>{"train", file.string(), "--run-dir", live.run_.string()};
  if (!resumes && !plan.data.empty()) words.insert(words.end(), {"--data", plan.data});
  if (!resumes && plan.threads > 0) words.insert(words.end(), {"--threads", std::to_string(plan.threads)});
  if (trial.to_epoch < plan.epochs) words.insert(words.end(), {"--stop-after", std::to_string(trial.to_epoch)});
  words.push_back("--quiet");
  NW_ASSIGN(const int log, append_inside(live.run_, log_file));
  NW_TRY(live.child_.start(words, log));
  return live;
}

const std::vector<EpochEnd>& LiveTrial::epochs() {
  std::vector<Event> events;
  for (auto more = tail_.poll(events); more && *more;) more = tail_.poll(events);
  for (const Event& event : events) {
    if (const auto* epoch = std::get_if<EpochEnd>(&event.what)) epochs_.push_back(*epoch);
    if (const auto* resumed = std::get_if<Resumed>(&event.what))
      std::erase_if(epochs_, [&](const EpochEnd& e) { return e.step > resumed->from_step; });
  }
  return epochs_;
}

bool LiveTrial::has_reached(std::int64_t rung, std::int64_t all_epochs) {
  if (rung >= all_epochs || is_running(run_)) return false;
  const auto checkpoint = latest_checkpoint(run_);
  const std::vector<EpochEnd>& done = epochs();
  return checkpoint && std::any_of(done.begin(), done.end(),
                                   [&](const EpochEnd& e) { return e.epoch >= rung && e.step <= checkpoint->step; });
}

bool LiveTrial::ended() { return child_.is_running() ? child_.ended() : !is_running(run_); }

search::Figures figures_of(const std::vector<EpochEnd>& epochs, const RunSummary& run, const Analysis& network) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  search::Figures f{.accuracy = none, .loss = none};
  f.parameters = static_cast<double>(network.parameters);
  f.multiply_adds = static_cast<double>(network.multiply_adds);
  for (const EpochEnd& e : epochs) {
    const double accuracy = compared_accuracy(e), loss = e.has_validation ? e.validation_loss : e.train_loss;
    if (std::isfinite(accuracy) && !(f.accuracy >= accuracy)) f.accuracy = accuracy;
    if (std::isfinite(loss) && !(f.loss <= loss)) f.loss = loss;
    f.seconds += e.seconds;
  }
  const bool measured = run.cpu_energy_j >= 0 || run.gpu_energy_j >= 0;
  f.energy_j = measured ? std::max(0.0, run.cpu_energy_j) + std::max(0.0, run.gpu_energy_j) : none;
  return f;
}

Result<GraphDoc> project_of(const TrialPlan& plan, const search::Space& space, const search::Trial& trial) {
  NW_ASSIGN(GraphDoc project, search::apply_point(plan.base, space, trial.point));
  const Analysis network = network_of(plan, project);
  for (const Problem& p : network.problems)
    if (p.severity == Severity::error)
      return fail(Errc::bad_input, NW_TR("{0} {1}"), p.node_name.empty() ? "the network" : p.node_name, p.what.str());
  return project;
}

Analysis network_of(const TrialPlan& plan, const GraphDoc& project) {
  Target target;
  target.data = plan.facts;
  return analyse(project, target);
}

}  // namespace nw::cli
