// SPDX-License-Identifier: Apache-2.0
// A run whose weights are far from finite outputs.
#pragma once
#include "engine/design/choice.hpp"
#include "engine/design/settings.hpp"

namespace nw::test {

/// One step with a huge learning rate: its loss is finite, those of validation and test set are not.
inline void diverge_in_one_step(TrainSettings& s, DataChoice&) {
  s.optimizer.choose("sgd");
  s.learning_rate = 1e30;
  s.batch = 1000;
  s.epochs = 1;
}

}  // namespace nw::test
