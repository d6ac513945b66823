// SPDX-License-Identifier: Apache-2.0
// How much energy a run takes: counters of GPUs (NVML) and processors (RAPL, Linux powercap), added up as they are
// read.
#pragma once
#include <filesystem>

#include "engine/monitor/monitor.hpp"

namespace nw {

/// Joules on the counters of all processor packages, "intel-rapl:0", "intel-rapl:1", …; -1: none is readable.
double processor_energy_j(const std::filesystem::path& powercap);

/// Sums what counters say from reading to reading. A counter that runs over, or is not readable for a while, loses that
/// stretch.
class EnergyMeter {
 public:
  void read(const Energy& counters);
  /// Since the first reading; -1: never readable twice.
  const Energy& used() const { return used_; }

 private:
  Energy last_, used_;
};

}  // namespace nw
