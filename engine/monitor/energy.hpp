// SPDX-License-Identifier: Apache-2.0
// The energy used by a run: counters of GPUs (NVML) and processors (RAPL, Linux powercap), accumulated between
// readings.
#pragma once
#include <filesystem>

#include "engine/monitor/monitor.hpp"

namespace nw {

/// The sum of the counters of all processor packages, "intel-rapl:0", "intel-rapl:1", …, in joules; -1: none is
/// readable.
double processor_energy_j(const std::filesystem::path& powercap);

/// Sums the differences between readings. If a counter overflows or is temporarily not readable, that interval is not
/// counted.
class EnergyMeter {
 public:
  void read(const Energy& counters);
  /// Joules since the first reading; -1: there were no two readings.
  const Energy& used() const { return used_; }

 private:
  Energy last_, used_;
};

}  // namespace nw
