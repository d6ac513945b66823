// SPDX-License-Identifier: Apache-2.0
// CPU and memory from /proc, GPUs through NVML's driver API table (no error if it is missing).
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/runs/events.hpp"

namespace nw {

/// NVML's functions as a table, filled by dlopen("libnvidia-ml.so.1") or by a fake with four GPUs.
struct NvmlTable;
/// Null if there is no driver.
const NvmlTable* load_nvml();

/// Whether process numbers here are those of the machine, as in the driver's lists: not so in a container.
/// `own_namespace`: a link such as /proc/self/ns/pid.
bool has_machine_pids(const std::filesystem::path& own_namespace = "/proc/self/ns/pid");

/// Joules since an arbitrary time; only differences are meaningful. -1: not readable.
struct Energy {
  double gpu_j = -1, cpu_j = -1;
};

class Monitor {
 public:
  /// `powercap`: the folder of the processors' energy counters (RAPL), usually readable only by root. `knows_own_pid`:
  /// the driver lists this process by the number it has here.
  explicit Monitor(const NvmlTable* nvml = load_nvml(), const std::filesystem::path& powercap = "/sys/class/powercap",
                   bool knows_own_pid = has_machine_pids());
  ~Monitor();
  /// The GPUs at these places on the PCI bus are cuda:0, cuda:1, … and come first, in this order. Without a call, or if
  /// one of them is unknown to NVML, the order is NVML's: CUDA_VISIBLE_DEVICES, and GPUs that are too old, make them
  /// differ. Not after the first sample().
  void put_first(const std::vector<std::string>& bus_ids);
  /// Utilization since the last call. One thread at a time.
  DeviceSample sample();
  /// Energy of these GPUs (2: cuda:2), including other processes, and of all processors. The counters of processors
  /// overflow after minutes to hours: EnergyMeter accumulates them.
  Energy energy(const std::vector<int>& gpus) const;
  /// Per cent of the time in which the GPU computed lately, for any process; -1: not known. Quicker than sample(),
  /// which waits 40 ms for each GPU's traffic.
  double utilization(int gpu) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One line of `devices`: a device for training.
struct DeviceInfo {
  std::string name, description;
  std::int64_t memory_bytes = 0;
  bool usable = true;
  Text why_not;
};
std::vector<DeviceInfo> list_devices(const NvmlTable* nvml = load_nvml());

/// The missing requirements for training on GPUs on this machine with instructions, one sentence each: driver, device,
/// plug-in, and libraries of the plug-in. Empty: nothing is missing.
std::vector<Text> missing_for_gpus(const NvmlTable* nvml = load_nvml());

}  // namespace nw
