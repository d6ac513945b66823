// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 with four GPUs whose power is 200 W each.
#include <chrono>
#include <cstdio>

#include "engine/monitor/nvml.hpp"

#define NW_NVML extern "C" __attribute__((visibility("default"))) int

NW_NVML nvmlInit_v2() { return 0; }
NW_NVML nvmlShutdown() { return 0; }
NW_NVML nvmlDeviceGetCount_v2(unsigned int* count) { return *count = 4, 0; }
NW_NVML nvmlDeviceGetHandleByIndex_v2(unsigned int index, nw::NvmlDevice* device) {
  static int devices[4];
  return *device = &devices[index], 0;
}
NW_NVML nvmlDeviceGetHandleByPciBusId_v2(const char* id, nw::NvmlDevice* device) {
  unsigned int bus = 0;
  return std::sscanf(id, "0000:%x:00.0", &bus) == 1 ? nvmlDeviceGetHandleByIndex_v2(bus - 0x10, device) : 6;
}
NW_NVML nvmlDeviceGetName(nw::NvmlDevice, char* name, unsigned int size) {
  return std::snprintf(name, size, "Fake GPU"), 0;
}
NW_NVML nvmlDeviceGetMemoryInfo(nw::NvmlDevice, nw::NvmlMemory* memory) {
  return *memory = {8ull << 30, 7ull << 30, 1ull << 30}, 0;
}
NW_NVML nvmlDeviceGetUtilizationRates(nw::NvmlDevice, nw::NvmlUtilization* u) { return *u = {50, 10}, 0; }
NW_NVML nvmlDeviceGetPowerUsage(nw::NvmlDevice, unsigned int* mw) { return *mw = 200000, 0; }
NW_NVML nvmlDeviceGetTotalEnergyConsumption(nw::NvmlDevice, unsigned long long* mj) {
  static const auto begin = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return *mj = 1000 + static_cast<unsigned long long>(200000 * seconds), 0;
}
