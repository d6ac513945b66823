// SPDX-License-Identifier: Apache-2.0
// CPU and memory from /proc, GPUs through NVML's border table (absent without complaint).
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/runs/events.hpp"

namespace nw {

/// NVML's functions as a table: filled by dlopen("libnvidia-ml.so.1"), or by a fake with four GPUs.
struct NvmlTable;
/// Null when there is no driver.
const NvmlTable* load_nvml();

/// Joules since some moment in the past; only differences mean something. -1: not readable.
struct Energy {
  double gpu_j = -1, cpu_j = -1;
};

class Monitor {
 public:
  /// `powercap`: where the kernel shows the processors' energy counters (RAPL), mostly to root alone.
  explicit Monitor(const NvmlTable* nvml = load_nvml(), const std::filesystem::path& powercap = "/sys/class/powercap");
  ~Monitor();
  /// Utilisation is over the time since the last call. One thread at a time.
  DeviceSample sample();
  /// Of these GPUs together, whoever uses them, and of all processors. Counters of processors run over after some
  /// minutes to hours: EnergyMeter adds them up.
  Energy energy(const std::vector<int>& gpus) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One line of `devices`: what could train here.
struct DeviceInfo {
  std::string name, description;
  std::int64_t memory_bytes = 0;
  bool usable = true;
  Text why_not;
};
std::vector<DeviceInfo> list_devices(const NvmlTable* nvml = load_nvml());

/// What training on GPUs lacks on this machine and how to get it, one sentence each: driver, device, plug-in, and
/// whatever the plug-in itself misses. Empty: nothing.
std::vector<Text> missing_for_gpus(const NvmlTable* nvml = load_nvml());

}  // namespace nw
