// SPDX-License-Identifier: Apache-2.0
// What tests see and change of a training.
#pragma once
#include "engine/train/training.hpp"

namespace nw {

struct TrainingSeam {
  /// While no other thread trains: before Training::run(), or in what an event of the training's thread calls.
  static TrainingState& state(Training& training) { return training.state_; }
};

}  // namespace nw
