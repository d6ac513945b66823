// SPDX-License-Identifier: Apache-2.0
// Writes and reads checkpoints. Lists of checkpoints are in engine/runs.
#pragma once
#include <map>

#include "engine/io/safetensors.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {

/// The progress of a run; together with the tensors, everything needed to resume.
struct Progress {
  std::int64_t step = 0;              // updates done
  std::int64_t epoch = 0, batch = 0;  // completed epochs, completed batches of the next one
  double loss_sum = 0;                // over the current epoch's samples so far
  std::int64_t correct = 0, samples = 0;
  double seconds = 0;         // trained in the current epoch
  double learning_rate = -1;  // set by the user; < 0: as scheduled
  double best_accuracy = -1, best_loss = 0;
  std::int64_t best_epoch = 0;     // 1-based; 0: none yet
  std::int64_t train_samples = 0;  // size of the training split, to detect other data
  double trained_s = 0;            // in training steps, over all processes
  std::int64_t images = 0;         // trained on in that time
  double loss_scale = 0;           // dynamic loss scaling of fp16; 0: no scaling
  std::int64_t good_steps = 0;     // steps since the scale last changed
  // Early stopping: the epoch (1-based; 0: none yet) that last improved the monitored figure enough, and the figure.
  std::int64_t improved_epoch = 0;
  double improved_figure = 0;
  // The schedule `plateau`: factor of the rate, epochs without improvement, and the best figure if `plateau_began`.
  double plateau_scale = 1, plateau_best = 0;
  std::int64_t plateau_waited = 0;
  bool plateau_began = false;
  // Stochastic weight averaging: the number of epochs in the mean, and the last of them (1-based).
  std::int64_t averaged_epochs = 0, last_averaged = 0;
  // run-time settings that differ from run.json, by name (engine/train/knobs.hpp)
  std::map<std::string, double> knobs;
  bool operator==(const Progress&) const = default;
};
Json to_json(const Progress&);
Result<Progress> progress_from_json(const Json&, std::string_view where);

/// Writes checkpoints/step-… under a hidden name, the manifest last, and then renames it; an older checkpoint of the
/// same step exists until then. Errc::disk: nothing has changed.
Result<Saved> save_checkpoint(const fs::path& run, const Progress&, std::vector<TensorSource> model,
                              std::vector<TensorSource> optimizer);
/// Gives a checkpoint of `run` another progress: of a copy for a branch, before any process trains it.
Status change_progress(const fs::path& run, const std::string& name, const Progress&);
/// Makes `pointer` ("latest" or "best") refer to the checkpoint `name`.
Status point_at_checkpoint(const fs::path& run, const char* pointer, const std::string& name);
/// Keeps the newest `keep` checkpoints and those that `latest` and `best` refer to; deletes all others and incomplete
/// ones.
void prune_checkpoints(const fs::path& run, std::int64_t keep);

/// A checkpoint, opened and verified.
struct LoadedCheckpoint {
  Progress progress;
  SafetensorsFile model, optimizer;
};
/// Bytes of the weights of the definition's network, from its shapes alone; at least 1.
std::uint64_t weight_bytes_of(const RunDefinition&);
/// `model_bytes`: of the network's weights, if they are known; a checkpoint of much larger tensors is rejected unread.
Result<LoadedCheckpoint> open_checkpoint(const fs::path& run, const std::string& name, std::uint64_t model_bytes = 0);

}  // namespace nw
