// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "kernels/api.hpp"

namespace nw {

/// Initial values of a weight or buffer, in host layout. They depend only on the seed and the value's name, so that
/// neither the order of layers nor the device changes them. Distributions are PyTorch's defaults: "kaiming_uniform"
/// with a = sqrt(5) (He et al. 2015) and "bias_uniform" are both uniform in ±1/sqrt(fan_in). Errc::other: an unknown
/// `init`.
Status initial_values(const Value&, std::uint64_t seed, std::span<float> out);

}  // namespace nw
