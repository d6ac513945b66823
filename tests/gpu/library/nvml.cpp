// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 with GPUs of 8 GiB whose power is 200 W each. NETWRIGHT_FAKE_GPU_COUNT is their number (4),
// NETWRIGHT_FAKE_GPU_LOAD their utilization in percent and of their memory (50). Those before NETWRIGHT_FAKE_GPU_FIRST,
// which the driver does not show, use no energy. The management library shows all.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "engine/monitor/nvml.hpp"

#define NW_NVML extern "C" __attribute__((visibility("default"))) int

namespace {
unsigned number(const char* variable, unsigned otherwise) {
  const char* told = std::getenv(variable);
  return told && *told ? static_cast<unsigned>(std::atoi(told)) : otherwise;
}
unsigned first() { return number("NETWRIGHT_FAKE_GPU_FIRST", 0); }
unsigned gpus() { return first() + number("NETWRIGHT_FAKE_GPU_COUNT", 4); }
int devices[16];
unsigned load() { return number("NETWRIGHT_FAKE_GPU_LOAD", 50); }
}  // namespace

NW_NVML nvmlInit_v2() { return 0; }
NW_NVML nvmlShutdown() { return 0; }
NW_NVML nvmlDeviceGetCount_v2(unsigned int* count) { return *count = gpus(), 0; }
NW_NVML nvmlDeviceGetHandleByIndex_v2(unsigned int index, nw::NvmlDevice* device) {
  if (index >= gpus() || index >= 16) return 6;  // NVML_ERROR_NOT_FOUND
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
  const unsigned long long total = 8ull << 30, used = load() == 50 ? 1ull << 30 : total / 100 * load();
  return *memory = {total, total - used, used}, 0;
}
NW_NVML nvmlDeviceGetUtilizationRates(nw::NvmlDevice, nw::NvmlUtilization* u) { return *u = {load(), 10}, 0; }
NW_NVML nvmlDeviceGetPowerUsage(nw::NvmlDevice, unsigned int* mw) { return *mw = 200000, 0; }
NW_NVML nvmlDeviceGetTotalEnergyConsumption(nw::NvmlDevice device, unsigned long long* mj) {
  if (device < static_cast<void*>(&devices[first()])) return *mj = 1000, 0;
  static const auto begin = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return *mj = 1000 + static_cast<unsigned long long>(200000 * seconds), 0;
}
