// SPDX-License-Identifier: Apache-2.0
#include "engine/train/memorise.hpp"

#include <array>
#include <chrono>
#include <cmath>

#include "engine/train/evaluator.hpp"

namespace nw {
namespace {

using Moment = std::chrono::steady_clock::time_point;
double seconds_since(Moment then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

constexpr double known_loss = 0.01;  // of the first, for values

/// One try with one rate, on a fresh network.
class Attempt {
 public:
  Attempt(const TrialNetwork& trial, double rate) : trial_(trial) { result_.learning_rate = rate; }
  Result<Memorised> run(Moment until);

 private:
  bool take(const StepMetrics&, std::int64_t samples);

  const TrialNetwork& trial_;
  Memorised result_;
  double largest_gradient_ = 0;
};

bool Attempt::take(const StepMetrics& m, std::int64_t samples) {
  Memorised& r = result_;
  const bool values = trial_.data().facts.targets == TargetKind::values;
  r.last_loss = m.loss_sum / static_cast<double>(samples);
  if (r.steps++ == 0) r.first_loss = r.last_loss;
  largest_gradient_ = std::max(largest_gradient_, m.grad_norm);
  r.accuracy = values ? 1 - r.last_loss / r.first_loss : static_cast<double>(m.correct) / static_cast<double>(samples);
  return values ? r.last_loss <= known_loss * r.first_loss : m.correct == samples;
}

// The batch is the first of the first epoch; its images are not augmented and not mixed.
Result<Memorised> Attempt::run(Moment until) {
  NW_ASSIGN(const auto network, trial_.make(trial_.settings().seed));
  Batches batches({.maker = &*trial_.data().train,
                   .shuffle = true,
                   .augment = false,
                   .batch = trial_.settings().samples_per_update(),
                   .statistics_over = network->statistics_over(),
                   .capacity = network->update_capacity(),
                   .target_width = network->target_width()},
                  0, 0, 1);
  const BatchSamples* batch = batches.next();
  if (!batch) return result_;
  result_.samples = batch->valid;
  while (std::chrono::steady_clock::now() < until) {
    StepArgs args;
    args.step = result_.steps;
    args.seed = trial_.settings().seed;
    args.learning_rate = result_.learning_rate;
    NW_ASSIGN(const StepMetrics m, network->train(*batch, args));
    if (!m.finite) {
      result_.verdict = MemoriseVerdict::not_finite;
      return result_;
    }
    if (!take(m, batch->valid)) continue;
    result_.verdict = MemoriseVerdict::learns;
    return result_;
  }
  result_.verdict = largest_gradient_ > 0 ? MemoriseVerdict::does_not_learn : MemoriseVerdict::no_gradient;
  return result_;
}

}  // namespace

std::string_view name_of(MemoriseVerdict v) {
  switch (v) {
    case MemoriseVerdict::learns:
      return "learns";
    case MemoriseVerdict::rate_too_low:
      return "rate_too_low";
    case MemoriseVerdict::rate_too_high:
      return "rate_too_high";
    case MemoriseVerdict::no_gradient:
      return "no_gradient";
    case MemoriseVerdict::not_finite:
      return "not_finite";
    case MemoriseVerdict::does_not_learn:
      return "does_not_learn";
  }
  return "";
}

// Half of the time for the rate of the settings, a quarter for each other one.
Result<Memorised> memorise(TrialSource source, double seconds) {
  const Moment begin = std::chrono::steady_clock::now();
  const auto after = [&](double share) {
    return begin + std::chrono::duration_cast<Moment::duration>(std::chrono::duration<double>(seconds * share));
  };
  NW_ASSIGN(const auto trial, TrialNetwork::open(std::move(source)));
  const double rate = trial->settings().learning_rate;
  NW_ASSIGN(Memorised first, Attempt(*trial, rate).run(after(0.5)));
  struct Other {
    double times, until;
    MemoriseVerdict verdict;
  };
  const std::array<Other, 2> others = {
      {{0.1, 0.75, MemoriseVerdict::rate_too_high}, {10, 1, MemoriseVerdict::rate_too_low}}};
  for (const Other& o : others) {
    if (first.verdict == MemoriseVerdict::learns || first.verdict == MemoriseVerdict::no_gradient) break;
    NW_ASSIGN(Memorised again, Attempt(*trial, rate * o.times).run(after(o.until)));
    if (again.verdict != MemoriseVerdict::learns) continue;
    first = again;
    first.verdict = o.verdict;
    break;
  }
  first.seconds = seconds_since(begin);
  return first;
}

Text sentence_of(const Memorised& m) {
  switch (m.verdict) {
    case MemoriseVerdict::learns:
      return text(NW_TR("The network can learn: it knew a batch of {0} by heart after {1} updates."), m.samples,
                  m.steps);
    case MemoriseVerdict::rate_too_low:
      return text(
          NW_TR("The learning rate is too low to learn a batch of {0}: with {1} it was known after {2} updates."),
          m.samples, m.learning_rate, m.steps);
    case MemoriseVerdict::rate_too_high:
      return text(
          NW_TR("The learning rate is too high to learn a batch of {0}: with {1} it was known after {2} updates."),
          m.samples, m.learning_rate, m.steps);
    case MemoriseVerdict::no_gradient:
      return text(
          NW_TR("The network cannot learn: no gradient reaches its weights. Look for dead units or a layer that "
                "cuts the gradient off."));
    case MemoriseVerdict::not_finite:
      return text(
          NW_TR("The loss is not a finite number at any learning rate that was tried: check the scale of the "
                "inputs, and normalization."));
    case MemoriseVerdict::does_not_learn:
      return text(
          NW_TR("The network did not learn a batch of {0} by heart in {1} updates: it may be too small, regularized "
                "too much, or its labels may contradict each other."),
          m.samples, m.steps);
  }
  return {};
}

}  // namespace nw
