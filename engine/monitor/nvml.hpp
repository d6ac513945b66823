// SPDX-License-Identifier: Apache-2.0
// The driver API table of NVIDIA's management library (NVML API reference, r535): the functions that are used, filled
// by dlopen or by a fake. Types are declared here because the toolkit has no header for them.
#pragma once
#include <cstdint>

namespace nw {

struct NvmlMemory {
  unsigned long long total, free, used;
};  // bytes; nvmlMemory_t
struct NvmlUtilization {
  unsigned int gpu, memory;
};  // percent; nvmlUtilization_t
// nvmlProcessInfo_v2_t
struct NvmlProcess {
  unsigned int pid;
  unsigned long long bytes;
  unsigned int gpu_instance, compute_instance;
};
// percent; nvmlProcessUtilizationSample_t
struct NvmlProcessLoad {
  unsigned int pid;
  unsigned long long time_us;
  unsigned int processors, memory, encoder, decoder;
};
// nvmlFieldValue_t
struct NvmlField {
  unsigned int id, scope;
  long long time_us, latency_us;
  unsigned int type;
  int error;
  unsigned long long value;
};
using NvmlDevice = void*;
inline constexpr int nvml_clock_processors = 1, nvml_clock_memory = 2, nvml_pcie_out = 0, nvml_pcie_in = 1;
// KiB since the driver was loaded
inline constexpr unsigned int nvml_field_nvlink_out = 138, nvml_field_nvlink_in = 139, nvml_all_links = ~0u;

/// 0 is NVML_SUCCESS. Any function may be null (an older driver) or fail at any call.
struct NvmlTable {
  int (*init)();
  int (*shutdown)();
  int (*device_count)(unsigned int*);
  int (*device_by_index)(unsigned int, NvmlDevice*);
  int (*name)(NvmlDevice, char*, unsigned int);
  int (*memory)(NvmlDevice, NvmlMemory*);
  int (*utilization)(NvmlDevice, NvmlUtilization*);
  int (*power_mw)(NvmlDevice, unsigned int*);
  int (*temperature)(NvmlDevice, int sensor, unsigned int*);
  int (*clock_mhz)(NvmlDevice, int which, unsigned int*);
  int (*pcie_kb_per_s)(NvmlDevice, int which, unsigned int*);
  int (*fields)(NvmlDevice, int count, NvmlField*);
  int (*processes)(NvmlDevice, unsigned int* count, NvmlProcess*);
  int (*process_loads)(NvmlDevice, NvmlProcessLoad*, unsigned int* count, unsigned long long since_us);
  int (*energy_mj)(NvmlDevice, unsigned long long*);
  int (*device_by_bus_id)(const char* bus_id, NvmlDevice*);
};

}  // namespace nw
