// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint_saver.hpp"

#include <thread>

namespace nw {

using namespace std::chrono_literals;

Status CheckpointSaver::restore_progress() {
  const fs::path& run = state_.request.run;
  NW_ASSIGN(const CheckpointName latest, latest_checkpoint(run));
  const std::uint64_t weights = weight_bytes_of(state_.request.definition);
  auto opened = open_checkpoint(run, latest.name, weights);
  std::vector<CheckpointName> older = list_checkpoints(run);
  for (auto it = older.rbegin(); !opened && it != older.rend(); ++it)
    if (it->name != latest.name) opened = open_checkpoint(run, it->name, weights);
  if (!opened) return opened.error();
  state_.progress = opened->progress;
  state_.step_done = state_.progress.step;
  state_.epoch_done = state_.progress.epoch;
  saved_step_ = state_.progress.step;
  return {};
}

Status CheckpointSaver::save(bool best) {
  const fs::path& run = state_.request.run;
  if (run.empty()) return {};
  report_.recorder().set_training(false);
  Progress& progress = state_.progress;
  const LossScale scaling = state_.replicas->loss_scale();
  progress.loss_scale = scaling.scale;
  progress.good_steps = scaling.good_steps;
  NW_ASSIGN(Saved saved, save_checkpoint(run, progress, state_.replicas->model(), state_.replicas->optimizer()));
  if (best) NW_TRY(point_at_checkpoint(run, "best", saved.checkpoint));
  NW_TRY(report_.flush());
  saved.best = best;
  saved_step_ = progress.step;
  prune_checkpoints(run, state_.settings().keep_checkpoints);
  report_.post(saved);
  return {};
}

Status CheckpointSaver::save_and_wait_for_disk_space(bool best) {
  const Status saved = save(best);
  return saved || saved.error().code != Errc::disk ? saved : wait_for_disk_space(saved.error(), best);
}

// Only the user can free disk space: the run pauses, reports why, and continues once there is space.
Status CheckpointSaver::wait_for_disk_space(const Error& error, bool best) {
  using Clock = TrainingState::Clock;
  const auto since = [](Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); };
  const std::int64_t step = state_.progress.step;
  if (state_.request.disk_wait_s <= 0) return error;
  report_.post(Health{HealthLevel::error,
                      text(NW_TR("{0}. Training waits until there is room; the last checkpoint is kept."), error.str()),
                      step});
  report_.post(Paused{step});
  const Clock::time_point begin = Clock::now();
  for (Clock::time_point tried = begin; since(begin) < state_.request.disk_wait_s;) {
    std::this_thread::sleep_for(20ms);
    const int stopping = state_.control.stopping();
    if (stopping == 2) break;
    if (stopping == 0 && since(tried) < 1) continue;
    tried = Clock::now();
    if (const Status saved = save(best); saved) {
      report_.post(Continued{step});
      return {};
    }
    if (stopping != 0) break;  // stopping: that was the last try
  }
  return error;
}

}  // namespace nw
