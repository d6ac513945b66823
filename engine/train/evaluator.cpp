// SPDX-License-Identifier: Apache-2.0
#include "engine/train/evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "engine/runs/epochs.hpp"

namespace nw {

double SampleSums::mean_loss() const { return samples > 0 ? loss / static_cast<double>(samples) : 0; }
double SampleSums::accuracy() const {
  if (samples == 0) return 0;
  if (variance) return *variance > 0 ? std::max(0.0, 1 - mean_loss() / *variance) : 0;
  return static_cast<double>(correct) / static_cast<double>(samples);
}

SampleSums no_samples(const TrainingData& data, const BatchBuilder& maker) {
  return data.facts.targets == TargetKind::values ? SampleSums{.variance = maker.target_variance()} : SampleSums{};
}

BatchSource batches_of(const TrainingState& state, const BatchBuilder& maker, bool training) {
  return {.maker = &maker,
          .shuffle = training,
          .augment = training,
          .batch = state.settings().batch,
          .statistics_over = training ? state.replicas->statistics_over() : 0,
          .capacity = state.replicas->capacity(),
          .target_width = state.replicas->target_width()};
}

Result<SampleSums> Evaluator::evaluate(const BatchBuilder& maker) {
  report_.recorder().set_training(false);
  NW_TRY(state_.replicas->share_buffers());
  Batches batches(batches_of(state_, maker, false), 0, 0, 1);
  SampleSums sum = no_samples(state_.data, maker);
  while (const BatchSamples* batch = batches.next()) {
    NW_TRY(commands_.follow(false));
    NW_ASSIGN(const StepMetrics m, state_.replicas->evaluate(*batch));
    sum.loss += m.loss_sum;
    sum.correct += m.correct;
    sum.samples += batch->valid;
  }
  return sum;
}

bool Evaluator::take_best(const SampleSums& validation) {
  Progress& p = state_.progress;
  const double accuracy = validation.accuracy(), loss = validation.mean_loss();
  const bool better = p.best_epoch == 0 ? std::isfinite(loss) : is_better(accuracy, loss, p.best_accuracy, p.best_loss);
  if (!better) return false;
  p.best_accuracy = accuracy;
  p.best_loss = loss;
  p.best_epoch = p.epoch + 1;
  return true;
}

bool Evaluator::stops_early() const {
  const std::int64_t patience = state_.settings().early_stopping_epochs;
  const Progress& p = state_.progress;
  const std::int64_t from = std::max(p.best_epoch, state_.patience_from_epoch);
  return patience > 0 && state_.data.validation && p.batch == 0 && p.epoch - from >= patience;
}

}  // namespace nw
