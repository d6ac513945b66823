// SPDX-License-Identifier: Apache-2.0
// Reads one GPU through NVML: its load, and the part of this process.
#pragma once
#include <chrono>

#include "engine/monitor/nvml.hpp"
#include "engine/runs/events.hpp"

namespace nw {

class GpuReader {
 public:
  GpuReader() = default;
  GpuReader(const NvmlTable& table, NvmlDevice device, bool knows_own_pid)
      : table_(&table), device_(device), knows_own_pid_(knows_own_pid) {}
  /// Rates refer to the time since the last call. Quantities that the driver does not report are -1.
  GpuSample sample(const std::string& name);
  /// Joules since the driver was loaded.
  double energy_j() const;
  /// Per cent; -1: not known.
  double utilization() const;

 private:
  void read_load(GpuSample&) const;
  void read_own(GpuSample&);
  void read_traffic(GpuSample&);

  const NvmlTable* table_ = nullptr;
  NvmlDevice device_ = nullptr;
  bool knows_own_pid_ = true;  // false: this process has another number in the driver's lists
  unsigned long long loads_until_us_ = 0;
  double link_in_ = -1, link_out_ = -1;  // bytes, at the last reading
  std::chrono::steady_clock::time_point last_read_{};
};

}  // namespace nw
