// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/epochs.hpp"

namespace nw {

double compared_accuracy(const EpochEnd& e) { return e.has_validation ? e.validation_accuracy : e.train_accuracy; }

const EpochEnd* best_epoch(std::span<const EpochEnd> epochs) {
  const EpochEnd* best = nullptr;
  for (const EpochEnd& e : epochs)
    if (!best || compared_accuracy(e) > compared_accuracy(*best)) best = &e;
  return best;
}

}  // namespace nw
