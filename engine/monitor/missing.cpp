// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/plugin.hpp"
#include "engine/monitor/monitor.hpp"
#include "engine/monitor/nvml.hpp"

namespace nw {
namespace {

// Whether driver or GPU are missing, according to the management library; empty if both are present.
Text missing_hardware(const NvmlTable* nvml) {
  if (!nvml || nvml->init() != 0)
    return text(
        NW_TR("the NVIDIA driver does not respond; install the driver of your GPU (580 or later), or train on cpu"));
  unsigned int count = 0;
  const bool counted = nvml->device_count && nvml->device_count(&count) == 0;
  if (nvml->shutdown) nvml->shutdown();
  if (counted && count > 0) return {};
  return text(
      NW_TR("the NVIDIA driver finds no GPU; check that the card is seated and that this user may open /dev/nvidia0, "
            "or train on cpu"));
}

}  // namespace

std::vector<Text> missing_for_gpus(const NvmlTable* nvml) {
  const auto backend = backend_plugin("cuda");
  if (backend) return (*backend)->missing ? (*backend)->missing(0) : std::vector<Text>{};
  std::vector<Text> all;
  if (const Text hardware = missing_hardware(nvml); !hardware.empty()) all.push_back(hardware);
  all.push_back(backend.error().what);
  return all;
}

}  // namespace nw
