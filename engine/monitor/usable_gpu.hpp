// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/monitor/monitor.hpp"

namespace nw {

/// The first GPU that can train; "": there is none.
std::string first_usable_gpu(const std::vector<DeviceInfo>&);

}  // namespace nw
