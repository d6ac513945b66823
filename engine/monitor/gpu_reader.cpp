// SPDX-License-Identifier: Apache-2.0
#include "engine/monitor/gpu_reader.hpp"

#include "engine/monitor/monitor.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;
constexpr unsigned int most_processes = 256;

/// The rate of a counter per second; -1 if one of the two readings is missing.
double rate(double now, double before, double seconds) {
  return now >= 0 && before >= 0 && now >= before && seconds > 0 ? (now - before) / seconds : -1;
}

}  // namespace

GpuSample GpuReader::sample(const std::string& name) {
  GpuSample g{.name = name};
  read_load(g);
  read_own(g);
  read_traffic(g);
  return g;
}

void GpuReader::read_load(GpuSample& g) const {
  const NvmlTable& t = *table_;
  NvmlMemory memory{};
  unsigned int number = 0;
  if (t.memory && t.memory(device_, &memory) == 0) {
    g.memory_used_bytes = static_cast<double>(memory.used);
    g.memory_total_bytes = static_cast<double>(memory.total);
  }
  g.utilization = utilization();
  if (t.power_mw && t.power_mw(device_, &number) == 0) g.power_w = number / 1000.0;
  if (t.temperature && t.temperature(device_, 0, &number) == 0) g.temperature_c = number;
  if (t.clock_mhz && t.clock_mhz(device_, nvml_clock_processors, &number) == 0) g.processor_mhz = number;
  if (t.clock_mhz && t.clock_mhz(device_, nvml_clock_memory, &number) == 0) g.memory_mhz = number;
}

// The number of the first namespace of process numbers in the kernel: PROC_PID_INIT_INO (include/linux/proc_ns.h).
bool has_machine_pids(const std::filesystem::path& own_namespace) {
  std::error_code error;
  return std::filesystem::read_symlink(own_namespace, error) == "pid:[4026531836]";
}

// If the driver lists the processes on the GPU and this process is not among them: 0, or unknown where its number is
// another one in that list.
void GpuReader::read_own(GpuSample& g) {
  const auto own = static_cast<unsigned int>(::getpid());
  std::array<NvmlProcess, most_processes> all{};
  unsigned int count = most_processes;
  if (table_->processes && table_->processes(device_, &count, all.data()) == 0) {
    double bytes = knows_own_pid_ ? 0 : -1;
    for (unsigned int i = 0; i < std::min(count, most_processes); ++i)
      if (all[i].pid == own) bytes = std::max(bytes, 0.0) + static_cast<double>(all[i].bytes);
    g.process_memory_bytes = bytes;
  }
  std::array<NvmlProcessLoad, most_processes> loads{};
  count = most_processes;
  if (!table_->process_loads || table_->process_loads(device_, loads.data(), &count, loads_until_us_) != 0) return;
  if (knows_own_pid_) g.process_utilization = 0;
  unsigned long long newest = 0;
  for (unsigned int i = 0; i < std::min(count, most_processes); ++i) {
    loads_until_us_ = std::max(loads_until_us_, loads[i].time_us);
    if (loads[i].pid != own || loads[i].time_us < newest) continue;
    newest = loads[i].time_us;
    g.process_utilization = loads[i].processors;
  }
}

void GpuReader::read_traffic(GpuSample& g) {
  unsigned int kb = 0;
  if (table_->pcie_kb_per_s && table_->pcie_kb_per_s(device_, nvml_pcie_in, &kb) == 0)
    g.pcie_in_bytes_per_s = 1000.0 * kb;
  if (table_->pcie_kb_per_s && table_->pcie_kb_per_s(device_, nvml_pcie_out, &kb) == 0)
    g.pcie_out_bytes_per_s = 1000.0 * kb;
  NvmlField fields[2] = {{.id = nvml_field_nvlink_in, .scope = nvml_all_links},
                         {.id = nvml_field_nvlink_out, .scope = nvml_all_links}};
  const bool available = table_->fields && table_->fields(device_, 2, fields) == 0;
  const auto bytes = [&](const NvmlField& f) {
    return available && f.error == 0 ? 1024.0 * static_cast<double>(f.value) : -1;
  };
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - last_read_).count(), in = bytes(fields[0]),
               out = bytes(fields[1]);
  g.nvlink_in_bytes_per_s = rate(in, link_in_, seconds);
  g.nvlink_out_bytes_per_s = rate(out, link_out_, seconds);
  link_in_ = in;
  link_out_ = out;
  last_read_ = now;
}

double GpuReader::utilization() const {
  NvmlUtilization now{};
  return table_->utilization && table_->utilization(device_, &now) == 0 ? static_cast<double>(now.gpu) : -1.0;
}

double GpuReader::energy_j() const {
  unsigned long long mj = 0;
  return table_->energy_mj && table_->energy_mj(device_, &mj) == 0 ? static_cast<double>(mj) / 1000 : -1;
}

}  // namespace nw
