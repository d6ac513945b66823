// SPDX-License-Identifier: Apache-2.0
#include "engine/train/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/runs/epochs.hpp"

namespace nw {

double TrainingState::scheduled_rate(std::int64_t ahead) const {
  const TrainSettings& s = settings();
  const std::int64_t step = progress.epoch * steps_per_epoch + progress.batch + ahead;
  if (s.schedule != ScheduleKind::plateau || progress.plateau_scale == 1)
    return learning_rate_at(s, step, steps_per_epoch);
  const bool averages = has_swa_rate(s, progress.epoch);
  const double rate = learning_rate_at(s, averages ? s.swa_start * steps_per_epoch - 1 : step, steps_per_epoch);
  const double reduced = std::max(rate * progress.plateau_scale, std::min(rate, s.min_learning_rate));
  return averages ? swa_rate(s, reduced, progress.epoch) : reduced;
}

double SampleSums::mean_loss() const { return samples > 0 ? loss / weight.value_or(static_cast<double>(samples)) : 0; }
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
          .batch = training ? state.settings().samples_per_update()
                            : std::min(state.settings().batch, state.replicas->capacity()),
          .statistics_over = training ? state.replicas->statistics_over() : 0,
          .capacity = training ? state.replicas->update_capacity() : state.replicas->capacity(),
          .target_width = state.replicas->target_width()};
}

Result<SampleSums> Evaluator::evaluate(const BatchBuilder& maker) {
  report_.recorder().set_training(false);
  NW_TRY(state_.replicas->share_buffers());
  NW_TRY(state_.replicas->gather_weights());
  const Replicas::Averaged averaged(*state_.replicas);
  Batches batches(batches_of(state_, maker, false), 0, 0, 1);
  SampleSums sum = no_samples(state_.data, maker);
  while (const BatchSamples* batch = batches.next()) {
    NW_TRY(commands_.follow(false));
    NW_ASSIGN(const StepMetrics m, state_.replicas->evaluate(*batch));
    sum.loss += m.loss_sum;
    sum.correct += m.correct;
    sum.samples += batch->valid;
    sum.weight = sum.weight.value_or(0) + state_.replicas->loss_weight(*batch);
  }
  if (sum.variance && some_are_constant(maker)) {
    NW_ASSIGN(const double here, explained_variance(maker));
    NW_ASSIGN(sum.explained, state_.replicas->of_first(here));
  }
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

namespace {

double figure_of(MonitoredFigure m, const EpochEnd& e) {
  switch (m) {
    case MonitoredFigure::validation_accuracy:
      return e.validation_accuracy;
    case MonitoredFigure::validation_loss:
      return e.validation_loss;
    case MonitoredFigure::train_accuracy:
      return e.train_accuracy;
    case MonitoredFigure::train_loss:
      return e.train_loss;
  }
  return 0;
}

/// Better by more than `change`, never if the figure is not finite.
bool improves(MonitoredFigure m, double figure, double best, double change) {
  return is_loss(m) ? figure < best - change : figure > best + change;
}

}  // namespace

// An undefined accuracy (R² of equal targets) counts as 0: the loss decides.
bool Evaluator::take_best(const EpochEnd& e) {
  Progress& p = state_.progress;
  const MonitoredFigure m = state_.settings().monitor;
  const double loss = is_of_validation(m) ? e.validation_loss : e.train_loss;
  const double figure = is_loss(m) || !std::isnan(figure_of(m, e)) ? figure_of(m, e) : 0;
  const double accuracy = is_loss(m) ? p.best_accuracy : figure;
  const bool better = p.best_epoch == 0 ? std::isfinite(loss)
                      : is_loss(m)      ? loss < p.best_loss
                                        : is_better(accuracy, loss, p.best_accuracy, p.best_loss);
  judge_improvement(figure, better);
  judge_plateau(figure);
  if (!better) return false;
  const double shown = is_of_validation(m) ? e.validation_accuracy : e.train_accuracy;
  p.best_accuracy = std::isnan(shown) ? 0 : shown;
  p.best_loss = loss;
  p.best_epoch = p.epoch + 1;
  return true;
}

// Without a least change, whatever is better counts.
void Evaluator::judge_improvement(double figure, bool better) {
  Progress& p = state_.progress;
  const TrainSettings& s = state_.settings();
  const bool first = p.improved_epoch == 0 && std::isfinite(figure);
  if (!first && !(s.min_change > 0 ? improves(s.monitor, figure, p.improved_figure, s.min_change) : better)) return;
  p.improved_epoch = p.epoch + 1;
  p.improved_figure = figure;
}

// torch.optim.lr_scheduler.ReduceLROnPlateau with threshold_mode "rel".
void Evaluator::judge_plateau(double figure) {
  Progress& p = state_.progress;
  const TrainSettings& s = state_.settings();
  if (s.schedule != ScheduleKind::plateau || has_swa_rate(s, p.epoch + 1)) return;
  const double least = p.plateau_best * (is_loss(s.monitor) ? 1 - s.plateau_threshold : 1 + s.plateau_threshold);
  if ((!p.plateau_began && std::isfinite(figure)) || improves(s.monitor, figure, least, 0)) {
    p.plateau_began = true;
    p.plateau_best = figure;
    p.plateau_waited = 0;
  } else if (++p.plateau_waited > s.plateau_epochs) {
    p.plateau_scale *= s.plateau_gamma;
    p.plateau_waited = 0;
  }
}

bool Evaluator::stops_early() const {
  const std::int64_t patience = state_.settings().early_stopping_epochs;
  const Progress& p = state_.progress;
  const std::int64_t from = std::max(p.improved_epoch, state_.patience_from_epoch);
  const bool measured = state_.data.validation || !is_of_validation(state_.settings().monitor);
  return patience > 0 && measured && p.batch == 0 && p.epoch - from >= patience;
}

}  // namespace nw
