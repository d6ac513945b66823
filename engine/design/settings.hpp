// SPDX-License-Identifier: Apache-2.0
// The training settings of a run: part of the document and of run.json. The loss is a node of the graph.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/design/optimizer_choice.hpp"
#include "engine/design/transform.hpp"
#include "kernels/tensor.hpp"

namespace nw {

enum class ScheduleKind : std::uint8_t { constant, step, cosine };
std::string_view name_of(ScheduleKind);  // as in files: "constant", "step", "cosine"

struct TrainSettings {
  std::int64_t epochs = 10;
  std::int64_t batch = 64;  // over all devices
  OptimizerChoice optimizer;
  double learning_rate = 0.01;
  double l1 = 0, l2 = 0;  // added to the gradient
  // false: biases and batch-norm weights are excluded from l1, l2 and weight decay
  bool decay_bias_and_norm = true;
  double clip_norm = 0, clip_value = 0;  // 0 = off
  ScheduleKind schedule = ScheduleKind::constant;
  std::int64_t step_epochs = 30;  // step: interval in epochs …
  double step_gamma = 0.1;        // … and factor
  double min_learning_rate = 0;   // cosine: final value
  double warmup_epochs = 0;       // linear from 0, before the schedule
  std::uint64_t seed = 0;
  DType precision = DType::f32;
  bool random_crop = false;  // with zero padding of crop_padding pixels
  std::int64_t crop_padding = 4;
  bool horizontal_flip = false;
  std::vector<Transform> transforms;       // of training images, in this order, after crop and flip
  std::int64_t checkpoint_epochs = 1;      // interval of checkpoints in epochs; there is always one at the end
  std::int64_t keep_checkpoints = 3;       // newest ones, in addition to the best
  std::int64_t early_stopping_epochs = 0;  // stops if validation has not improved for so many epochs; 0 = off
  std::vector<std::string> devices = {"cpu"};
  // several devices: statistics of the whole batch instead of each device's shard
  bool sync_batch_norm = true;
  std::int64_t threads = 0;  // 0 = one per processor, minus one on machines with more than two
  bool operator==(const TrainSettings&) const = default;
};

/// Learning rate of update `step` (0-based) when an epoch has `steps_per_epoch` updates.
/// Warm-up: linear, lr * (step + 1) / warmup_steps. Cosine: Loshchilov & Hutter, "SGDR", 2017, one period over the
/// remaining updates.
double learning_rate_at(const TrainSettings&, std::int64_t step, std::int64_t steps_per_epoch);

}  // namespace nw
