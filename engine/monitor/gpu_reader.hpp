// SPDX-License-Identifier: Apache-2.0
// One GPU through NVML: what it does, and which part of that is this process.
#pragma once
#include <chrono>

#include "engine/monitor/nvml.hpp"
#include "engine/runs/events.hpp"

namespace nw {

class GpuReader {
 public:
  GpuReader() = default;
  GpuReader(const NvmlTable& table, NvmlDevice device) : table_(&table), device_(device) {}
  /// Rates are over the time since the last call. What the driver does not tell stays -1.
  GpuSample sample(const std::string& name);
  /// Since the driver was loaded.
  double energy_j() const;

 private:
  void read_load(GpuSample&) const;
  void read_own(GpuSample&);
  void read_traffic(GpuSample&);

  const NvmlTable* table_ = nullptr;
  NvmlDevice device_ = nullptr;
  unsigned long long loads_until_us_ = 0;
  double link_in_ = -1, link_out_ = -1;  // bytes, at the last look
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace nw
