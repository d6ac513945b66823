// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/lane_devices.hpp"

#include <algorithm>

namespace nw::ui {
namespace {

std::vector<std::string> partsOfCpu(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("cpu:" + std::to_string(i));
  return names;
}

}  // namespace

bool isOfCpu(const std::string& device) { return device.starts_with("cpu"); }

std::vector<std::string> laneDevices(const std::vector<std::string>& chosen, std::span<const DeviceInfo> known,
                                     int count) {
  std::vector<std::string> names = chosen;
  std::erase_if(names, isOfCpu);
  if (names.empty()) return partsOfCpu(count);
  for (const DeviceInfo& info : known)
    if (info.usable && !isOfCpu(info.name) && std::find(names.begin(), names.end(), info.name) == names.end())
      names.push_back(info.name);
  if (std::ssize(names) < count) return partsOfCpu(count);
  names.resize(static_cast<std::size_t>(count));
  return names;
}

}  // namespace nw::ui
