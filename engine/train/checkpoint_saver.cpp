// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint_saver.hpp"

namespace nw {

Status CheckpointSaver::restore_progress() {
  const fs::path& run = state_.request.source();
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

// The folder may be moved while it is written to.
Status CheckpointSaver::save(bool best) {
  if (state_.replicas) NW_TRY(state_.replicas->collect());
  return save_collected(best);
}

Status CheckpointSaver::save_collected(bool best) {
  if (state_.request.run.empty()) {
    saved_step_ = state_.progress.step;  // by the first process, or nowhere
    return {};
  }
  NW_TRY(check_folder_is_there());
  const Status done = save_here(best);
  if (!done) NW_TRY(check_folder_is_there());
  return done;
}

Status CheckpointSaver::save_here(bool best) {
  const fs::path& run = state_.request.run;
  report_.recorder().set_training(false);
  Progress& progress = state_.progress;
  const LossScale scaling = state_.replicas->loss_scale();
  progress.loss_scale = scaling.scale;
  progress.good_steps = scaling.good_steps;
  // First: a run that goes on from the checkpoint after a power cut has the events of the steps before it.
  NW_TRY(report_.flush());
  NW_ASSIGN(Saved saved, save_checkpoint(run, progress, state_.replicas->model(), state_.replicas->optimizer()));
  state_.replicas->forget_collected();
  if (best) NW_TRY(point_at_checkpoint(run, "best", saved.checkpoint));
  saved.best = best;
  saved_step_ = progress.step;
  prune_checkpoints(run, state_.settings().keep_checkpoints);
  report_.post(saved);
  return {};
}

Status CheckpointSaver::save_once_possible(bool best) {
  NW_TRY(state_.replicas->collect());  // once: the other processes go on
  return mending_.retry([this, best] { return save_collected(best); });
}

// A folder that was moved or replaced must not be made again in its old place: the run's events would stay elsewhere.
Status CheckpointSaver::check_folder_is_there() const {
  const fs::path& run = state_.request.run;
  if (FileLock::is_held(run / "lock")) return {};
  return fail(Errc::disk, NW_TR("the run's folder {0} is gone or another one has taken its place"), run.string());
}

}  // namespace nw
