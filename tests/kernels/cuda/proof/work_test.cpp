// SPDX-License-Identifier: Apache-2.0
// Launches, bytes and operations of a training step against launch_budgets.txt; no launch of few threads waits for many
// loads, except those of depth_exceptions.txt.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/design/precision.hpp"
#include "kernels/cuda/blocks/list.hpp"
#include "tests/kernels/cuda/proof/step_costs.hpp"

namespace nw::proof {
namespace {

/// A launch of fewer threads does not fill an H200: what its threads wait for is not hidden by others.
constexpr double few_threads = 33000;
constexpr int most_loads = 64;

std::string file(const char* name) { return std::string(NW_SOURCE_DIR) + "/tests/kernels/cuda/proof/" + name; }
/// The first word of every line but comments, and the rest of the line.
std::map<std::string, std::string> table(const char* name) {
  std::map<std::string, std::string> rows;
  std::ifstream in(file(name));
  for (std::string line; std::getline(in, line);)
    if (const auto space = line.find(' '); !line.starts_with('#') && space != std::string::npos)
      rows[line.substr(0, space)] = line.substr(space + 1);
  return rows;
}
std::vector<StepCosts> measured() {
  std::vector<StepCosts> all;
  const bool is_long = std::getenv("NETWRIGHT_LONG") != nullptr;
  for (const Template& t : all_templates())
    for (const DType type : {DType::f32, DType::tf32, DType::bf16, DType::f16})
      if (is_long || t.name == "mlp" || t.name == "lenet5" || t.name == "shapes-labels")
        all.push_back(costs_of(t, type, usual_batch(t)));
  return all;
}
const std::vector<StepCosts>& steps() {
  static const std::vector<StepCosts> all = measured();
  return all;
}
std::string key(const StepCosts& s) { return fmt::format("{}/{}/{}", s.net, precision_name(s.precision), s.batch); }

/// Bytes within 2 %: another compiler may leave out other loads.
TEST(GpuWork, LaunchesBytesAndOperationsOfAStepAreThoseOfTheBudgets) {
  const bool writes = std::getenv("NETWRIGHT_WRITE_LAUNCH_BUDGETS") != nullptr;
  const auto budgets = table("launch_budgets.txt");
  std::string text = "# template/precision/batch, launches, bytes read, bytes written, operations of libraries\n";
  for (const StepCosts& s : steps()) {
    const auto launches = s.launches.size();
    text += fmt::format("{} {} {:.0f} {:.0f} {:.0f}\n", key(s), launches, s.read(), s.written(), s.operations());
    if (writes || budgets.count(key(s)) == 0) continue;
    std::istringstream row(budgets.at(key(s)));
    std::size_t most = 0;
    double read = 0, written = 0, operations = 0;
    row >> most >> read >> written >> operations;
    EXPECT_EQ(launches, most) << key(s);
    EXPECT_NEAR(s.read(), read, 0.02 * read) << key(s);
    EXPECT_NEAR(s.written(), written, 0.02 * written) << key(s);
    EXPECT_EQ(s.operations(), operations) << key(s);
  }
  if (writes) std::ofstream(file("launch_budgets.txt")) << text;
  EXPECT_GE(budgets.size(), 12u) << "run once with NETWRIGHT_WRITE_LAUNCH_BUDGETS=1";
}

TEST(GpuWork, NoLaunchOfFewThreadsWaitsForManyLoads) {
  const auto allowed = table("depth_exceptions.txt");
  for (const StepCosts& s : steps())
    for (const Cost& c : s.launches) {
      const int loads = c.loads * together,
                most = allowed.count(c.kernel) ? std::stoi(allowed.at(c.kernel)) : most_loads;
      if (c.blocks > 0 && c.threads < few_threads) {
        EXPECT_LE(loads, most) << key(s) << ": " << c.kernel << " of " << c.threads << " threads";
      }
    }
}

/// One sum of 6 numbers by 6 threads, as it once was.
TEST(GpuWork, ASumByFewThreadsIsNoticed) {
  struct Allocated {
    cuda::DevicePointer at = 0;
    explicit Allocated(std::size_t bytes) { (void)cuda::fake_driver_table().memory_acquire(&at, bytes); }
    ~Allocated() { (void)cuda::fake_driver_table().memory_release(at); }
  };
  ASSERT_FALSE(steps().empty()) << "they start the fake GPU";
  const Allocated memory(sizeof(double) * 6006);
  ASSERT_NE(memory.at, 0u);
  auto* const at = reinterpret_cast<double*>(memory.at);
  const cuda::SumParts<double> g{at, at + 6000, 6, 1000};
  const Cost c = measure({1, "nw_sum_parts_f64", &g, sizeof g, 6, 1, 256, 0});
  EXPECT_EQ(c.threads, 6);
  EXPECT_EQ(c.loads * together, 1000);
  EXPECT_EQ(c.read, 48000);
  EXPECT_EQ(c.written, 48);
}

}  // namespace
}  // namespace nw::proof
