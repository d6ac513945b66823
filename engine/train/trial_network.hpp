// SPDX-License-Identifier: Apache-2.0
// A network with its data, trained for some steps beside any run: for the learning-rate finder and the memorise test.
// Reads a project or a run's latest checkpoint, and writes nothing.
#pragma once
#include "engine/backend/devices.hpp"
#include "engine/train/trainer.hpp"
#include "engine/train/training_data.hpp"

namespace nw {

class Replicas;

/// What a trial trains: a project, or the state of a run.
struct TrialSource {
  RunDefinition definition;
  fs::path run;  // begin with its latest checkpoint; empty: with initial weights
  std::string backend = "cpu";
};

class TrialNetwork {
 public:
  /// Opens the data, and the devices of the definition's settings.
  static Result<std::unique_ptr<TrialNetwork>> open(TrialSource);
  ~TrialNetwork();
  /// A network with fresh weights of `seed`, or with the run's state; the optimizer's state is the run's or zero.
  Result<std::unique_ptr<Replicas>> make(std::uint64_t seed) const;
  const TrainingData& data() const { return data_; }
  const TrainSettings& settings() const { return source_.definition.doc.settings(); }
  std::int64_t first_step() const { return step_; }  // of the run; 0 without one

 private:
  TrialNetwork() = default;
  TrialSource source_;
  TrainingData data_;
  std::vector<ResolvedDevice> devices_;
  std::int64_t step_ = 0;
};

}  // namespace nw
