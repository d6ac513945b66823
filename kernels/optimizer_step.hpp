// SPDX-License-Identifier: Apache-2.0
// Reads the attributes of an optimizer's step, for every backend.
#pragma once
#include <array>

#include "kernels/api.hpp"
#include "kernels/optimizer.hpp"

namespace nw {

/// The hyper-parameters of a step, in the order of the record's fields; a missing attribute is the field's default.
using OptimizerValues = std::array<double, Optimizer::most_fields>;
OptimizerValues optimizer_values(const Optimizer&, const StepAttrs&);
/// True if `state` is stored with these values.
bool keeps_state(const Optimizer&, const OptimizerState& state, const OptimizerValues&);
Penalty penalty_of(const StepAttrs&);

}  // namespace nw
