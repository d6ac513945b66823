// SPDX-License-Identifier: Apache-2.0
#include "engine/monitor/monitor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

#include "engine/backend/plugin.hpp"
#include "engine/monitor/energy.hpp"
#include "engine/monitor/nvml.hpp"
#include "engine/monitor/usable_gpu.hpp"

namespace nw {
namespace {
namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// A fake NVML with four GPUs; each function can fail for one GPU or for all.
struct FakeDriver {
  unsigned int gpus = 4;
  int inits = 0, shutdowns = 0;
  bool init_fails = false, count_fails = false;
  std::set<unsigned int> gone;    // lost from the bus: every call for this GPU fails
  std::set<std::string> failing;  // functions that fail for every GPU
  unsigned long long link_kib = 1 << 20, energy_mj = 5000, requested_since = 1;
} driver;
constexpr int not_supported = 3, gpu_lost = 15;

unsigned int index_of(NvmlDevice d) { return static_cast<unsigned int>(reinterpret_cast<std::uintptr_t>(d) - 100); }
int trouble(NvmlDevice d, const char* function) {
  return driver.gone.contains(index_of(d)) ? gpu_lost : driver.failing.contains(function) ? not_supported : 0;
}

int fake_init() { return ++driver.inits, driver.init_fails ? 9 : 0; }
int fake_shutdown() { return ++driver.shutdowns, 0; }
int fake_count(unsigned int* n) { return *n = driver.gpus, driver.count_fails ? 999 : 0; }
int fake_handle(unsigned int i, NvmlDevice* d) {
  return *d = reinterpret_cast<NvmlDevice>(static_cast<std::uintptr_t>(100 + i)), trouble(*d, "handle");
}
int fake_name(NvmlDevice d, char* to, unsigned int size) {
  if (const int t = trouble(d, "name")) return t;
  std::snprintf(to, size, "NVIDIA Test %u", index_of(d));
  return 0;
}
int fake_memory(NvmlDevice d, NvmlMemory* m) {
  return *m = {80ull << 30, 0, (index_of(d) + 1ull) << 30}, trouble(d, "memory");
}
int fake_utilization(NvmlDevice d, NvmlUtilization* u) {
  return *u = {10 * index_of(d) + 5, 1}, trouble(d, "utilization");
}
int fake_power(NvmlDevice d, unsigned int* mw) { return *mw = 250500 + index_of(d), trouble(d, "power"); }
int fake_temperature(NvmlDevice d, int, unsigned int* c) { return *c = 60 + index_of(d), trouble(d, "temperature"); }

int fake_clock(NvmlDevice d, int which, unsigned int* mhz) {
  return *mhz = which == nvml_clock_processors ? 1980 + index_of(d) : 3201, trouble(d, "clock");
}
int fake_pcie(NvmlDevice d, int which, unsigned int* kb) {
  return *kb = which == nvml_pcie_in ? 5000 + index_of(d) : 70, trouble(d, "pcie");
}
int fake_fields(NvmlDevice d, int count, NvmlField* fields) {
  for (int i = 0; i < count; ++i) {
    fields[i].error = fields[i].scope == nvml_all_links ? 0 : 2;
    fields[i].value = fields[i].id == nvml_field_nvlink_in ? driver.link_kib : 2 * driver.link_kib;
  }
  return trouble(d, "fields");
}
/// Another process on every GPU; this process on GPUs 1 and 2, listed twice on each.
int fake_processes(NvmlDevice d, unsigned int* count, NvmlProcess* all) {
  const auto own = static_cast<unsigned int>(::getpid());
  unsigned int n = 0;
  all[n++] = {own + 1, 7ull << 30, 0, 0};
  if (index_of(d) == 1 || index_of(d) == 2) all[n++] = {own, 3ull << 30, 0, 0};
  if (index_of(d) == 2) all[n++] = {own, 1ull << 30, 0, 0};
  return *count = n, trouble(d, "processes");
}
int fake_loads(NvmlDevice d, NvmlProcessLoad* all, unsigned int* count, unsigned long long since) {
  const auto own = static_cast<unsigned int>(::getpid());
  driver.requested_since = since;
  all[0] = {own + 1, 900, 50, 0, 0, 0};
  all[1] = {own, 1000, 40, 0, 0, 0};
  all[2] = {own, 800, 10, 0, 0, 0};
  return *count = 3, trouble(d, "loads");
}
int fake_energy(NvmlDevice d, unsigned long long* mj) {
  return *mj = driver.energy_mj * (index_of(d) + 1), trouble(d, "energy");
}

/// GPU i is at 0000:<10 + i>:00.0.
int fake_by_bus_id(const char* id, NvmlDevice* d) {
  unsigned int bus = 0;
  if (std::sscanf(id, "0000:%x:00.0", &bus) != 1 || bus < 0x10 || bus >= 0x10 + driver.gpus) return 6;
  return *d = reinterpret_cast<NvmlDevice>(static_cast<std::uintptr_t>(100 + bus - 0x10)), 0;
}

struct Gpus : testing::Test {
  NvmlTable table{fake_init,        fake_shutdown, fake_count,       fake_handle,   fake_name, fake_memory,
                  fake_utilization, fake_power,    fake_temperature, fake_clock,    fake_pcie, fake_fields,
                  fake_processes,   fake_loads,    fake_energy,      fake_by_bus_id};
  void SetUp() override { driver = {}; }
};

/// Keeps a core busy until `done` returns true.
template <class Condition>
void work_until(Condition done) {
  volatile double x = 1;
  while (!done())
    for (int i = 0; i < 100000; ++i) x = x * 1.0000001;
}

TEST(Machine, ShowsItsMemoryAndThisProcess) {
  const DeviceSample s = Monitor(nullptr).sample();
  EXPECT_GT(s.memory_total_bytes, 100e6);
  EXPECT_GT(s.memory_used_bytes, 0);
  EXPECT_LT(s.memory_used_bytes, s.memory_total_bytes);
  EXPECT_GT(s.process_memory_bytes, 100e3);
  EXPECT_LT(s.process_memory_bytes, s.memory_total_bytes);
  EXPECT_TRUE(s.gpus.empty());
}
TEST(Machine, CountsMemoryThisProcessTakes) {
#ifdef NW_THREAD_SANITIZED
  GTEST_SKIP() << "the thread sanitizer takes memory of its own for all that is taken";
#endif
  Monitor monitor(nullptr);
  const double before = monitor.sample().process_memory_bytes;
  const std::vector<char> taken(200 << 20, 'x');
  EXPECT_NEAR(monitor.sample().process_memory_bytes - before, static_cast<double>(taken.size()), 20e6);
}
TEST(Machine, ShowsProcessorUtilisationSinceTheLastReading) {
  Monitor monitor(nullptr);
  DeviceSample s;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  // Processor time has a resolution of 10 ms: keep busy until some ticks have passed.
  work_until([&] {
    s = monitor.sample();
    return s.process_cpu > 1 || std::chrono::steady_clock::now() > end;
  });
  EXPECT_GT(s.process_cpu, 1);
  EXPECT_LE(s.process_cpu, 101);
  EXPECT_GT(s.cpu, 0);
  EXPECT_LE(s.cpu, 100);
}

TEST_F(Gpus, AreEachShownWithUtilisationMemoryPowerAndTemperature) {
  Monitor monitor(&table);
  const DeviceSample s = monitor.sample();
  ASSERT_EQ(s.gpus.size(), 4u);
  for (unsigned int i = 0; i < 4; ++i) {
    EXPECT_EQ(s.gpus[i].name, "NVIDIA Test " + std::to_string(i));
    EXPECT_EQ(s.gpus[i].utilization, 10 * i + 5);
    EXPECT_EQ(s.gpus[i].memory_used_bytes, (i + 1) * 1073741824.0);
    EXPECT_EQ(s.gpus[i].memory_total_bytes, 80 * 1073741824.0);
    EXPECT_NEAR(s.gpus[i].power_w, 250.5, 0.01);
    EXPECT_EQ(s.gpus[i].temperature_c, 60 + i);
  }
}
TEST_F(Gpus, DistinguishThisProcessFromOthers) {
  Monitor monitor(&table, "/nowhere", true);
  const DeviceSample s = monitor.sample();
  EXPECT_EQ(s.gpus[0].process_memory_bytes, 0);
  EXPECT_EQ(s.gpus[1].process_memory_bytes, 3 * 1073741824.0);
  EXPECT_EQ(s.gpus[2].process_memory_bytes, 4 * 1073741824.0);
  EXPECT_EQ(s.gpus[1].process_utilization, 40) << "the newest of this process";
  EXPECT_EQ(driver.requested_since, 0u);
  (void)monitor.sample();
  EXPECT_EQ(driver.requested_since, 1000u) << "what was told already is not asked for again";
}
/// In a container this process has another number in the driver's lists than here.
TEST_F(Gpus, WhereThisProcessHasAnotherNumberItsShareIsUnknown) {
  const DeviceSample s = Monitor(&table, "/nowhere", false).sample();
  EXPECT_EQ(s.gpus[0].process_memory_bytes, -1);
  EXPECT_EQ(s.gpus[1].process_memory_bytes, 3 * 1073741824.0) << "what is listed all the same is known";
  const fs::path link = fs::temp_directory_path() / ("nw-pid-namespace-" + std::to_string(::getpid()));
  for (const auto& [to, own] : {std::pair{"pid:[4026531836]", true}, std::pair{"pid:[4026532999]", false}}) {
    fs::create_symlink(to, link);
    EXPECT_EQ(has_machine_pids(link), own) << to;
    fs::remove(link);
  }
  EXPECT_FALSE(has_machine_pids("/nowhere"));
}
/// As with CUDA_VISIBLE_DEVICES=2,0: cuda:0 is the third GPU of the machine.
TEST_F(Gpus, AreNumberedAsTheRunNumbersThem) {
  Monitor monitor(&table, "/nowhere");
  monitor.put_first({"0000:12:00.0", "0000:10:00.0"});
  const DeviceSample s = monitor.sample();
  std::vector<std::string> names;
  for (const GpuSample& g : s.gpus) names.push_back(g.name);
  EXPECT_THAT(names, testing::ElementsAre("NVIDIA Test 2", "NVIDIA Test 0", "NVIDIA Test 1", "NVIDIA Test 3"));
  EXPECT_EQ(s.gpus[0].utilization, 25);
  EXPECT_DOUBLE_EQ(monitor.energy({0}).gpu_j, 15) << "that of the third GPU";
  EXPECT_EQ(monitor.utilization(0), monitor.sample().gpus[0].utilization);
  EXPECT_NE(monitor.utilization(0), monitor.utilization(1));
  EXPECT_EQ(monitor.utilization(64), -1) << "there is no such GPU";
  EXPECT_DOUBLE_EQ(monitor.energy({1}).gpu_j, 5);
  EXPECT_DOUBLE_EQ(monitor.energy({2}).gpu_j, 10) << "the first of those the run does not see";
}
TEST_F(Gpus, KeepTheOrderOfTheDriverWhereAPlaceIsUnknown) {
  for (const std::vector<std::string>& places :
       {std::vector<std::string>{"0000:12:00.0", "0000:99:00.0"}, std::vector<std::string>{""}, {}}) {
    Monitor monitor(&table, "/nowhere");
    monitor.put_first(places);
    EXPECT_EQ(monitor.sample().gpus[0].name, "NVIDIA Test 0");
    EXPECT_DOUBLE_EQ(monitor.energy({3}).gpu_j, 20);
  }
  table.device_by_bus_id = nullptr;  // an old driver
  Monitor monitor(&table, "/nowhere");
  monitor.put_first({"0000:12:00.0"});
  EXPECT_EQ(monitor.sample().gpus[0].name, "NVIDIA Test 0");
}
TEST_F(Gpus, AreShownWithClocksAndTraffic) {
  Monitor monitor(&table);
  const GpuSample first = monitor.sample().gpus[3];
  EXPECT_EQ(first.processor_mhz, 1983);
  EXPECT_EQ(first.memory_mhz, 3201);
  EXPECT_EQ(first.pcie_in_bytes_per_s, 5'003'000);
  EXPECT_EQ(first.pcie_out_bytes_per_s, 70'000);
  EXPECT_EQ(first.nvlink_in_bytes_per_s, -1) << "a rate needs two looks";
  driver.link_kib += 1 << 20;
  const GpuSample second = monitor.sample().gpus[3];
  EXPECT_GT(second.nvlink_in_bytes_per_s, 0);
  EXPECT_DOUBLE_EQ(second.nvlink_out_bytes_per_s, 2 * second.nvlink_in_bytes_per_s);
}
TEST_F(Gpus, OfAnOldDriverReportWhatIsAvailable) {
  table.clock_mhz = nullptr;
  table.pcie_kb_per_s = nullptr;
  table.fields = nullptr;
  table.processes = nullptr;
  table.process_loads = nullptr;
  table.energy_mj = nullptr;
  Monitor monitor(&table);
  const GpuSample g = monitor.sample().gpus[1];
  EXPECT_EQ(g.utilization, 15);
  for (const double unknown :
       {g.process_utilization, g.process_memory_bytes, g.processor_mhz, g.memory_mhz, g.pcie_in_bytes_per_s,
        g.pcie_out_bytes_per_s, g.nvlink_in_bytes_per_s, g.nvlink_out_bytes_per_s, monitor.energy({1}).gpu_j})
    EXPECT_EQ(unknown, -1);
}

/// A copy of the energy counters that Linux exposes in sysfs.
struct Counters {
  fs::path path = fs::temp_directory_path() / ("nw-powercap-" + std::to_string(::getpid()));
  ~Counters() { fs::remove_all(path); }
  void write(const std::string& zone, const std::string& value) const {
    fs::create_directories(path / zone);
    std::ofstream(path / zone / "energy_uj") << value;
  }
};
TEST_F(Gpus, AndProcessorsReportTheEnergyOfARun) {
  const Counters counters;
  counters.write("intel-rapl:0", "1000000");
  counters.write("intel-rapl:1", "2000000");
  counters.write("intel-rapl:0:0", "999999999");  // a subdomain of the first
  const Monitor monitor(&table, counters.path);
  EnergyMeter meter;
  meter.read(monitor.energy({0, 2}));
  EXPECT_EQ(meter.used().gpu_j, -1) << "nothing is known after one look";
  driver.energy_mj += 3000;
  counters.write("intel-rapl:1", "2500000");
  meter.read(monitor.energy({0, 2}));
  EXPECT_DOUBLE_EQ(meter.used().gpu_j, 12) << "3 J of the first, 9 J of the third";
  EXPECT_DOUBLE_EQ(meter.used().cpu_j, 0.5);
  counters.write("intel-rapl:0", "0");  // counter overflow: only the energy of this interval is lost
  counters.write("intel-rapl:1", "0");
  meter.read(monitor.energy({0, 2}));
  counters.write("intel-rapl:1", "250000");
  meter.read(monitor.energy({0, 2}));
  EXPECT_DOUBLE_EQ(meter.used().cpu_j, 0.75);
}
TEST_F(Gpus, WithOneUnknownEnergyReportNoSum) {
  driver.gone = {2};
  const Monitor monitor(&table, "/nowhere");
  EXPECT_EQ(monitor.energy({0, 2}).gpu_j, -1);
  EXPECT_DOUBLE_EQ(monitor.energy({0}).gpu_j, 5);
  EXPECT_EQ(monitor.energy({9}).gpu_j, -1);
  EXPECT_EQ(monitor.energy({}).cpu_j, -1);
}
TEST_F(Gpus, ThatDisappearLeaveTheOthersReadable) {
  Monitor monitor(&table);
  EXPECT_EQ(monitor.sample().gpus[2].utilization, 25);
  driver.gone = {2};
  const DeviceSample s = monitor.sample();
  ASSERT_EQ(s.gpus.size(), 4u) << "the curves of the others must not change places";
  EXPECT_EQ(s.gpus[2].name, "NVIDIA Test 2");
  EXPECT_EQ(s.gpus[2].utilization, -1);
  EXPECT_EQ(s.gpus[2].memory_used_bytes, -1);
  EXPECT_EQ(s.gpus[2].power_w, -1);
  EXPECT_EQ(s.gpus[3].utilization, 35);
}
TEST_F(Gpus, WithAnUnavailableValueReportTheOthers) {
  driver.failing = {"power", "name"};
  table.temperature = nullptr;
  const DeviceSample s = Monitor(&table).sample();
  ASSERT_EQ(s.gpus.size(), 4u);
  EXPECT_EQ(s.gpus[1].power_w, -1);
  EXPECT_EQ(s.gpus[1].temperature_c, -1);
  EXPECT_EQ(s.gpus[1].utilization, 15);
  EXPECT_EQ(s.gpus[1].name, "GPU 1");
}
TEST_F(Gpus, AreAbsentWithoutAnErrorWhenTheDriverFailsToStart) {
  driver.init_fails = true;
  EXPECT_TRUE(Monitor(&table).sample().gpus.empty());
  driver = {};
  driver.count_fails = true;
  EXPECT_TRUE(Monitor(&table).sample().gpus.empty());
  driver = {};
  driver.failing = {"handle"};
  EXPECT_TRUE(Monitor(&table).sample().gpus.empty());
}
TEST_F(Gpus, LeaveTheDriverAsOftenAsTheyEnteredIt) {
  { Monitor a(&table), b(&table); }
  (void)list_devices(&table);
  EXPECT_EQ(driver.inits, 3);
  EXPECT_EQ(driver.shutdowns, 3);
  driver.init_fails = true;
  { Monitor c(&table); }
  EXPECT_EQ(driver.shutdowns, 3);
}

TEST_F(Gpus, AreListedWithTheReasonWhyTheyCannotTrain) {
  set_plugin_folder("/nowhere");
  const auto devices = list_devices(&table);
  ASSERT_EQ(devices.size(), 5u);
  EXPECT_EQ(devices[0].name, "cpu");
  EXPECT_TRUE(devices[0].usable);
  EXPECT_GT(devices[0].memory_bytes, 100 << 20);
  EXPECT_FALSE(devices[0].description.empty());
  EXPECT_EQ(devices[1].name, "cuda:0");
  EXPECT_EQ(devices[4].description, "NVIDIA Test 3");
  EXPECT_EQ(devices[4].memory_bytes, std::int64_t{80} << 30);
  EXPECT_FALSE(devices[4].usable);
  EXPECT_THAT(devices[4].why_not.str(), HasSubstr("/nowhere/libnw_cuda.so is missing"));
  set_plugin_folder("");
}
TEST_F(Gpus, ThatLackTheirPlugInAreReportedToLackThatAlone) {
  set_plugin_folder("/nowhere");
  const auto missing = missing_for_gpus(&table);
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_THAT(missing[0].str(), AllOf(HasSubstr("/nowhere/libnw_cuda.so is missing"), HasSubstr("nvcc")));
  set_plugin_folder("");
}
TEST_F(Gpus, ThatLackDriverOrDeviceAreReportedToLackThatFirst) {
  set_plugin_folder("/nowhere");
  const auto no_driver = missing_for_gpus(nullptr);
  ASSERT_EQ(no_driver.size(), 2u);
  EXPECT_THAT(no_driver[0].str(), HasSubstr("install the driver"));
  driver.gpus = 0;
  const auto no_device = missing_for_gpus(&table);
  ASSERT_EQ(no_device.size(), 2u);
  EXPECT_THAT(no_device[0].str(), HasSubstr("finds no GPU"));
  EXPECT_EQ(driver.shutdowns, driver.inits);
  set_plugin_folder("");
}
TEST_F(Gpus, WithoutThemTheListHoldsTheProcessor) {
  EXPECT_EQ(list_devices(nullptr).size(), 1u);
  driver.gpus = 0;
  EXPECT_EQ(list_devices(&table).size(), 1u);
}

TEST(UsableGpu, IsTheFirstThatCanTrain) {
  const DeviceInfo cpu{.name = "cpu"}, old{.name = "cuda:0", .usable = false}, good{.name = "cuda:1"};
  EXPECT_EQ(first_usable_gpu({cpu}), "");
  EXPECT_EQ(first_usable_gpu({cpu, old}), "");
  EXPECT_EQ(first_usable_gpu({cpu, old, good}), "cuda:1");
}

}  // namespace
}  // namespace nw
