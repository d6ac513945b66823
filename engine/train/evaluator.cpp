// SPDX-License-Identifier: Apache-2.0
#include "engine/train/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/runs/epochs.hpp"

namespace nw {

double SampleSums::mean_loss() const { return samples > 0 ? loss / static_cast<double>(samples) : 0; }
double SampleSums::accuracy() const {
  if (explained) return *explained;
  if (samples == 0) return 0;
  if (variance) return *variance > 0 ? 1 - mean_loss() / *variance : std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(correct) / static_cast<double>(samples);
}

SampleSums no_samples(const TrainingData& data, const BatchBuilder& maker) {
  if (data.facts.targets != TargetKind::values) return {};
  const std::vector<Moments> targets = maker.target_moments();
  double sum = 0;
  for (const Moments& m : targets) sum += m.variance() / static_cast<double>(targets.size());
  return {.variance = sum};
}

namespace {
/// Whether some targets, but not all, are the same in all samples: the loss includes their errors, R² does not.
bool some_are_constant(const BatchBuilder& maker) {
  const std::vector<Moments> all = maker.target_moments();
  const auto constant = std::count_if(all.begin(), all.end(), [](const Moments& m) { return m.squares() == 0; });
  return constant > 0 && constant < std::ssize(all);
}
}  // namespace

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
  if (sum.variance && some_are_constant(maker)) { NW_ASSIGN(sum.explained, explained_variance(maker)); }
  return sum;
}

/// From the predictions of each target, which only the first device gives.
Result<double> Evaluator::explained_variance(const BatchBuilder& maker) {
  Replicas& replicas = *state_.replicas;
  BatchSource source = batches_of(state_, maker, false);
  source.batch = std::min(source.batch, replicas.share());
  const auto width = static_cast<std::size_t>(replicas.scores_per_image());
  ExplainedVariance explained(width);
  Batches batches(source, 0, 0, 1);
  while (const BatchSamples* batch = batches.next()) {
    NW_TRY(commands_.follow(false));
    NW_ASSIGN(const std::vector<float> scores, replicas.scores(*batch));
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch->valid); ++i)
      explained.add(std::span(batch->targets).subspan(i * width, width), std::span(scores).subspan(i * width, width));
  }
  return explained.all().value_or(std::numeric_limits<double>::quiet_NaN());
}

bool Evaluator::take_best(const SampleSums& validation) {
  Progress& p = state_.progress;
  const double loss = validation.mean_loss(), measured = validation.accuracy();
  const double accuracy = std::isnan(measured) ? 0 : measured;  // undefined: the loss decides
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
