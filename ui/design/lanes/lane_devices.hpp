// SPDX-License-Identifier: GPL-3.0-or-later
// The devices that compute the stages of a network.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/monitor/monitor.hpp"

namespace nw::ui {

/// A processor or a part of it; the others are GPUs.
bool isOfCpu(const std::string& device);

/// `count` devices of the kind of `chosen`: GPUs that can be used, the chosen ones first; or parts of the processor,
/// also where `known` has not as many GPUs.
std::vector<std::string> laneDevices(const std::vector<std::string>& chosen, std::span<const DeviceInfo> known,
                                     int count);

}  // namespace nw::ui
