// SPDX-License-Identifier: Apache-2.0
// The random shapes of fp32 with numbers that bf16, fp16 or tf32 store: a GPU gets them in that type, and the reference
// implementation the same numbers in fp32.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/math/half.hpp"
#include "tests/kernels/case_runner.hpp"

namespace nw::test {

/// How far results may be off that are stored with few bits, relative to the largest; tf32: by rounded operands.
inline double rounding_of(DType t) { return t == DType::bf16 ? 4e-3 : t == DType::f16 ? 6e-4 : 2e-3; }
inline const char* name_of(DType t) { return t == DType::bf16 ? "bf16" : t == DType::f16 ? "fp16" : "tf32"; }

inline double rounded(DType t, double x) {
  if (t == DType::bf16) return static_cast<float>(math::Bf16(static_cast<float>(x)));
  // the garbage in padding samples would be infinite
  return static_cast<float>(math::Half(static_cast<float>(std::clamp(x, -6e4, 6e4))));
}
/// The case with numbers that are not changed when they are stored.
inline KernelCase with_numbers_of(DType t, KernelCase c) {
  if (t == DType::tf32) return c;
  const auto round = [t](const std::function<double(double)>& before) {
    return [t, before](double x) { return rounded(t, before ? before(x) : x); };
  };
  for (std::size_t i = 0; i < c.inputs.size(); ++i)
    if (follows_precision(c.inputs[i]) || (i == 1 && !c.inputs[i].batched))
      c.inputs[i].through = round(c.inputs[i].through);
  return c;
}

inline void expect_agreement(const std::string& kernel, DType type, const Device& gpu, int cases) {
  Rng rng(static_cast<unsigned>(std::hash<std::string>{}(kernel)));
  for (int i = 0; i < cases && !testing::Test::HasFatalFailure(); ++i) {
    KernelCase c = with_numbers_of(type, generator_of(kernel)(rng));
    c.tolerance = std::max(c.tolerance, rounding_of(type));
    SCOPED_TRACE(fmt::format("case {} batch {} valid {}", i, c.batch, c.valid));
    const Results wanted = run_case(c, kernel, *device_of(reference_backend()), 1);
    c.precision = type;
    expect_close(c, run_case(c, kernel, gpu, 1), wanted);
  }
}

/// More weights than a device may store in halves with one launch, of several sizes: each is the weight, rounded.
inline void expect_many_weights_in_halves(DType type, const Device& gpu) {
  constexpr std::int64_t count = 37;
  TinyPlan tiny(1);
  std::vector<int> weights, halves;
  for (std::int64_t i = 0; i < count; ++i) {
    const Shape shape{i % 5 + 1, 3 * i + 1};
    weights.push_back(tiny.value(fmt::format("w{}", i), shape, Role::saved, false));
    halves.push_back(tiny.value(fmt::format("half {}", i), shape, Role::saved, false, type));
    tiny.step("store_half", {weights.back()}, {halves.back()});
  }
  Bench bench(tiny, gpu, 1);
  std::vector<std::vector<float>> numbers;
  for (const int w : weights) {
    const auto elements = bench.plan().values[static_cast<std::size_t>(w)].shape.elements();
    numbers.push_back(noise(elements, static_cast<unsigned>(w) + 1));
    bench.write_bytes(w, numbers.back());
  }
  ASSERT_TRUE(static_cast<bool>(bench.executable().run(args_for(1))));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (float& x : numbers[i]) x = static_cast<float>(rounded(type, x));
    EXPECT_EQ(bench.read(halves[i]), numbers[i]) << "weight " << i;
  }
}

/// Kernels that multiply: in a tf32 plan these alone round their operands.
inline const std::vector<std::string>& multiplying_kernels() {
  static const std::vector<std::string> names{"conv2d",
                                              "conv2d_relu",
                                              "conv2d_grad_input",
                                              "conv2d_grad_weight",
                                              "conv_transpose2d",
                                              "conv_transpose2d_grad_input",
                                              "conv_transpose2d_grad_weight",
                                              "linear",
                                              "linear_grad_input",
                                              "linear_grad_weight"};
  return names;
}
/// Kernels whose operands may be halves. These two read fp32 in any plan.
inline std::vector<std::string> kernels_of_halves(const std::vector<std::string>& all) {
  std::vector<std::string> names;
  for (const std::string& k : all)
    if (generators().count(k) && k != "round_bf16" && k != "store_half") names.push_back(k);
  return names;
}

}  // namespace nw::test
