// SPDX-License-Identifier: Apache-2.0
#include "engine/monitor/monitor.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "engine/backend/devices.hpp"
#include "engine/backend/plugin.hpp"
#include "engine/monitor/energy.hpp"
#include "engine/monitor/gpu_reader.hpp"
#include "engine/monitor/nvml.hpp"

namespace nw {
namespace {

/// Ticks of all processors, from the first line of /proc/stat (proc(5)).
struct Ticks {
  std::uint64_t busy = 0, all = 0, own = 0;
};

Ticks read_ticks() {
  Ticks t;
  std::ifstream stat("/proc/stat");
  std::string word;
  stat >> word;
  for (int i = 0; i < 8; ++i) {
    std::uint64_t ticks = 0;
    stat >> ticks;
    t.all += ticks;
    if (i != 3 && i != 4) t.busy += ticks;  // neither idle nor waiting for a disk
  }
  std::ifstream self("/proc/self/stat");
  std::string line;
  std::getline(self, line);
  std::istringstream rest(line.substr(std::min(line.size(), line.rfind(')') + 1)));
  std::uint64_t user = 0, system = 0;
  for (int field = 3; field < 14 && rest >> word; ++field) {}
  if (rest >> user >> system) t.own = user + system;
  return t;
}

/// The value of a line "Name: 123 kB" of a file in /proc, in bytes; -1 if the line is missing.
double kilobytes(const char* file, const std::string& name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(name)) return 1024.0 * std::atof(line.c_str() + name.size());
  return -1;
}

struct Gpu {
  NvmlDevice device;
  std::string name;
  int index = 0;
  GpuReader reader;
};

std::vector<Gpu> find_gpus(const NvmlTable& t, bool knows_own_pid) {
  std::vector<Gpu> gpus;
  unsigned int count = 0;
  if (t.device_count(&count) != 0) return gpus;
  for (unsigned int i = 0; i < std::min(count, 64u); ++i) {
    Gpu g{};
    char name[96] = {};
    if (t.device_by_index(i, &g.device) != 0) continue;
    if (!t.name || t.name(g.device, name, sizeof name - 1) != 0) name[0] = '\0';
    g.name = name[0] ? name : "GPU " + std::to_string(i);
    g.index = static_cast<int>(i);  // differs from the position in `gpus` if an earlier GPU does not respond
    g.reader = GpuReader(t, g.device, knows_own_pid);
    gpus.push_back(std::move(g));
  }
  return gpus;
}

/// The GPUs at `bus_ids` in this order, numbered from 0, then the others; unchanged if one of them is not found.
std::vector<Gpu> ordered(std::vector<Gpu> gpus, const NvmlTable& t, const std::vector<std::string>& bus_ids) {
  std::vector<NvmlDevice> first;
  for (const std::string& id : bus_ids) {
    NvmlDevice device = nullptr;
    if (!t.device_by_bus_id || id.empty() || t.device_by_bus_id(id.c_str(), &device) != 0) return gpus;
    first.push_back(device);
  }
  const auto rank = [&](const Gpu& g) { return std::find(first.begin(), first.end(), g.device) - first.begin(); };
  if (first.empty()) return gpus;
  std::stable_sort(gpus.begin(), gpus.end(), [&](const Gpu& a, const Gpu& b) { return rank(a) < rank(b); });
  auto other = static_cast<int>(first.size());
  for (Gpu& g : gpus) g.index = rank(g) < std::ssize(first) ? static_cast<int>(rank(g)) : other++;
  return gpus;
}

}  // namespace

struct Monitor::State {
  const NvmlTable* nvml = nullptr;
  std::vector<Gpu> gpus;
  std::filesystem::path powercap;
  Ticks last = read_ticks();
  double cpu = -1, process_cpu = -1;  // per cent, most recently reported; -1: not yet

  /// Null: there is no such GPU.
  const GpuReader* reader_of(int index) const {
    const auto gpu = std::find_if(gpus.begin(), gpus.end(), [index](const Gpu& g) { return g.index == index; });
    return gpu == gpus.end() ? nullptr : &gpu->reader;
  }
};

// Ticks of all processors between two readings. The process' ticks are counted separately, and with fewer ticks the
// ratio is too inaccurate.
constexpr double least_ticks = 8;

Monitor::Monitor(const NvmlTable* nvml, const std::filesystem::path& powercap, bool knows_own_pid)
    : state_(std::make_unique<State>()) {
  state_->powercap = powercap;
  if (!nvml || nvml->init() != 0) return;
  state_->nvml = nvml;
  state_->gpus = find_gpus(*nvml, knows_own_pid);
}

Monitor::~Monitor() {
  if (state_->nvml && state_->nvml->shutdown) state_->nvml->shutdown();
}

void Monitor::put_first(const std::vector<std::string>& bus_ids) {
  if (state_->nvml) state_->gpus = ordered(std::move(state_->gpus), *state_->nvml, bus_ids);
}

DeviceSample Monitor::sample() {
  DeviceSample s;
  const Ticks now = read_ticks();
  if (const auto all = static_cast<double>(now.all - state_->last.all); all >= least_ticks) {
    state_->cpu = 100.0 * static_cast<double>(now.busy - state_->last.busy) / all;
    state_->process_cpu = std::min(100.0, 100.0 * static_cast<double>(now.own - state_->last.own) / all);
    state_->last = now;
  }
  s.cpu = state_->cpu;
  s.process_cpu = state_->process_cpu;
  s.memory_total_bytes = kilobytes("/proc/meminfo", "MemTotal:");
  const double available = kilobytes("/proc/meminfo", "MemAvailable:");
  if (available >= 0) s.memory_used_bytes = s.memory_total_bytes - available;
  s.process_memory_bytes = kilobytes("/proc/self/status", "VmRSS:");
  for (Gpu& g : state_->gpus) s.gpus.push_back(g.reader.sample(g.name));
  return s;
}

Energy Monitor::energy(const std::vector<int>& gpus) const {
  Energy e{-1, processor_energy_j(state_->powercap)};
  for (const int i : gpus) {
    const GpuReader* gpu = state_->reader_of(i);
    const double j = gpu ? gpu->energy_j() : -1;
    if (j < 0) return {-1, e.cpu_j};  // a sum without one of the GPUs would be wrong
    e.gpu_j = std::max(e.gpu_j, 0.0) + j;
  }
  return e;
}

double Monitor::utilization(int gpu) const {
  const GpuReader* reader = state_->reader_of(gpu);
  return reader ? reader->utilization() : -1;
}

namespace {

/// The GPUs as the command-line program lists them, for a process that must not load a driver.
std::vector<DeviceInfo> listed_by_command_line() {
  std::vector<DeviceInfo> all;
  for (const ReportedGpu& gpu : reported_gpus())
    all.push_back({gpu.name, gpu.description, gpu.memory_bytes, gpu.why_not.empty(), gpu.why_not});
  return all;
}

std::vector<DeviceInfo> listed_here(const NvmlTable& nvml, const std::vector<Gpu>& gpus) {
  std::vector<DeviceInfo> all;
  const auto unusable = gpus.empty() ? std::map<std::string, Text>{} : unusable_gpus(static_cast<int>(gpus.size()));
  for (const Gpu& g : gpus) {
    NvmlMemory memory{};
    if (nvml.memory) (void)nvml.memory(g.device, &memory);
    DeviceInfo gpu{.name = "cuda:" + std::to_string(g.index),
                   .description = g.name,
                   .memory_bytes = static_cast<std::int64_t>(memory.total)};
    if (const auto it = unusable.find(gpu.name); it != unusable.end()) {
      gpu.usable = false;
      gpu.why_not = it->second;
    }
    all.push_back(std::move(gpu));
  }
  return all;
}

}  // namespace

std::vector<DeviceInfo> list_devices(const NvmlTable* nvml) {
  std::vector<DeviceInfo> all;
  for (const auto& device : cpu_backend().devices())
    all.push_back(
        {.name = device->name(), .description = device->description(), .memory_bytes = device->memory_bytes()});
  if (!nvml || nvml->init() != 0) return all;
  const std::vector<Gpu> gpus = find_gpus(*nvml, true);
  std::vector<DeviceInfo> found;
  if (!gpus.empty() && !loads_plugins()) found = listed_by_command_line();
  if (found.empty() && !gpus.empty()) found = listed_here(*nvml, ordered(gpus, *nvml, bus_ids_of_gpus()));
  std::move(found.begin(), found.end(), std::back_inserter(all));
  if (nvml->shutdown) nvml->shutdown();
  return all;
}

}  // namespace nw
