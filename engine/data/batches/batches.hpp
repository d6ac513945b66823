// SPDX-License-Identifier: Apache-2.0
// The samples of each batch. A batch contains indices, labels and targets; the threads that read its images also
// prepare them (StepInputs). Every source is decoded in memory, so this costs less processor time than a separate
// loader thread.
#pragma once
#include <vector>

#include "engine/data/batches/batch.hpp"
#include "engine/data/batches/input_times.hpp"
#include "engine/data/transforms/mixing.hpp"

namespace nw {

/// How a set is divided into batches.
struct BatchSource {
  const BatchBuilder* maker = nullptr;  // outlives its batches
  bool shuffle = false, augment = false;
  std::int64_t batch = 1;  // samples of a full batch
  // The samples over which batch norm takes its statistics: a whole batch, or a device's shard; 0: no batch norm. A
  // last batch of which a single sample would be left for such statistics is omitted, unless it is the only one.
  std::int64_t statistics_over = 0;
  std::int64_t capacity = 1;  // capacity in samples, >= batch: number of devices times their shard size
  // 0: class labels; else the data set's targets, or the label as a number (1) or one-hot (more)
  std::int64_t target_width = 0;
  InputTimes* times = nullptr;  // the time of preparing images is added here
};
std::int64_t batches_per_epoch(const BatchSource&);

/// The samples of one global batch with their targets; zero after the first `valid` samples.
struct BatchSamples {
  std::vector<std::int64_t> samples;  // (capacity) data-set indices
  std::vector<std::int64_t> labels;   // (capacity)
  std::vector<float> targets;         // (capacity, target_width), mixed already
  std::int64_t valid = 0, epoch = 0, index = 0;
  // How the images of the batch are prepared.
  const BatchBuilder* maker = nullptr;
  bool augment = false;
  Mix mix;  // of the batch's samples
  InputTimes* times = nullptr;

  bool mixes() const { return mix.kind != Mix::Kind::none && valid > 1; }
};

/// A batch of these samples without labels or targets, not augmented. `maker` outlives the result.
BatchSamples samples_of(const BatchBuilder& maker, std::span<const std::int64_t> samples);

class Batches {
 public:
  /// Iterates from batch `index` of `epoch` up to `end_epoch`. `index` may already be the end of `epoch`.
  Batches(BatchSource, std::int64_t epoch, std::int64_t index, std::int64_t end_epoch);
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;
  /// The next batch, valid until the next call; null when there are no more.
  const BatchSamples* next();

 private:
  void describe(std::int64_t index);
  void set_target(std::size_t i, std::int64_t sample, bool there);
  void mix_all_targets();

  const BatchSource source_;
  std::int64_t epoch_, index_;
  const std::int64_t end_epoch_;
  std::vector<std::int64_t> order_;  // of epoch_; empty: not yet computed
  BatchSamples batch_;
  std::vector<float> last_;  // target of the last sample before mixing
};

}  // namespace nw
