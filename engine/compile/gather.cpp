// SPDX-License-Identifier: Apache-2.0
// Moves the steps that the device can run concurrently to the end of the backward pass, where one step uses the threads
// that another leaves idle.
#include <algorithm>

#include "engine/compile/context.hpp"

namespace nw::compiling {

void gather_weight_gradients(Plan& plan, const Device& device) {
  const auto end =
      std::find_if(plan.steps.begin(), plan.steps.end(), [](const Step& s) { return s.phase > Phase::backward; });
  std::stable_partition(plan.steps.begin(), end, [&](const Step& s) { return !device.gathers(plan, s); });
}

}  // namespace nw::compiling
