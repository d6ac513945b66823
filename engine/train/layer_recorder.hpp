// SPDX-License-Identifier: Apache-2.0
// Measures the layers of a running training at intervals: weights before and after one step, the gradients of the step,
// and the output of each layer for a few training images. It only reads, so that the results of a run do not depend on
// it.
#pragma once
#include <optional>

#include "engine/data/batches/batches.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/runs/layer_statistics.hpp"
#include "engine/train/replicas.hpp"

namespace nw {

/// The times of the measurements, chosen so that they take less than 1 % of a run's time.
class StatisticsSchedule {
 public:
  // edge: an epoch's last step; outer: of the first or last epoch
  struct Moment {
    std::int64_t step = 0;
    bool edge = false, outer_edge = false;
    double seconds = 0;
  };
  /// `every_steps` < 0: the interval follows from the duration of a measurement.
  explicit StatisticsSchedule(std::int64_t every_steps) : every_steps_(every_steps) {}
  bool due(const Moment&) const;
  /// Records that the measurement at time `seconds` took `cost_s` seconds.
  void looked(double seconds, double cost_s);

 private:
  std::int64_t every_steps_;
  double spent_s_ = 0, last_s_ = 0;
};

/// Used by the training's thread only.
class LayerRecorder {
 public:
  /// The measured images are the first of `maker`, in the order of the data set. All arguments must outlive the
  /// recorder.
  LayerRecorder(const GraphDoc&, const DataFacts&, const BatchBuilder& maker, std::int64_t every_steps);
  /// Releases what belongs to the network of the replicas; called before they are destroyed.
  void forget_network();
  bool due(const StatisticsSchedule::Moment& m) const { return clock_.due(m); }
  void before(const Replicas&, double seconds);
  /// Called after the step. Errc::out_of_memory, or the device's error.
  Result<LayerStatistics> after(const Replicas&, std::int64_t step, double epoch);

 private:
  /// The network forward only, with the weights that are being trained, in which every layer's output can be read.
  struct Probe {
    Compiled compiled;
    std::unique_ptr<Executable> run;
  };
  struct Tensor {
    std::size_t layer;
    int weight, gradient;
    std::vector<float> then;
  };
  void find_tensors(const Plan&);
  Status make_probe(const Replicas&);
  void measure_weights(const Replicas&, LayerState&, std::size_t layer);
  Status run_probe(Team&);
  void measure_outputs(LayerState&, bool relu) const;

  const GraphDoc& doc_;
  const DataFacts& facts_;
  const BatchBuilder& builder_;
  StatisticsSchedule clock_;
  std::vector<std::pair<std::string, bool>> layers_;  // name, is a ReLU
  std::vector<Tensor> tensors_;
  std::int64_t bytes_per_image_ = 0, images_ = 0;
  std::optional<Probe> probe_;
  BatchSamples samples_;
  double began_s_ = 0, before_s_ = 0;  // times of the current measurement
};

}  // namespace nw
