// SPDX-License-Identifier: Apache-2.0
// Products by tiles, on the emulated unit and on the processor's own if it has one, against the reference
// implementation with operands rounded in separate steps: fp32 sums of the same numbers, in another order. Also: the
// same bytes on any number of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kernels/case_runner.hpp"
#include "tests/support/instruction_set.hpp"

namespace nw::test {
namespace {

using List = std::vector<std::int64_t>;
using testing::HasSubstr;

/// Runs on the tile kernels of one instruction set.
class OnTiles : public testing::Test {
 protected:
  explicit OnTiles(const std::string& set) : name_(set), set_(set) {}
  void SetUp() override {
    if (!runs_here(name_)) GTEST_SKIP() << "this processor has no " << name_;
  }

 private:
  const std::string name_;
  const UseInstructionSet set_;
};
const auto units = testing::Values("amx-emulated", "amx", "avx512bf16");
std::string word(const std::string& set) { return set == "amx-emulated" ? "emulated" : set; }

class TileProducts : public OnTiles, public testing::WithParamInterface<std::tuple<std::string, std::string>> {
 protected:
  TileProducts() : OnTiles(std::get<1>(GetParam())) {}
  const std::string kernel_ = std::get<0>(GetParam());
};
class TileLayouts : public OnTiles, public testing::WithParamInterface<std::string> {
 protected:
  TileLayouts() : OnTiles(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Units, TileLayouts, units, [](const auto& info) { return word(info.param); });

KernelCase rounded(KernelCase c) {
  c.rounds = true;
  c.tolerance = 3e-6;
  return c;
}
bool in_groups(const KernelCase& c) {
  return c.attrs.count("groups") && std::get<std::int64_t>(c.attrs.at("groups")) > 1;
}
/// Tiles multiply neither grouped convolutions nor the pixels of images by a linear layer's weights.
bool by_tiles(const std::string& kernel, const KernelCase& c) {
  return !in_groups(c) && (!kernel.starts_with("linear") || c.inputs[0].shape.rank() == 2);
}

std::string words(const KernelCase& c) {
  std::string s = fmt::format("batch {} valid {}", c.batch, c.valid);
  for (const TensorCase& t : c.inputs) s += " " + t.name + " " + to_string(t.shape);
  for (const char* attr : {"stride", "padding", "dilation", "window"}) {
    if (!c.attrs.count(attr)) continue;
    const List& pair = std::get<List>(c.attrs.at(attr));
    s += fmt::format(" {} {} {}", attr, pair[0], pair[1]);
  }
  return s;
}

void expect_as_reference(const std::string& kernel, const KernelCase& c, int threads) {
  SCOPED_TRACE(kernel + ": " + words(c));
  const Results got = run_case(c, kernel, *device_of(cpu_backend()), threads);
  EXPECT_THAT(got.choices, testing::Contains(HasSubstr("tiles, " + cpu::choose_instruction_set().name)));
  expect_close(c, got, run_case(c, kernel, *device_of(reference_backend()), 1));
}

TEST_P(TileProducts, AgreeWithTheReferenceOverRandomShapes) {
  Rng rng(static_cast<unsigned>(std::hash<std::string>{}(kernel_)));
  for (int i = 0; i < 40 && !HasFatalFailure(); ++i) {
    const KernelCase c = rounded(generator_of(kernel_)(rng));
    if (by_tiles(kernel_, c)) expect_as_reference(kernel_, c, 1 + i % 3);
  }
}

TEST_P(TileProducts, GiveTheSameBytesOnOneToFiveThreads) {
  Rng rng(11);
  for (int i = 0; i < 4; ++i) {
    const KernelCase c = rounded(generator_of(kernel_)(rng));
    if (!by_tiles(kernel_, c)) continue;
    const Results one = run_case(c, kernel_, *device_of(cpu_backend()), 1);
    for (int threads = 2; threads <= 5; ++threads) {
      const Results many = run_case(c, kernel_, *device_of(cpu_backend()), threads);
      for (std::size_t o = 0; o < one.outputs.size(); ++o)
        ASSERT_EQ(std::memcmp(one.outputs[o].data(), many.outputs[o].data(), one.outputs[o].size() * 4), 0)
            << threads << " threads, " << words(c);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, TileProducts,
    testing::Combine(testing::Values("conv2d", "conv2d_relu", "conv2d_max_pool2d_relu", "conv2d_grad_input",
                                     "conv2d_grad_input_relu", "conv2d_grad_weight", "linear", "linear_relu",
                                     "linear_grad_input", "linear_grad_input_relu", "linear_grad_weight"),
                     units),
    [](const auto& info) { return std::get<0>(info.param) + "_" + word(std::get<1>(info.param)); });

// ---- shapes with special layouts
struct Conv {
  const char* what;
  std::int64_t batch, ins, outs, size, taps, stride, padding, dilation;
};
constexpr Conv convs[] = {{"one channel, rows in pairs", 20, 1, 6, 28, 5, 1, 2, 1},
                          {"three channels, an odd number of rows", 16, 3, 17, 12, 3, 1, 1, 1},
                          {"channels that leave a half pair", 17, 7, 16, 9, 3, 1, 1, 1},
                          {"runs of whole tiles and a rest", 16, 24, 33, 8, 3, 1, 1, 1},
                          {"whole tiles only", 33, 32, 32, 6, 1, 1, 0, 1},
                          {"more outputs than a chain of sums holds apart", 40, 130, 140, 5, 3, 1, 1, 1},
                          {"taps apart", 16, 10, 12, 11, 3, 1, 2, 2},
                          {"a stride that leaves inputs without taps", 19, 9, 20, 9, 1, 2, 0, 1},
                          {"a stride, dilated", 16, 8, 8, 13, 3, 2, 2, 2},
                          {"seven taps, stride two", 18, 3, 20, 21, 7, 2, 3, 1},
                          {"more padding than image", 16, 5, 5, 2, 3, 1, 3, 1},
                          {"bands of rows", 16, 40, 8, 44, 3, 1, 1, 1},
                          {"zeros around gradients left out", 17, 6, 16, 14, 5, 1, 0, 1},
                          {"the same, a rest of a run and an odd width", 16, 5, 21, 9, 5, 1, 0, 1},
                          {"taps that mostly see zeros", 16, 3, 9, 6, 5, 1, 4, 1}};

KernelCase conv_case(const Conv& v) {
  KernelCase c;
  c.batch = v.batch;
  c.valid = v.batch - v.batch % 3;
  c.attrs = {{"stride", List{v.stride, v.stride}},
             {"padding", List{v.padding, v.padding}},
             {"dilation", List{v.dilation, v.dilation}},
             {"groups", std::int64_t{1}}};
  return rounded(c);
}
std::vector<std::pair<std::string, KernelCase>> directions(const Conv& v) {
  const std::int64_t size = (v.size + 2 * v.padding - v.dilation * (v.taps - 1) - 1) / v.stride + 1;
  const Shape x{v.batch, v.ins, v.size, v.size}, y{v.batch, v.outs, size, size}, w{v.outs, v.ins, v.taps, v.taps};
  std::vector<std::pair<std::string, KernelCase>> all(3, {"conv2d", conv_case(v)});
  all[0].second.inputs = {{"x", x}, {"w", w, Fill::noise, false}, {"b", {v.outs}, Fill::noise, false}};
  all[0].second.outputs = {{"y", y}};
  all[1].first = "conv2d_grad_input_relu";
  all[1].second.inputs = {{"dy", y, Fill::gradient}, {"w", w, Fill::noise, false}, {"y", x, Fill::rectified}};
  all[1].second.outputs = {{"dx", x}};
  all[2].first = "conv2d_grad_weight";
  all[2].second.inputs = {{"dy", y, Fill::gradient}, {"x", x}};
  all[2].second.outputs = {{"dw", w, Fill::noise, false}, {"db", {v.outs}, Fill::noise, false}};
  return all;
}

TEST_P(TileLayouts, EachLayoutAgreesWithTheReferenceInEveryDirection) {
  for (const Conv& v : convs)
    for (const auto& [kernel, c] : directions(v)) {
      SCOPED_TRACE(v.what);
      expect_as_reference(kernel, c, 2);
    }
}

struct Pooled {
  const char* what;
  std::int64_t ins, outs, size, taps, stride, padding;
  List window;
};
const Pooled pools[] = {{"a column of one channel, two rows of outputs to a tile", 1, 6, 28, 5, 1, 2, {2, 2}},
                        {"the same, a whole window to a tile", 1, 3, 14, 3, 1, 1, {2, 2}},
                        {"a column of three channels", 3, 20, 16, 3, 1, 1, {2, 2}},
                        {"pixels side by side", 12, 8, 12, 3, 1, 0, {2, 2}},
                        {"each pixel alone", 6, 16, 14, 5, 1, 0, {2, 2}},
                        {"bands", 40, 5, 26, 3, 1, 1, {2, 2}},
                        {"a stride, what no window covers", 2, 7, 23, 3, 2, 1, {2, 2}},
                        {"other windows", 3, 9, 18, 3, 1, 1, {3, 2}}};

TEST_P(TileLayouts, PooledConvolutionsAgreeForEveryTileLayout) {
  for (const Pooled& v : pools)
    for (const bool asks : {true, false}) {
      const std::int64_t size = (v.size + 2 * v.padding - v.taps) / v.stride + 1;
      KernelCase c = conv_case({v.what, 18, v.ins, v.outs, v.size, v.taps, v.stride, v.padding, 1});
      c.attrs["window"] = v.window;
      c.inputs = {{"x", {18, v.ins, v.size, v.size}},
                  {"w", {v.outs, v.ins, v.taps, v.taps}, Fill::noise, false},
                  {"b", {v.outs}, Fill::noise, false}};
      c.outputs = {{"y", {18, v.outs, size / v.window[0], size / v.window[1]}}};
      if (asks) c.outputs.push_back({"argmax", c.outputs[0].shape, Fill::noise, true, DType::u8});
      SCOPED_TRACE(v.what);
      expect_as_reference("conv2d_max_pool2d_relu", c, 2);
    }
}

TEST_P(TileLayouts, AShardSplitAmongWorkersGivesTheBytesOfOneWorker) {
  for (const std::int64_t taps : {1, 3, 7})
    for (const std::int64_t stride : {1, 2})
      for (const auto& [kernel, c] : directions({"large", 16, 24, 24, 48, taps, stride, taps / 2, 1})) {
        SCOPED_TRACE(kernel + ": " + words(c));
        const Results one = run_case(c, kernel, *device_of(cpu_backend()), 1);
        for (const int threads : {2, 5}) {
          const Results many = run_case(c, kernel, *device_of(cpu_backend()), threads);
          ASSERT_EQ(std::memcmp(one.outputs[0].data(), many.outputs[0].data(), one.outputs[0].size() * 4), 0)
              << threads << " threads";
        }
      }
}

TEST_P(TileLayouts, UnusedBatchCapacityDoesNotChangeTheWeightGradient) {
  for (const Conv& v : convs) {
    Conv wide = v, narrow = v;
    wide.batch = 70;
    narrow.batch = 19;
    const auto wide_cases = directions(wide), narrow_cases = directions(narrow);
    KernelCase a = wide_cases[2].second, b = narrow_cases[2].second;
    a.valid = b.valid = 19;
    const Results more = run_case(a, "conv2d_grad_weight", *device_of(cpu_backend()), 2),
                  less = run_case(b, "conv2d_grad_weight", *device_of(cpu_backend()), 2);
    EXPECT_EQ(more.outputs[1], less.outputs[1]) << v.what;
  }
}

// ---- choice
Text reason_against_tiles(const KernelCase& c, const std::string& kernel, bool rounds) {
  TinyPlan tiny(c.batch);
  if (c.rounds) tiny.plan.compute = DType::bf16;
  std::vector<int> in, out;
  for (const TensorCase& t : c.inputs) in.push_back(tiny.value(t.name, t.shape, Role::saved, t.batched));
  for (const TensorCase& t : c.outputs) out.push_back(tiny.value(t.name, t.shape, Role::saved, t.batched));
  StepAttrs attrs = c.attrs;
  if (rounds) attrs["rounds"] = std::int64_t{1};
  tiny.step(kernel, in, out, attrs);
  return device_of(cpu_backend())->supports(tiny.plan, tiny.plan.steps[0]);
}

TEST(TileChoice, TilesAreChosenByShapeOnlyInBf16AndWhereAvailable) {
  // Products of vectors are slower than Winograd's form of a 3 x 3 convolution.
  const Conv small{"", 64, 64, 64, 16, 3, 1, 1, 1}, large{"", 64, 64, 64, 16, 7, 1, 3, 1},
      thin{"", 64, 1, 1, 16, 1, 1, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string kernel = directions(small)[i].first;
    KernelCase c;
    for (const std::string& unit : tile_sets()) {
      c = directions(unit == "avx512bf16" ? large : small)[i].second;
      KernelCase fp32 = c, grouped = c;
      fp32.rounds = false;
      grouped.attrs["groups"] = std::int64_t{2};
      const UseInstructionSet set(unit);
      EXPECT_TRUE(reason_against_tiles(c, kernel, true).empty()) << kernel;
      EXPECT_FALSE(reason_against_tiles(directions(thin)[i].second, kernel, true).empty())
          << kernel << " of one channel";
      EXPECT_FALSE(reason_against_tiles(fp32, kernel, true).empty()) << kernel;
      EXPECT_FALSE(reason_against_tiles(grouped, kernel, true).empty()) << kernel;
      EXPECT_TRUE(reason_against_tiles(c, kernel, false).empty()) << kernel;
    }
    const UseInstructionSet set("portable");
    EXPECT_FALSE(reason_against_tiles(c, kernel, true).empty()) << kernel;
  }
}

TEST(TileChoice, APlanForTilesIsRejectedOnADeviceWithoutTiles) {
  const auto [kernel, c] = directions(convs[2])[0];
  const UseInstructionSet set("portable");
  try {
    run_case(c, kernel, *device_of(cpu_backend()), 1);
    FAIL() << "its operands would not be rounded";
  } catch (const std::runtime_error& e) { EXPECT_THAT(e.what(), HasSubstr("rounds operands by steps")); }
}

TEST(TileChoice, TheReferenceSupportsOnlySeparateRoundingSteps) {
  TinyPlan tiny(1);
  tiny.plan.compute = DType::bf16;
  tiny.step("linear", {}, {}, {{"rounds", std::int64_t{1}}});
  EXPECT_FALSE(device_of(reference_backend())->supports(tiny.plan, tiny.plan.steps[0]).empty());
}

}  // namespace
}  // namespace nw::test
