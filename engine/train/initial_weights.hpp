// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "kernels/api.hpp"

namespace nw {

/// Initial values of a weight or buffer, in host layout. They depend only on the seed and the value's name, so that
/// neither the order of layers nor the device changes them. Distributions are PyTorch's defaults: "kaiming_uniform"
/// with a = sqrt(5) (He et al. 2015) and "bias_uniform" are both uniform in ±1/sqrt(fan_in). "constant V": all are V;
/// "normal D": normally distributed with the standard deviation D. Errc::other: an unknown `init`.
Status initial_values(const Value&, std::uint64_t seed, std::span<float> out);

/// The name of a weight, buffer or optimizer state in files. A parameter that a layer has by its own name, "scale.", is
/// "scale" there, as in PyTorch.
inline std::string name_in_files(const std::string& name) {
  return name.ends_with('.') ? name.substr(0, name.size() - 1) : name;
}
inline std::string name_in_files(const Value& v) { return name_in_files(v.name); }

}  // namespace nw
