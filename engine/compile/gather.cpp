// SPDX-License-Identifier: Apache-2.0
// Small steps side by side at the end of the backward pass: what one of them leaves of the processors the next one
// takes.
#include <algorithm>

#include "engine/compile/context.hpp"

namespace nw::compiling {

void gather_weight_gradients(Plan& plan, const Device& device) {
  const auto end =
      std::find_if(plan.steps.begin(), plan.steps.end(), [](const Step& s) { return s.phase > Phase::backward; });
  std::stable_partition(plan.steps.begin(), end, [&](const Step& s) { return !device.gathers(plan, s); });
}

}  // namespace nw::compiling
