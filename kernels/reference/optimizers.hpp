// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kernels/optimizer.hpp"

namespace nw::reference {

/// `count` elements of one weight. `state[i]` may be null: it is not stored, and 0 in every step.
struct UpdateArgs {
  float *w, *state[Optimizer::most_states];
  const float* g;
  std::int64_t count;
  Penalty penalty;
  const void* scalars;
};
using Update = void (*)(const UpdateArgs&);
/// In the order of all_optimizers().
std::span<const Update> updates();

}  // namespace nw::reference
