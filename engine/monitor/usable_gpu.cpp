// SPDX-License-Identifier: Apache-2.0
#include "engine/monitor/usable_gpu.hpp"

#include <algorithm>

namespace nw {

std::string first_usable_gpu(const std::vector<DeviceInfo>& devices) {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [](const DeviceInfo& d) { return d.usable && d.name.starts_with("cuda"); });
  return found == devices.end() ? "" : found->name;
}

}  // namespace nw
