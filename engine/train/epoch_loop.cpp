// SPDX-License-Identifier: Apache-2.0
#include "engine/train/epoch_loop.hpp"

#include <algorithm>
#include <cmath>

#include "engine/runs/epochs.hpp"
#include "engine/train/not_finite.hpp"
#include "engine/train/unfreezing.hpp"

namespace nw {
namespace {

using Clock = TrainingState::Clock;
double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

/// Completed epochs plus the fraction of the current epoch that `batches` make up.
double epochs_done(const TrainingState& s, std::int64_t batches) {
  return static_cast<double>(s.progress.epoch) + static_cast<double>(batches) / static_cast<double>(s.steps_per_epoch);
}

/// The epochs before the step that the run continues from.
std::vector<EpochEnd> earlier_epochs(const TrainingState& s) {
  if (!s.request.resume) return {};
  std::vector<EpochEnd> epochs = recorded_epochs(s.request.source());
  std::erase_if(epochs, [&](const EpochEnd& e) { return e.step > s.progress.step; });
  return epochs;
}

}  // namespace

EpochLoop::EpochLoop(Parts parts, std::string device)
    : parts_(parts),
      state_(parts.state),
      evaluator_(parts.state, parts.report, parts.commands),
      knobs_(parts.state, parts.report, parts.saver, parts.observers, parts.mending),
      splitter_(StepSplitter::Place{parts.state.replicas->threads(), parts.state.replicas->own_memory()}),
      ranks_(parts.state, parts.report),
      health_(chance_level(parts.state.data), parts.state.settings().epochs),
      device_(std::move(device)) {
  if (state_.request.profile) profile_.emplace(state_.replicas->plan());
}

Status EpochLoop::run() {
  const BatchBuilder& train = *state_.data.train;
  health_.restore(earlier_epochs(state_));
  train_variance_ = no_samples(state_.data, train).variance;
  const std::int64_t epochs = state_.settings().epochs;
  make_batches();
  while (state_.progress.epoch < epochs && !evaluator_.stops_early()) {
    NW_TRY(stop_if_due());
    NW_TRY(train_epoch());
    NW_TRY(finish_epoch());
  }
  NW_TRY(state_.replicas->gather_weights());
  NW_TRY(parts_.observers.read_probes());
  if (!parts_.saver.is_up_to_date()) NW_TRY(parts_.saver.save_once_possible(false));
  if (state_.data.test) { NW_ASSIGN(test_, evaluator_.evaluate(*state_.data.test)); }
  parts_.observers.post_failure();
  if (test_ && !std::isfinite(test_->mean_loss()))
    return fail(Errc::not_finite,
                NW_TR("the loss on the test set is not a finite number: the training has diverged; a lower learning "
                      "rate or gradient clipping may help"));
  return {};
}

Status EpochLoop::stop_if_due() {
  const std::int64_t after = state_.request.stop_after;
  if (after <= 0 || state_.progress.epoch < after) return {};
  state_.control.stop(false);
  return parts_.commands.follow(true);
}

Status EpochLoop::finish() {
  Status saved = save_profile_so_far();
  report_split(true);
  return saved;
}

// The profile lists the steps of one plan; that of a network that trains more layers begins anew.
Status EpochLoop::unfreeze_if_due() {
  if (!unfreezing_is_due(state_)) return {};
  parts_.observers.forget_network();
  NW_TRY(make_network_anew(state_, parts_.mending));
  parts_.report.post(Health{HealthLevel::note, unfrozen_note(state_), state_.progress.step});
  if (profile_) profile_.emplace(state_.replicas->plan());
  return {};
}

void EpochLoop::make_batches() {
  BatchSource source = batches_of(state_, *state_.data.train, true);
  source.times = splitter_.input();
  const Progress& p = state_.progress;
  batches_ = std::make_unique<Batches>(source, p.epoch, p.batch, state_.settings().epochs);
  fetched_ = 0;
}

Status EpochLoop::change_knobs() {
  NW_ASSIGN(const KnobChanges::Done done, knobs_.apply());
  if (done.network && profile_) profile_.emplace(state_.replicas->plan());
  if (done.batches) make_batches();
  return {};
}

Status EpochLoop::train_epoch() {
  NW_TRY(unfreeze_if_due());
  while (state_.progress.batch < state_.steps_per_epoch) {
    NW_TRY(parts_.commands.follow(true));
    NW_TRY(change_knobs());
    NW_TRY(read_due_probes());
    parts_.report.recorder().set_training(true);
    std::int64_t count = parts_.observers.steps_at_once(state_.replicas->steps_at_once(*state_.data.train),
                                                        state_.steps_per_epoch - state_.progress.batch);
    count = std::min(count, knobs_.steps_until_due());
    splitter_.begin(state_.replicas->reduce_seconds());
    const Clock::time_point begin = Clock::now();
    if (count > 1) {
      NW_ASSIGN(count, train_at_once(count));
    } else {
      NW_TRY(train_one());
    }
    splitter_.end(count, state_.replicas->reduce_seconds(), state_.progress.step);
    ranks_.after_steps(count, since(begin));
    report_split(false);
  }
  return {};
}

/// The first process alone has samples to predict.
Status EpochLoop::read_due_probes() {
  if (state_.replicas->evaluates_copy()) {
    NW_ASSIGN(const bool due, state_.replicas->is_true_somewhere(parts_.observers.probes_are_due()));
    if (due) NW_TRY(state_.replicas->gather_weights());
  }
  return parts_.observers.read_due_probes();
}

Status EpochLoop::train_one() {
  const Clock::time_point begin = Clock::now();
  NW_ASSIGN(const std::span<const BatchSamples> batches, next_batches(1));
  const BatchSamples& batch = batches.front();
  const StepArgs args = step_args(0);
  parts_.observers.before_steps(1);
  NW_ASSIGN(const StepMetrics m, state_.replicas->train(batch, args));
  if (profile_) profile_->add(state_.replicas->step_times());
  NW_TRY(take(m, batch, args, since(begin)));
  drop_batches(1);
  parts_.observers.after_steps(m.skipped);
  return {};
}

// Steps of one epoch, without a measurement in between. A command ends them early.
Result<std::int64_t> EpochLoop::train_at_once(std::int64_t count) {
  const Clock::time_point begin = Clock::now();
  const auto many = static_cast<std::size_t>(count);
  NW_ASSIGN(const std::span<const BatchSamples> batches, next_batches(many));
  std::vector<StepArgs> args;
  std::vector<StepMetrics> metrics(many);
  for (std::size_t i = 0; i < many; ++i) args.push_back(step_args(static_cast<std::int64_t>(i)));
  parts_.observers.before_steps(count);
  NW_ASSIGN(const std::size_t run,
            state_.replicas->train(batches, args, metrics, [this] { return !parts_.commands.is_due(); }));
  const double each = since(begin) / static_cast<double>(run);
  for (std::size_t i = 0; i < run; ++i) NW_TRY(take(metrics[i], batches[i], args[i], each));
  drop_batches(run);
  parts_.observers.after_steps(false);
  return static_cast<std::int64_t>(run);
}

// Those that an interrupted burst did not use come first.
Result<std::span<const BatchSamples>> EpochLoop::next_batches(std::size_t count) {
  burst_.resize(std::max(burst_.size(), count));
  for (; fetched_ < count; ++fetched_) {
    burst_[fetched_] = *batches_->next();
    if (state_.teacher) NW_TRY(state_.teacher->teach(burst_[fetched_], state_.settings().augment_strength));
  }
  return std::span<const BatchSamples>(burst_.data(), count);
}

void EpochLoop::drop_batches(std::size_t count) {
  std::rotate(burst_.begin(), burst_.begin() + static_cast<std::ptrdiff_t>(count),
              burst_.begin() + static_cast<std::ptrdiff_t>(fetched_));
  fetched_ -= count;
}

StepArgs EpochLoop::step_args(std::int64_t ahead) const {
  const Progress& p = state_.progress;
  StepArgs args;
  args.step = p.step + ahead;
  args.epoch = p.epoch;
  args.seed = state_.settings().seed;
  args.learning_rate = p.learning_rate >= 0 ? p.learning_rate : state_.scheduled_rate(ahead);
  return args;
}

Status EpochLoop::take(const StepMetrics& m, const BatchSamples& batch, const StepArgs& args, double seconds) {
  Progress& p = state_.progress;
  const SampleSums sum{m.loss_sum, m.correct, batch.valid, train_variance_};
  parts_.report.recorder().add({.step = p.step + 1,
                                .epoch = epochs_done(state_, p.batch + 1),
                                .loss = sum.mean_loss(),
                                .accuracy = sum.accuracy(),
                                .learning_rate = args.learning_rate,
                                .grad_norm = m.grad_norm,
                                .samples = batch.valid,
                                .penalty = m.penalty});
  NW_TRY(check_finite(m, batch, args));

  ++p.step;
  ++p.batch;
  p.loss_sum += m.loss_sum;
  p.correct += m.correct;
  p.samples += batch.valid;
  p.images += batch.valid;
  p.seconds += seconds;
  p.trained_s += seconds;
  if (!first_step_done_) first_step_done_ = Clock::now();
  state_.step_done = p.step;
  return {};
}

// The plan has skipped the update, so the weights are those of the step before; the last checkpoint stays as it is.
Status EpochLoop::check_finite(const StepMetrics& m, const BatchSamples& batch, const StepArgs& args) {
  if (m.finite) return {};
  const auto where = state_.replicas->find_not_finite(batch, args);
  const std::int64_t step = state_.progress.step + 1;
  const Text what = where ? sentence_of(*where, step)
                          : text(NW_TR("step {0}: the loss is not a finite number; a lower learning rate or gradient "
                                       "clipping may help"),
                                 step);
  parts_.report.post(Health{HealthLevel::error, what, step, where});
  return Error{Errc::not_finite, what};
}

Status EpochLoop::finish_epoch() {
  Progress& p = state_.progress;
  NW_TRY(state_.replicas->compare_weights());
  const SampleSums train{p.loss_sum, p.correct, p.samples, train_variance_};
  EpochEnd e;
  e.epoch = p.epoch + 1;
  e.step = p.step;
  e.train_loss = train.mean_loss();
  e.train_accuracy = train.accuracy();
  e.seconds = p.seconds;
  e.images_per_s = p.seconds > 0 ? static_cast<double>(p.samples) / p.seconds : 0;
  NW_TRY(average_epoch());
  if (state_.data.validation) {
    NW_ASSIGN(const SampleSums validation, evaluator_.evaluate(*state_.data.validation));
    e.has_validation = true;
    e.validation_loss = validation.mean_loss();
    e.validation_accuracy = validation.accuracy();
    report_not_finite(validation);
  }
  if (state_.data.validation || !is_of_validation(state_.settings().monitor)) e.best = evaluator_.take_best(e);
  ++p.epoch;
  state_.epoch_done = p.epoch;
  p.batch = p.samples = p.correct = 0;
  p.loss_sum = p.seconds = 0;
  parts_.report.post(e);
  NW_TRY(ranks_.after_epoch());
  if (state_.replicas->pipeline()) {
    NW_ASSIGN(std::vector<PipelineTimes> times, state_.replicas->take_pipeline_times());
    ranks_.after_epoch(times);
    PipelineTimes& first = times.front();
    first.epoch = p.epoch;
    first.step = p.step;
    parts_.report.post(std::move(first));
  }
  for (Text& warning : health_.judge(e)) parts_.report.post(Health{HealthLevel::warning, std::move(warning), p.step});
  NW_TRY(parts_.mending.retry([this] { return save_profile_so_far(); }));
  const bool due = p.epoch % std::max<std::int64_t>(1, state_.settings().checkpoint_epochs) == 0;
  return due || e.best ? parts_.saver.save_once_possible(e.best) : Status();
}

// The weights at the end of the epoch, and then the statistics that batch norm has with the mean: over the batches of
// the same epoch. A run that was stopped meanwhile begins this anew, without adding the weights twice.
Status EpochLoop::average_epoch() {
  Progress& p = state_.progress;
  const std::int64_t start = state_.settings().swa_start;
  if (start == 0 || p.epoch + 1 < start) return {};
  if (p.last_averaged != p.epoch + 1) {
    NW_TRY(state_.replicas->add_to_mean(p.averaged_epochs++));
    p.last_averaged = p.epoch + 1;
  }
  BatchSource source = batches_of(state_, *state_.data.train, true);
  source.capacity = state_.replicas->capacity();
  source.batch = std::min(state_.settings().batch, source.capacity);
  Batches batches(source, p.epoch, 0, p.epoch + 1);
  Status stopped;
  const auto next = [&]() -> const BatchSamples* {
    stopped = parts_.commands.follow(false);
    return stopped ? batches.next() : nullptr;
  };
  NW_TRY(state_.replicas->measure_statistics(next, step_args(0)));
  return stopped;
}

/// Once in a process.
void EpochLoop::report_not_finite(const SampleSums& validation) {
  if (reported_not_finite_ || std::isfinite(validation.mean_loss())) return;
  reported_not_finite_ = true;
  parts_.report.post(Health{HealthLevel::error,
                            text(NW_TR("The validation loss after epoch {0} is not a finite number: the training has "
                                       "diverged. Lower the learning rate or clip gradients."),
                                 state_.progress.epoch + 1),
                            state_.progress.step});
}

void EpochLoop::report_split(bool all) {
  if (const auto split = splitter_.take(all)) parts_.report.post(*split);
}

Status EpochLoop::save_profile_so_far() const {
  const fs::path& run = state_.request.run;
  return profile_ && !profile_->empty() && !run.empty() ? save_profile(run, *profile_, device_) : Status();
}

}  // namespace nw
