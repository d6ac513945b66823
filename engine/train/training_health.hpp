// SPDX-License-Identifier: Apache-2.0
// Judges a training by its epochs: an exploding validation loss, an accuracy at chance, over-fitting.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/runs/events.hpp"
#include "engine/train/training_data.hpp"

namespace nw {

/// What answers without a network reach on the set by which epochs are compared.
struct ChanceLevel {
  std::int64_t classes = 0, samples = 0;
  double accuracy = 0;  // of always answering the most common class, 0…1
};
/// Of the validation split, or of the training split without one; nullopt: the data set is no classification.
std::optional<ChanceLevel> chance_level(const TrainingData&);

class TrainingHealth {
 public:
  /// `epochs`: of the whole run.
  TrainingHealth(std::optional<ChanceLevel> chance, std::int64_t epochs) : chance_(chance), epochs_(epochs) {}
  /// The warnings that this epoch gives rise to, each kind once in a run.
  std::vector<Text> judge(const EpochEnd&);
  /// The epochs of the run before it was resumed: what they gave rise to has been reported.
  void restore(std::span<const EpochEnd> epochs);

 private:
  std::optional<Text> exploded(const EpochEnd&);
  std::optional<Text> at_chance(const EpochEnd&);
  std::optional<Text> over_fitting(const EpochEnd&);

  const std::optional<ChanceLevel> chance_;
  const std::int64_t epochs_;
  std::optional<EpochEnd> lowest_;     // the epoch with the lowest validation loss
  std::int64_t seen_ = 0, risen_ = 0;  // epochs so far; epochs in a row whose validation loss is clearly higher
  bool reported_explosion_ = false, reported_chance_ = false, reported_over_fitting_ = false;
};

}  // namespace nw
