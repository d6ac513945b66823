// SPDX-License-Identifier: Apache-2.0
// The border to NVIDIA's management library (NVML API reference, r535): the few functions we call, as a table filled by dlopen or
// by a fake. Types are declared here because the toolkit ships no header.
#pragma once
#include <cstdint>

namespace nw {

struct NvmlMemory { unsigned long long total, free, used; };          // bytes; nvmlMemory_t
struct NvmlUtilization { unsigned int gpu, memory; };                 // percent; nvmlUtilization_t
using NvmlDevice = void*;

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
};

}  // namespace nw
