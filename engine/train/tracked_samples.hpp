// SPDX-License-Identifier: Apache-2.0
// A few fixed samples that a run predicts at intervals, to show when each was learned or forgotten. The predictions
// change nothing in the run: no weight, no running statistic, no random number. Private to engine/train.
#pragma once
#include <memory>
#include <optional>

#include "engine/data/batches/batch.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/tracked_sample_history.hpp"

namespace nw {

struct RunDefinition;
struct TrainingData;

/// Steps between two predictions of the tracked samples: about 300 of them in a run, at least 25 steps apart, so that
/// they cost less than 2 % of its time.
std::int64_t tracking_interval(std::int64_t steps_of_the_run);
/// At most `most` samples of a split, evenly spread.
std::vector<std::int64_t> spread_over(const std::vector<std::int64_t>& split, std::int64_t most);

class TrackedSamples {
 public:
  /// Selects at most `most` validation samples, else test samples, else training samples. A resumed run keeps the
  /// samples of its file. Null if the network is no classifier, or `most` is 0.
  static Result<std::unique_ptr<TrackedSamples>> open(const fs::path& run, const TrainingData&, const RunDefinition&,
                                                      const Replicas&, std::int64_t most, std::int64_t steps_of_the_run,
                                                      std::int64_t from_step);
  /// Whether the samples are due after this step.
  bool due(std::int64_t step) const { return step % every_ == 0; }
  /// How many steps may be executed at once from here without missing a prediction.
  std::int64_t steps_until_due(std::int64_t step) const { return every_ - step % every_; }
  /// Predicts the samples with the present weights; does nothing if they were predicted at this step. Errc::disk is
  /// returned, and the record is written with the next one.
  Status look(Replicas&, std::int64_t step);

 private:
  TrackedSamples(BatchBuilder maker, TrackedSampleFile file, std::int64_t every, const BatchSource& shape)
      : builder_(std::move(maker)), file_(std::move(file)), every_(every), source_(shape) {
    source_.maker = &builder_;
  }
  const BatchBuilder builder_;
  TrackedSampleFile file_;
  const std::int64_t every_;
  BatchSource source_;
};

}  // namespace nw
