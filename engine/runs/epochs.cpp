// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/epochs.hpp"

#include <cmath>

namespace nw {

namespace {
double compared_loss(const EpochEnd& e) { return e.has_validation ? e.validation_loss : e.train_loss; }
}  // namespace

double compared_accuracy(const EpochEnd& e) { return e.has_validation ? e.validation_accuracy : e.train_accuracy; }

bool is_better(double accuracy, double loss, double best_accuracy, double best_loss) {
  if (!std::isfinite(loss)) return false;
  if (!std::isfinite(best_loss)) return true;
  const auto known = [](double value) { return std::isnan(value) ? 0 : value; };  // undefined: the loss decides
  const double one = known(accuracy), other = known(best_accuracy);
  return one > other || (one == other && loss < best_loss);
}

const EpochEnd* best_epoch(std::span<const EpochEnd> epochs) {
  const EpochEnd* best = nullptr;
  for (const EpochEnd& e : epochs)
    if (!best || is_better(compared_accuracy(e), compared_loss(e), compared_accuracy(*best), compared_loss(*best)))
      best = &e;
  return best;
}

double epoch_of_step(std::span<const EpochEnd> epochs, std::int64_t step) {
  if (step <= 0) return 0;
  double epoch = 0, at = 0, per_step = 0;  // of the last end at or before the step; epochs for each step
  for (const EpochEnd& e : epochs) {
    const double steps = static_cast<double>(e.step) - at;
    if (steps <= 0) continue;
    per_step = (static_cast<double>(e.epoch) - epoch) / steps;
    if (e.step >= step) break;
    epoch = static_cast<double>(e.epoch);
    at = static_cast<double>(e.step);
  }
  return per_step > 0 ? epoch + (static_cast<double>(step) - at) * per_step : -1;
}

}  // namespace nw
