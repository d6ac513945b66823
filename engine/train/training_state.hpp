// SPDX-License-Identifier: Apache-2.0
// The state that the parts of one training share. Private to engine/train.
#pragma once
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/train/checkpoint.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/teacher.hpp"
#include "engine/train/trainer.hpp"
#include "engine/train/training_data.hpp"

namespace nw {

/// Why the run waits; empty: it does not. Any thread.
class PauseReason {
 public:
  void set(Text reason) {
    const std::scoped_lock lock(mutex_);
    reason_ = std::move(reason);
  }
  Text get() const {
    const std::scoped_lock lock(mutex_);
    return reason_;
  }

 private:
  mutable std::mutex mutex_;
  Text reason_;
};

/// Used by the training's thread only, except the atomics.
struct TrainingState {
  using Clock = std::chrono::steady_clock;

  TrainingState(TrainRequest r, TrainControl& c) : request(std::move(r)), control(c) {}
  TrainRequest request;
  TrainControl& control;
  TrainingData data;
  std::vector<std::string> own_devices;  // of this process; the settings' ones, but for "cuda" of several processes
  std::unique_ptr<Replicas> replicas;
  std::unique_ptr<Teacher> teacher;  // null: the targets are the data's
  // the run's network on its devices, with the data they keep, as it is trained in this epoch; its weights are not set
  std::function<Result<std::unique_ptr<Replicas>>(std::int64_t epoch)> make_replicas;
  Progress progress;
  // changes of run-time settings that are due later, in the order of their steps; step < 0: as soon as possible
  std::deque<Knob> knobs_to_come;
  // asked for of the first process, taken over by all; not yet among those to come
  std::vector<std::pair<std::string, double>> agreed_knobs;
  std::int64_t steps_per_epoch = 0;
  std::int64_t steps_before = 0;  // steps in the log of a resumed run
  std::int64_t patience_from_epoch =
      0;  // early stopping counts from here: the epoch from which the run was trained further
  const Clock::time_point begin = Clock::now();
  std::atomic<std::int64_t> step_done{0}, epoch_done{0};  // progress, for other threads
  PauseReason pause_reason;
  fs::path energy_counters = "/sys/class/powercap";  // of the processors: see processor_energy_j()

  const TrainSettings& settings() const { return request.definition.doc.settings(); }
  /// The learning rate of the update `ahead` of the next one, as the schedule has it. By the place in the epoch: the
  /// number of updates of an epoch may change with TrainSettings::accumulate.
  double scheduled_rate(std::int64_t ahead = 0) const;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }
};

/// Sums over the samples of an epoch or of an evaluation.
struct SampleSums {
  double loss = 0;
  std::int64_t correct = 0, samples = 0;
  std::optional<double> variance = {};   // for regression: the mean variance of the targets
  std::optional<double> explained = {};  // for regression: R², where the loss does not give it
  std::optional<double> weight = {};     // what the loss is divided by, where samples have weights
  double mean_loss() const;
  /// Fraction of correct samples; for regression, the fraction of the variance that is explained (R²): below 0 if the
  /// mean would be the better prediction, NaN (undefined) if all samples have the same targets. From the losses of
  /// training batches the errors of targets that are the same in all samples count too.
  double accuracy() const;
};
/// Empty sums for samples of `maker`.
SampleSums no_samples(const TrainingData&, const BatchBuilder&);

}  // namespace nw
