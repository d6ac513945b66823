// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace nw {

/// The name of an instance's k-th repeat, which is the prefix of its weights' names. "layer1" repeated twice: layer1.0,
/// layer1.1; "layer2.1" repeated twice: layer2.1, layer2.2.
std::string instance_name(const std::string& name, std::int64_t repeat, std::int64_t k);

}  // namespace nw
