// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace nw {

/// Netwright's version: "0.1.0".
std::string version();

}  // namespace nw
