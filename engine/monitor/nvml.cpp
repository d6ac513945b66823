// SPDX-License-Identifier: Apache-2.0
#include "engine/monitor/nvml.hpp"

#include <dlfcn.h>

#include "engine/monitor/monitor.hpp"

namespace nw {
namespace {

template <class F>
void find(void* library, const char* symbol, F& function) {
  function = reinterpret_cast<F>(::dlsym(library, symbol));
}

}  // namespace

const NvmlTable* load_nvml() {
  static const NvmlTable* table = []() -> const NvmlTable* {
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return nullptr;
    static NvmlTable t{};
    find(library, "nvmlInit_v2", t.init);
    find(library, "nvmlShutdown", t.shutdown);
    find(library, "nvmlDeviceGetCount_v2", t.device_count);
    find(library, "nvmlDeviceGetHandleByIndex_v2", t.device_by_index);
    find(library, "nvmlDeviceGetName", t.name);
    find(library, "nvmlDeviceGetMemoryInfo", t.memory);
    find(library, "nvmlDeviceGetUtilizationRates", t.utilization);
    find(library, "nvmlDeviceGetPowerUsage", t.power_mw);
    find(library, "nvmlDeviceGetTemperature", t.temperature);
    find(library, "nvmlDeviceGetClockInfo", t.clock_mhz);
    find(library, "nvmlDeviceGetPcieThroughput", t.pcie_kb_per_s);
    find(library, "nvmlDeviceGetFieldValues", t.fields);
    find(library, "nvmlDeviceGetComputeRunningProcesses_v3", t.processes);
    find(library, "nvmlDeviceGetProcessUtilization", t.process_loads);
    find(library, "nvmlDeviceGetTotalEnergyConsumption", t.energy_mj);
    find(library, "nvmlDeviceGetHandleByPciBusId_v2", t.device_by_bus_id);
    return t.init && t.device_count && t.device_by_index ? &t : nullptr;
  }();
  return table;
}

}  // namespace nw
