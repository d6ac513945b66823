// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/proof/gpu_model.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/kernels/cuda/proof/metered_kernels.hpp"

namespace nw::proof {
namespace {

using cuda::FakeRange;

std::map<std::string, double> constants(bool second) {
  std::map<std::string, double> all;
  std::ifstream in(std::string(NW_SOURCE_DIR) + "/tests/kernels/cuda/proof/gpu_model.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream row(line);
    std::string name;
    double first = 0, other = 0;
    row >> name >> first >> other;
    all[name] = second ? other : first;
  }
  return all;
}

double bytes_of(const std::vector<FakeRange>& ranges) {
  double sum = 0;
  for (const FakeRange& r : ranges) sum += static_cast<double>(r.end - r.begin);
  return sum;
}
bool overlaps(const FakeRange& r, const std::vector<FakeRange>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const FakeRange& o) { return r.begin < o.end && o.begin < r.end; });
}
/// The share of what a launch reads that other launches touched so shortly before that L2 still holds it. The step
/// before the first launch is the same step.
double share_in_l2(const GpuModel& m, const std::vector<Cost>& launches, std::size_t at) {
  double recent = 0;
  for (const FakeRange& r : launches[at].reads) {
    double since = 0;
    for (std::size_t back = 1; back <= launches.size() && since <= m.l2_bytes; ++back) {
      const Cost& before = launches[(at + launches.size() - back) % launches.size()];
      since += before.read + before.written;
      if (since > m.l2_bytes || !(overlaps(r, before.writes) || overlaps(r, before.reads))) continue;
      recent += bytes_of({r});
      break;
    }
  }
  const double all = bytes_of(launches[at].reads);
  return all > 0 ? recent / all : 1;
}
int phases_of(const Cost& c) { return c.blocks > 0 ? metered_kernel(c.kernel.c_str()).phases : 0; }

double of_launch(const GpuModel& m, const std::vector<Cost>& launches, std::size_t at, DType precision) {
  const Cost& c = launches[at];
  const double in_l2 = share_in_l2(m, launches, at), latency = in_l2 * m.l2_latency + (1 - in_l2) * m.memory_latency;
  const double moved = c.read * in_l2 / m.l2_per_us + (c.read * (1 - in_l2) + c.written) / m.memory_per_us,
               small = (c.read * in_l2 + c.written) / m.l2_per_us + c.read * (1 - in_l2) / m.memory_per_us;
  // what is written stays in L2 until more than it holds is written
  const double bytes = c.written < m.l2_bytes / 2 ? small : moved;
  // the first load is that of an address or of the step's numbers
  const double waits = (1 + c.loads) * latency + phases_of(c) * 2 * m.shared_latency,
               accesses = c.accesses / (std::clamp(c.blocks, 1.0, m.multiprocessors) * m.accesses_per_us);
  return m.launch + std::max({waits, bytes, accesses, c.operations / m.products_per_us(precision)});
}

}  // namespace

double GpuModel::products_per_us(DType precision) const {
  return precision == DType::f32 ? fp32_per_us : precision == DType::tf32 ? tf32_per_us : fp16_per_us;
}

GpuModel gpu_model(std::string_view gpu) {
  constexpr double mega = 1e6, lanes = 32, cycles_per_us = 1e3;
  const auto c = constants(gpu == "h200");
  const double share = c.at("product_share") * mega;
  return {c.at("multiprocessors"),
          lanes * c.at("clock") * cycles_per_us,
          c.at("memory_peak") * c.at("memory_share") * mega,
          c.at("l2_rate") * mega,
          c.at("l2_size") * mega,
          c.at("fp16_peak") * share,
          c.at("tf32_peak") * share,
          c.at("fp32_peak") * share,
          c.at("launch"),
          c.at("memory_latency"),
          c.at("l2_latency"),
          c.at("shared_latency")};
}

double microseconds(const GpuModel& m, const std::vector<Cost>& launches, DType precision) {
  double sum = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) sum += of_launch(m, launches, i, precision);
  return sum;
}

}  // namespace nw::proof
