// SPDX-License-Identifier: Apache-2.0
// Finds the first tensor of a step that is not finite. Only used after such a step, which has changed no weight, so it
// may take the time of a step and additional memory.
#pragma once
#include <optional>
#include <string>

#include "engine/runs/events.hpp"
#include "kernels/api.hpp"

namespace nw {

/// The same plan with separate memory for every value, so that all values can be read after the step.
Plan keep_every_value(Plan, const Device&);
/// The first tensor in the order of computation: weights that earlier updates made not finite, images, outputs,
/// gradients; nullopt: all are finite. Checks the first `valid` samples.
std::optional<NotFinite> first_not_finite(const Plan&, const Executable&, std::int64_t valid);
/// Of a step whose tensors are all finite: the weight whose gradient is largest, as the first one to leave the range of
/// numbers by the update.
NotFinite largest_update(const Plan&, const Executable&);
/// One sentence; `step` is 1-based. What becomes of the weights is part of it.
Text sentence_of(const NotFinite&, std::int64_t step);

}  // namespace nw
