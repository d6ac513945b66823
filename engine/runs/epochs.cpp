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

}  // namespace nw
