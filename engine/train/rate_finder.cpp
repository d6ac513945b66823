// SPDX-License-Identifier: Apache-2.0
#include "engine/train/rate_finder.hpp"

#include <algorithm>
#include <cmath>

#include "engine/train/evaluator.hpp"

namespace nw {
namespace {

constexpr double smoothing_weight = 0.9;  // of the moving average of the loss
constexpr double diverged = 4;            // times the smallest loss
constexpr std::int64_t rise = 5;          // steps at the start that only begin the average

double rate_of(const RateSearch& s, std::int64_t step) {
  const double done = static_cast<double>(step) / static_cast<double>(std::max<std::int64_t>(1, s.steps - 1));
  return s.lowest * std::pow(s.highest / s.lowest, done);
}

double median(std::vector<double> all) {
  if (all.empty()) return 0;
  std::sort(all.begin(), all.end());
  const std::size_t half = all.size() / 2;
  return all.size() % 2 == 1 ? all[half] : std::sqrt(all[half - 1] * all[half]);
}

/// The smoothed losses of one seed, until they diverge.
Result<std::vector<double>> curve_of(const TrialNetwork& trial, const RateSearch& s, std::uint64_t seed) {
  NW_ASSIGN(const auto network, trial.make(seed));
  const BatchBuilder& train = *trial.data().train;
  const TrainSettings& settings = trial.settings();
  Batches batches({.maker = &train,
                   .shuffle = true,
                   .augment = true,
                   .batch = settings.samples_per_update(),
                   .statistics_over = network->statistics_over(),
                   .capacity = network->update_capacity(),
                   .target_width = network->target_width()},
                  static_cast<std::int64_t>(seed) * s.steps, 0, most_epochs);
  std::vector<double> losses;
  double average = 0, least = 0;
  for (std::int64_t step = 0; step < s.steps; ++step) {
    const BatchSamples* batch = batches.next();
    if (!batch) break;
    StepArgs args;
    args.step = trial.first_step() + step;
    args.epoch = batch->epoch;
    args.seed = seed;
    args.learning_rate = rate_of(s, step);
    NW_ASSIGN(const StepMetrics m, network->train(*batch, args));
    const double loss = m.loss_sum / static_cast<double>(std::max<std::int64_t>(1, batch->valid));
    if (!m.finite || !std::isfinite(loss)) break;
    average = smoothing_weight * average + (1 - smoothing_weight) * loss;
    losses.push_back(average / (1 - std::pow(smoothing_weight, static_cast<double>(step + 1))));
    least = step == 0 ? losses.back() : std::min(least, losses.back());
    if (step >= rise && losses.back() > diverged * least) break;
  }
  return losses;
}

void add_band(RateFinding& f) {
  for (std::size_t i = 0; i < f.rates.size(); ++i) {
    std::vector<double> here;
    for (const auto& curve : f.losses)
      if (i < curve.size()) here.push_back(curve[i]);
    if (here.empty()) return;
    std::sort(here.begin(), here.end());
    f.low.push_back(here.front());
    f.middle.push_back(here[here.size() / 2]);
    f.high.push_back(here.back());
  }
}

}  // namespace

// Slopes are over several steps, because a single one is noise. The rise at the end does not count, nor does what comes
// after the smallest loss.
double steepest_rate(std::span<const double> rates, std::span<const double> losses) {
  constexpr std::size_t across = 5;
  const auto least = static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin());
  double best = 0, steepest = 0;
  for (std::size_t i = rise; i + across < losses.size() && i + across <= least; ++i) {
    const double slope = (losses[i + across] - losses[i]) / std::log(rates[i + across] / rates[i]);
    if (slope < steepest) steepest = slope, best = std::sqrt(rates[i] * rates[i + across]);
  }
  return best;
}

double suggested_rate(std::span<const double> rates, std::span<const double> losses) {
  const double steepest = steepest_rate(rates, losses);
  if (!(steepest > 0)) return 0;
  const auto least = static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin());
  return std::sqrt(steepest * rates[least] / 10);
}

Result<RateFinding> find_rate(TrialSource source, const RateSearch& s, const std::function<void(int)>& tell) {
  if (!(s.lowest > 0) || !(s.highest > s.lowest) || !std::isfinite(s.highest) || s.steps < 10 || s.seeds < 1)
    return fail(Errc::usage,
                NW_TR("the lowest learning rate must be above 0 and below the highest, with 10 steps or more"));
  NW_ASSIGN(const auto trial, TrialNetwork::open(std::move(source)));
  RateFinding f;
  for (std::int64_t i = 0; i < s.steps; ++i) f.rates.push_back(rate_of(s, i));
  for (int seed = 0; seed < s.seeds; ++seed) {
    NW_ASSIGN(std::vector<double> curve,
              curve_of(*trial, s, trial->settings().seed + static_cast<std::uint64_t>(seed)));
    if (const double at = suggested_rate(f.rates, curve); at > 0) f.suggestions.push_back(at);
    f.losses.push_back(std::move(curve));
    if (tell) tell(seed + 1);
  }
  add_band(f);
  f.suggestion = median(f.suggestions);
  return f;
}

}  // namespace nw
