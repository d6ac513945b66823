// SPDX-License-Identifier: Apache-2.0
// Launches, bytes, operations and times of a training step of every template against launch_budgets.txt; no launch of
// few threads waits for many loads, except those of depth_exceptions.txt; nothing shares memory without an order.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/design/precision.hpp"
#include "kernels/cuda/blocks/list.hpp"
#include "tests/kernels/cuda/proof/gpu_model.hpp"
#include "tests/kernels/cuda/proof/step_costs.hpp"

namespace nw::proof {
namespace {

/// A launch of fewer threads does not fill an H200: what its threads wait for is not hidden by others.
constexpr double few_threads = 33000;
constexpr int most_loads = 64;
constexpr DType precisions[] = {DType::f32, DType::tf32, DType::bf16, DType::f16};

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
std::string key(const std::string& net, DType precision, std::int64_t batch) {
  return fmt::format("{}/{}/{}", net, precision_name(precision), batch);
}
std::string key(const StepCosts& s) { return key(s.net, s.precision, s.batch); }

struct Row {
  double launches = 0, read = 0, written = 0, operations = 0, loads = 0, h100_us = 0, h200_us = 0;
  static Row of(const StepCosts& s) {
    static const GpuModel h100 = gpu_model("h100"), h200 = gpu_model("h200");
    return {static_cast<double>(s.launches.size()),
            s.read(),
            s.written(),
            s.operations(),
            static_cast<double>(s.deepest(few_threads).loads * together),
            microseconds(h100, s.launches, s.precision),
            microseconds(h200, s.launches, s.precision)};
  }
  static Row of(const std::string& text) {
    Row r;
    std::istringstream(text) >> r.launches >> r.read >> r.written >> r.operations >> r.loads >> r.h100_us >> r.h200_us;
    return r;
  }
  std::string text() const {
    return fmt::format("{} {:.0f} {:.0f} {:.0f} {} {:.1f} {:.1f}", launches, read, written, operations, loads, h100_us,
                       h200_us);
  }
};

/// Bytes and times within 2 %: another compiler may leave out other loads.
void expect_budget(const StepCosts& s, const std::string& budget) {
  const Row got = Row::of(s), allowed = Row::of(budget);
  EXPECT_EQ(got.launches, allowed.launches) << key(s);
  EXPECT_EQ(got.operations, allowed.operations) << key(s);
  EXPECT_EQ(got.loads, allowed.loads) << key(s);
  for (const auto& [number, most] : {std::pair{got.read, allowed.read}, std::pair{got.written, allowed.written},
                                     std::pair{got.h100_us, allowed.h100_us}, std::pair{got.h200_us, allowed.h200_us}})
    EXPECT_NEAR(number, most, 0.02 * most) << key(s) << ": " << got.text();
}
void expect_no_long_waits(const StepCosts& s) {
  const auto allowed = table("depth_exceptions.txt");
  for (const Cost& c : s.launches) {
    const int most = allowed.count(c.kernel) ? std::stoi(allowed.at(c.kernel)) : most_loads;
    if (c.blocks > 0 && c.threads < few_threads) {
      EXPECT_LE(c.loads * together, most) << key(s) << ": " << c.kernel << " of " << c.threads << " threads";
    }
  }
}
void expect_order(const StepCosts& s) {
  EXPECT_THAT(s.unordered, testing::IsEmpty()) << key(s);
  EXPECT_GT(s.waits, 0) << key(s);
  EXPECT_GT(s.lanes, 2u) << key(s) << ": nothing runs beside anything";
}

class GpuStep : public testing::TestWithParam<std::string> {};
TEST_P(GpuStep, KeepsItsBudgetsItsDepthAndItsOrderInEveryPrecision) {
  const Template& t = *find_template(GetParam());
  const auto budgets = table("launch_budgets.txt");
  for (const DType type : precisions) {
    const StepCosts s = costs_of(t, type, usual_batch(t));
    ASSERT_EQ(budgets.count(key(s)), 1u) << key(s) << ": run once with NETWRIGHT_WRITE_LAUNCH_BUDGETS=1";
    expect_budget(s, budgets.at(key(s)));
    expect_no_long_waits(s);
    expect_order(s);
  }
}
std::vector<std::string> names_of_templates() {
  std::vector<std::string> names;
  for (const Template& t : all_templates()) names.emplace_back(t.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Of, GpuStep, testing::ValuesIn(names_of_templates()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

constexpr const char* title =
    "# template/precision/batch, launches, bytes read, bytes written, operations of libraries, the most loads of a "
    "thread in a launch of few, microseconds by the model of an H100 and of an H200\n";
TEST(GpuWork, BudgetsAreWrittenIfAskedFor) {
  if (!std::getenv("NETWRIGHT_WRITE_LAUNCH_BUDGETS")) GTEST_SKIP() << "NETWRIGHT_WRITE_LAUNCH_BUDGETS is not set";
  std::string text = title;
  for (const Template& t : all_templates())
    for (const DType type : precisions) {
      const StepCosts s = costs_of(t, type, usual_batch(t));
      text += key(s) + ' ' + Row::of(s).text() + '\n';
    }
  std::ofstream(file("launch_budgets.txt")) << text;
}

TEST(GpuWork, AWaitForAnEventThatAStepLacksIsNoticed) {
  const Template* const lenet = find_template("lenet5");
  int noticed = 0;
  for (int left_out = 0; left_out < 6; ++left_out)
    noticed += !costs_of(*lenet, DType::f32, 64, left_out).unordered.empty();
  EXPECT_GT(noticed, 0);
}

/// One sum of 6 numbers by 6 threads, as it once was.
TEST(GpuWork, ASumByFewThreadsIsNoticed) {
  struct Allocated {
    cuda::DevicePointer at = 0;
    explicit Allocated(std::size_t bytes) { (void)cuda::fake_driver_table().memory_acquire(&at, bytes); }
    ~Allocated() { (void)cuda::fake_driver_table().memory_release(at); }
  };
  ASSERT_FALSE(costs_of(*find_template("mlp"), DType::f32, 64).launches.empty()) << "it starts the fake GPU";
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
