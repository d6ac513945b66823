// SPDX-License-Identifier: Apache-2.0
// The weights of a checkpoint, put into a network that is only run forward.
#pragma once
#include "engine/io/safetensors.hpp"
#include "kernels/api.hpp"

namespace nw {

/// The size of a plan's weights in a file, and whether a tensor of a file has the shape and type of a weight.
std::uint64_t weight_bytes(const Plan&);
bool is_of(const TensorInfo& tensor, const Value& value);

/// Writes every weight and buffer of the plan. Errc::bad_input, with `where` at its beginning: one is missing or does
/// not fit.
Status read_weights(const SafetensorsFile& model, const Plan&, Executable&, const std::string& where);
/// The loss step of a forward plan reads labels or targets although nobody asks for its result.
void write_zero_labels(const Plan&, Executable&);

}  // namespace nw
