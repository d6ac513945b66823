// SPDX-License-Identifier: Apache-2.0
// The parameters of an element kernel's step.
#pragma once
#include "kernels/api.hpp"
#include "kernels/math/element.hpp"

namespace nw {

/// The step's attributes that Formula::info names; where the step has none, the defaults.
template <class Formula, class S>
math::Parameters<S> element_parameters(const StepAttrs& attrs) {
  math::Parameters<S> values;
  for (int i = 0; i < math::parameter_count<Formula>; ++i) {
    const math::Parameter& p = Formula::info.parameters[i];
    values.v[i] = static_cast<S>(real_attr(attrs, p.name, p.otherwise));
  }
  return values;
}

}  // namespace nw
