// SPDX-License-Identifier: Apache-2.0
// The loop: next batch, run the plan, report; after each epoch evaluate, keep a checkpoint, say how it stands.
#include "engine/train/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/data/batches/batch.hpp"
#include "engine/train/training.hpp"

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

Error stopped() { return fail(Errc::stopped, NW_TR("training was stopped")); }

}  // namespace

double Training::Sum::mean_loss() const { return samples > 0 ? loss / static_cast<double>(samples) : 0; }
double Training::Sum::accuracy() const {
  if (samples == 0) return 0;
  if (variance) return *variance > 0 ? std::max(0.0, 1 - mean_loss() / *variance) : 0;
  return static_cast<double>(correct) / static_cast<double>(samples);
}

// Nothing added up yet.
Training::Sum Training::sum_over(const BatchMaker& maker) const {
  return data_.facts.targets == TargetKind::values ? Sum{.variance = maker.target_variance()} : Sum{};
}

Status Training::loop() {
  train_variance_ = sum_over(*data_.train).variance;
  batches_ = std::make_unique<Batches>(source(*data_.train, true), progress_.epoch, progress_.batch, settings().epochs);
  while (progress_.epoch < settings().epochs && !early_stop()) {
    NW_TRY(train_epoch());
    NW_TRY(finish_epoch());
  }
  NW_TRY(look_at_probes());
  if (progress_.step != saved_step_) NW_TRY(save_and_wait_for_room(false));
  if (data_.test) { NW_ASSIGN(test_, evaluate(*data_.test)); }
  if (not_looked_) post(Health{"warning", *not_looked_, progress_.step});
  return {};
}

Status Training::train_epoch() {
  while (progress_.batch < steps_per_epoch_) {
    if (!go_on(true)) return stopped();
    if (probes_ && probes_->due(progress_.step)) NW_TRY(look_at_probes());
    recorder_->set_training(true);
    const Clock::time_point begin = Clock::now();
    const std::int64_t left = steps_per_epoch_ - progress_.batch;
    std::int64_t count =
        look_due() ? 1 : std::min(replicas_->steps_at_once(*data_.train), layers_ && left > 1 ? left - 1 : left);
    if (probes_) count = std::min(count, probes_->steps_until_due(progress_.step));
    splitter_->begin(replicas_->reduce_seconds());
    const auto untold = std::exchange(not_looked_, std::nullopt);
    NW_TRY(count > 1 ? steps(count, begin) : step(*batches_->next(), begin));
    if (untold) post(Health{"warning", *untold, progress_.step});
    splitter_->end(count, replicas_->reduce_seconds(), progress_.step);
    say_split(false);
  }
  return {};
}

// A full disk is told once; the run does not wait for pictures.
Status Training::look_at_probes() {
  if (!probes_) return {};
  recorder_->set_training(false);
  Status looked = probes_->look(*replicas_, progress_.step);
  if (looked || looked.error().code != Errc::disk) return looked;
  if (!std::exchange(probes_told_, true)) post(Health{"warning", looked.error().what, progress_.step});
  return {};
}

void Training::say_split(bool all) {
  if (const auto split = splitter_->take(all)) post(*split);
}

StepArgs Training::step_args(std::int64_t ahead) const {
  StepArgs args;
  args.step = progress_.step + ahead;
  args.epoch = progress_.epoch;
  args.seed = settings().seed;
  args.learning_rate = progress_.learning_rate >= 0 ? progress_.learning_rate
                                                    : learning_rate_at(settings(), args.step, steps_per_epoch_);
  return args;
}

Status Training::step(const BatchSamples& batch, Clock::time_point begin) {
  const StepArgs args = step_args(0);
  const bool looking = look_due();
  if (looking) look(true);
  NW_ASSIGN(const StepMetrics m, replicas_->train(batch, args));
  if (profile_) profile_->add(replicas_->step_times());
  NW_TRY(take(m, batch, args, since(begin)));
  if (looking && !m.skipped) look(false);
  return {};
}

bool Training::look_due() const {
  const std::int64_t done = progress_.step + 1;
  const bool edge = progress_.batch + 1 == steps_per_epoch_,
             outer = progress_.epoch == 0 || progress_.epoch + 1 == settings().epochs;
  return layers_ && layers_->due({.step = done, .edge = edge, .outer_edge = edge && outer, .seconds = since(begin_)});
}

// What cannot be measured is no reason to end a run: it is said once, and nobody looks again. Said after the next step:
// if the device is gone, that one says so alone.
void Training::look(bool before) {
  if (!layers_) return;
  if (before) return layers_->before(*replicas_, since(begin_));
  const double epoch = static_cast<double>(progress_.epoch) +
                       static_cast<double>(progress_.batch) / static_cast<double>(steps_per_epoch_);
  auto seen = layers_->after(*replicas_, progress_.step, epoch);
  if (seen) return post(*std::move(seen));
  not_looked_ = text(NW_TR("The layers' statistics could not be taken: {0}"), seen.error().str());
  layers_.reset();
}

// Steps of one epoch, without a look at anything in between.
Status Training::steps(std::int64_t count, Clock::time_point begin) {
  const auto many = static_cast<std::size_t>(count);
  burst_.resize(std::max(burst_.size(), many));
  std::vector<StepArgs> args;
  std::vector<StepMetrics> said(many);
  for (std::size_t i = 0; i < many; ++i) {
    burst_[i] = *batches_->next();
    args.push_back(step_args(static_cast<std::int64_t>(i)));
  }
  NW_TRY(replicas_->train({burst_.data(), many}, args, said));
  const double each = since(begin) / static_cast<double>(many);
  for (std::size_t i = 0; i < many; ++i) NW_TRY(take(said[i], burst_[i], args[i], each));
  return {};
}

Status Training::take(const StepMetrics& m, const BatchSamples& batch, const StepArgs& args, double seconds) {
  const double samples = static_cast<double>(batch.valid), loss = m.loss_sum / samples + m.penalty;
  const double epoch = static_cast<double>(progress_.epoch) +
                       static_cast<double>(progress_.batch + 1) / static_cast<double>(steps_per_epoch_);
  const Sum sum{m.loss_sum, m.correct, batch.valid, train_variance_};
  recorder_->add({progress_.step + 1, epoch, loss, sum.accuracy(), args.learning_rate, m.grad_norm, batch.valid});
  NW_TRY(check_finite(m, batch, args));

  ++progress_.step;
  ++progress_.batch;
  progress_.loss_sum += m.loss_sum;
  progress_.correct += m.correct;
  progress_.samples += batch.valid;
  progress_.images += batch.valid;
  progress_.seconds += seconds;
  progress_.trained_s += seconds;
  if (first_step_s_ == 0) first_step_s_ = since(prepared_from_);
  step_seen_ = progress_.step;
  return {};
}

// The plan has skipped the update, so the weights are those of the step before; the last checkpoint stays as it is.
Status Training::check_finite(const StepMetrics& m, const BatchSamples& batch, const StepArgs& args) {
  if (m.finite) return {};
  const std::string where = replicas_->find_not_finite(batch, args);
  const std::int64_t step = progress_.step + 1;
  if (where.empty())
    return fail(Errc::not_finite,
                NW_TR("step {0}: the loss is not a finite number; a lower learning rate or gradient clipping may help"),
                step);
  return fail(
      Errc::not_finite,
      NW_TR("step {0}: {1} gave numbers that are not finite; a lower learning rate or gradient clipping may help"),
      step, where);
}

Status Training::finish_epoch() {
  EpochEnd e;
  e.epoch = progress_.epoch + 1;
  e.step = progress_.step;
  const Sum train{progress_.loss_sum, progress_.correct, progress_.samples, train_variance_};
  e.train_loss = train.mean_loss();
  e.train_accuracy = train.accuracy();
  e.seconds = progress_.seconds;
  e.images_per_s = progress_.seconds > 0 ? static_cast<double>(progress_.samples) / progress_.seconds : 0;
  if (data_.validation) {
    NW_ASSIGN(const Sum validation, evaluate(*data_.validation));
    e.has_validation = true;
    e.validation_loss = validation.mean_loss();
    e.validation_accuracy = validation.accuracy();
    e.best = take_best(validation);
  }
  ++progress_.epoch;
  epoch_seen_ = progress_.epoch;
  progress_.batch = progress_.samples = progress_.correct = 0;
  progress_.loss_sum = progress_.seconds = 0;
  post(e);
  NW_TRY(save_profile_so_far());
  const bool due = progress_.epoch % std::max<std::int64_t>(1, settings().checkpoint_epochs) == 0;
  return due || e.best ? save_and_wait_for_room(e.best) : Status();
}

Status Training::save_profile_so_far() const {
  return profile_ && !profile_->empty() && !request_.run.empty()
             ? save_profile(request_.run, *profile_, started_.device)
             : Status();
}

bool Training::take_best(const Sum& validation) {
  const double accuracy = validation.accuracy(), loss = validation.mean_loss();
  if (!std::isfinite(loss)) return false;
  const bool better =
      accuracy > progress_.best_accuracy || (accuracy == progress_.best_accuracy && loss < progress_.best_loss);
  if (!better) return false;
  progress_.best_accuracy = accuracy;
  progress_.best_loss = loss;
  progress_.best_epoch = progress_.epoch + 1;
  return true;
}

bool Training::early_stop() const {
  const std::int64_t patience = settings().early_stopping_epochs;
  return patience > 0 && data_.validation && progress_.batch == 0 && progress_.epoch - progress_.best_epoch >= patience;
}

Result<Training::Sum> Training::evaluate(const BatchMaker& maker) {
  recorder_->set_training(false);
  NW_TRY(replicas_->share_buffers());
  Batches batches(source(maker, false), 0, 0, 1);
  Sum sum = sum_over(maker);
  while (const BatchSamples* batch = batches.next()) {
    if (!go_on(false)) return stopped();
    NW_ASSIGN(const StepMetrics m, replicas_->evaluate(*batch));
    sum.loss += m.loss_sum;
    sum.correct += m.correct;
    sum.samples += batch->valid;
  }
  return sum;
}

BatchSource Training::source(const BatchMaker& maker, bool training) const {
  return {.maker = &maker,
          .shuffle = training,
          .augment = training,
          .batch = settings().batch,
          .capacity = replicas_->capacity(),
          .target_width = replicas_->target_width(),
          .times = training ? splitter_->input() : nullptr};
}

Result<TrainResult> train(TrainRequest request, TrainControl& control, EventSink& sink) {
  Training training(std::move(request), control, sink);
  Status done = training.open();
  if (done) done = training.loop();
  return training.end(done);
}

}  // namespace nw
