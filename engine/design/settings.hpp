// SPDX-License-Identifier: Apache-2.0
// The training settings of a run: part of the document and of run.json. The loss is a node of the graph.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/design/optimizer_choice.hpp"
#include "engine/design/precision.hpp"
#include "engine/design/transform.hpp"

namespace nw {

enum class ScheduleKind : std::uint8_t { constant, step, cosine, one_cycle, polynomial, cosine_restarts, plateau };
std::string_view name_of(ScheduleKind);  // as in files: "constant", "step", "cosine", "one_cycle", …

/// The shape depends on the number of epochs.
inline bool ends_with_the_run(ScheduleKind k) {
  return k == ScheduleKind::cosine || k == ScheduleKind::one_cycle || k == ScheduleKind::polynomial;
}

/// The measurement of an epoch by which the best one is chosen, early stopping is decided, and the schedule `plateau`
/// lowers the rate. Of accuracies a higher one is better (R² for values), of losses a lower one.
enum class MonitoredFigure : std::uint8_t { validation_accuracy, validation_loss, train_accuracy, train_loss };
std::string_view name_of(MonitoredFigure);  // as in files: "validation_accuracy", …
inline bool is_loss(MonitoredFigure m) {
  return m == MonitoredFigure::validation_loss || m == MonitoredFigure::train_loss;
}
inline bool is_of_validation(MonitoredFigure m) {
  return m == MonitoredFigure::validation_accuracy || m == MonitoredFigure::validation_loss;
}

/// How several devices share the work: each computes a part of the batch with a network of its own; each computes a
/// part of the network; or, as the first, and each keeps and updates a part of the optimizer's state (Rajbhandari et
/// al., "ZeRO", 2020, stage 1).
enum class Parallelism : std::uint8_t { data, model, sharded };
std::string_view name_of(Parallelism);  // as in files: "data", "model", "sharded"

/// The order in which the stages of a pipeline compute their micro-batches. gpipe: all forward, then all backward
/// (Huang et al., "GPipe", 2019). one_forward_one_backward: backward as soon as possible, so that fewer activations are
/// kept (Narayanan et al., "PipeDream", 2019; "1F1B").
enum class PipelineSchedule : std::uint8_t { one_forward_one_backward, gpipe };
std::string_view name_of(PipelineSchedule);  // as in files: "1f1b", "gpipe"

struct TrainSettings {
  std::int64_t epochs = 10;
  std::int64_t batch = 64;  // over all devices
  // batches whose gradients are summed for one update, which is that of a batch so many times as large
  std::int64_t accumulate = 1;
  // a batch is computed in so many parts of equal size (the last may have fewer samples); batch norm takes its
  // statistics of each part
  std::int64_t micro_batches = 1;
  OptimizerChoice optimizer;
  double learning_rate = 0.01;
  double l1 = 0, l2 = 0;  // added to the gradient
  // false: biases and batch-norm weights are excluded from l1, l2 and weight decay
  bool decay_bias_and_norm = true;
  double clip_norm = 0, clip_value = 0;  // 0 = off
  ScheduleKind schedule = ScheduleKind::constant;
  std::int64_t step_epochs = 30;  // step: interval in epochs …
  double step_gamma = 0.1;        // … and factor
  // cosine, polynomial: final value; cosine_restarts: value before a restart; plateau: lower bound
  double min_learning_rate = 0;
  double polynomial_power = 1;
  double pct_start = 0.3;         // one_cycle: fraction of the updates in which the rate rises …
  double div_factor = 25;         // … from the learning rate divided by this …
  double final_div_factor = 1e4;  // … and at the end the first rate divided by this
  std::int64_t restart_epochs = 10;
  std::int64_t restart_factor = 1;   // each period is so many times as long as the one before
  std::int64_t plateau_epochs = 10;  // plateau: epochs without improvement that are waited for …
  double plateau_gamma = 0.1;        // … and factor
  double plateau_threshold = 1e-4;   // a smaller relative change is no improvement
  double warmup_epochs = 0;          // linear from 0, before the schedule
  std::uint64_t seed = 0;
  Precision precision = DType::f32;  // new_project(): automatic
  bool random_crop = false;          // with zero padding of crop_padding pixels
  std::int64_t crop_padding = 4;
  bool horizontal_flip = false;
  double augment_strength = 1;             // probability with which a training image is changed by `transforms`
  std::vector<Transform> transforms;       // of training images, in this order, after crop and flip
  std::int64_t checkpoint_epochs = 1;      // interval of checkpoints in epochs; there is always one at the end
  std::int64_t keep_checkpoints = 3;       // newest ones, in addition to the best
  std::int64_t early_stopping_epochs = 0;  // stops if `monitor` has not improved for so many epochs; 0 = off
  double min_change = 0;                   // early stopping: a smaller change of `monitor` is no improvement
  MonitoredFigure monitor = MonitoredFigure::validation_accuracy;
  // Exponential moving average of the weights, which is evaluated, saved and used instead of them; 0 = off
  double ema_decay = 0;
  // Stochastic weight averaging: the mean of the weights at the ends of the epochs from this one on (1-based; 0 = off),
  // used as the moving average is. The rate goes from the scheduled one to `swa_learning_rate` (0: stays scheduled) in
  // the next `swa_anneal_epochs` epochs.
  std::int64_t swa_start = 0, swa_anneal_epochs = 10;
  double swa_learning_rate = 0;
  bool swa_linear = false;  // in equal parts; else along a cosine
  std::vector<std::string> devices = {"cpu"};
  // several devices: statistics of the whole batch instead of each device's shard
  bool sync_batch_norm = true;
  Parallelism parallel = Parallelism::data;                                // on several devices
  PipelineSchedule pipeline = PipelineSchedule::one_forward_one_backward;  // parallel: model
  // parallel: model: devices that compute the network together; several such groups each compute a part of the batch.
  // 0 = all devices
  std::int32_t stages = 0;
  std::int64_t threads = 0;  // 0 = one per processor, minus one on machines with more than two
  std::int64_t samples_per_update() const { return batch * accumulate; }
  /// The number of devices among which each batch is divided.
  std::int64_t replicas() const {
    if (parallel != Parallelism::model) return std::ssize(devices);
    return stages > 0 && stages < std::ssize(devices) ? std::ssize(devices) / stages : 1;
  }
  bool operator==(const TrainSettings&) const = default;
};

/// Learning rate of update `step` (0-based) when an epoch has `steps_per_epoch` updates. Warm-up: linear,
/// lr * (step + 1) / warmup_steps; the shapes cover the remaining updates. Cosine: Loshchilov & Hutter, "SGDR", 2017,
/// one period, and with restarts as torch's CosineAnnealingWarmRestarts. one_cycle: Smith & Topin, "Super-convergence",
/// 2018, as torch's OneCycleLR (cosine, two phases, no cycle of the momentum). polynomial: torch's PolynomialLR.
/// plateau: the rate before the first reduction; a run multiplies it (engine/train/plateau.hpp).
double learning_rate_at(const TrainSettings&, std::int64_t step, std::int64_t steps_per_epoch);
/// True: in this epoch (0-based) stochastic weight averaging has its own learning rate.
bool has_swa_rate(const TrainSettings&, std::int64_t epoch);
/// That rate, where `before` is the scheduled one of the last update before it: torch's SWALR, which changes from
/// epoch to epoch.
double swa_rate(const TrainSettings&, double before, std::int64_t epoch);

}  // namespace nw
