// SPDX-License-Identifier: Apache-2.0
// The hyper-parameters of a run: part of the document and of run.json. The loss is a node of the graph.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/design/optimizer_choice.hpp"
#include "engine/design/transform.hpp"
#include "kernels/api.hpp"

namespace nw {

enum class ScheduleKind : std::uint8_t { constant, step, cosine };
std::string_view name_of(ScheduleKind);  // as in files: "constant", "step", "cosine"

struct TrainSettings {
  std::int64_t epochs = 10;
  std::int64_t batch = 64;  // global: over all devices
  OptimizerChoice optimizer;
  double learning_rate = 0.01;
  double l1 = 0, l2 = 0;  // added to the gradient
  // false: biases and batch-norm weights are left out of l1, l2 and the optimizer's weight decay
  bool decay_bias_and_norm = true;
  double clip_norm = 0, clip_value = 0;  // 0 = off
  ScheduleKind schedule = ScheduleKind::constant;
  std::int64_t step_epochs = 30;  // step: every so many epochs …
  double step_gamma = 0.1;        // … times this
  double min_learning_rate = 0;   // cosine: where it ends
  double warmup_epochs = 0;       // linear from 0, before the schedule begins
  std::uint64_t seed = 0;
  DType precision = DType::f32;
  bool random_crop = false;  // with zero padding of crop_padding pixels
  std::int64_t crop_padding = 4;
  bool horizontal_flip = false;
  std::vector<Transform> transforms;       // of training images, in this order, after crop and flip
  std::int64_t checkpoint_epochs = 1;      // a checkpoint every so many epochs; one at the end always
  std::int64_t keep_checkpoints = 3;       // newest ones, beside the best
  std::int64_t early_stopping_epochs = 0;  // stop when validation has not improved for so long; 0 = off
  std::vector<std::string> devices = {"cpu"};
  // several devices: statistics over the whole batch, not each device's share
  bool sync_batch_norm = true;
  std::int64_t threads = 0;  // 0 = as many as there are, one less when there are more than two
  bool operator==(const TrainSettings&) const = default;
};

/// Learning rate of update `step` (0-based) when an epoch has `steps_per_epoch` updates.
/// Warm-up: linear, lr * (step + 1) / warmup_steps. Cosine: Loshchilov & Hutter, "SGDR", 2017, one period over what is
/// left.
double learning_rate_at(const TrainSettings&, std::int64_t step, std::int64_t steps_per_epoch);

}  // namespace nw
