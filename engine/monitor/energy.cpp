// SPDX-License-Identifier: Apache-2.0
#include "engine/monitor/energy.hpp"

#include <algorithm>
#include <fstream>

namespace nw {
namespace fs = std::filesystem;
namespace {

void add(double& used, double last, double now) {
  if (last >= 0 && now >= last) used = std::max(used, 0.0) + now - last;
}

}  // namespace

double processor_energy_j(const fs::path& powercap) {
  double joules = -1;
  std::error_code error;
  for (fs::directory_iterator it(powercap, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    // a second colon denotes a part of a package
    const bool package = name.starts_with("intel-rapl:") && name.find(':') == name.rfind(':');
    double microjoules = 0;
    if (package && std::ifstream(it->path() / "energy_uj") >> microjoules)
      joules = std::max(joules, 0.0) + microjoules * 1e-6;
  }
  return joules;
}

void EnergyMeter::read(const Energy& counters) {
  add(used_.gpu_j, last_.gpu_j, counters.gpu_j);
  add(used_.cpu_j, last_.cpu_j, counters.cpu_j);
  last_ = counters;
}

}  // namespace nw
