// SPDX-License-Identifier: Apache-2.0
// Every operation of kernels/math/program.hpp on every instruction set, beside the C library in double, and programs as
// attributes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/cpu/vector/vector_kernels.hpp"
#include "kernels/formula_program.hpp"

namespace nw::test {
namespace {

using math::Operation;
using math::Program;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

std::vector<const cpu::VectorKernels*> sets() {
  std::vector<const cpu::VectorKernels*> all{&cpu::portable::vector_kernels()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back(&cpu::avx2::vector_kernels());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
    all.push_back(&cpu::avx512::vector_kernels());
#endif
  return all;
}

double by_library(Operation op, double a, double b, double c) {
  switch (op) {
    case Operation::copy:
      return a;
    case Operation::negative:
      return -a;
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::least:
      return std::isnan(a) || std::isnan(b) ? nan_value : std::min(a, b);
    case Operation::greatest:
      return std::isnan(a) || std::isnan(b) ? nan_value : std::max(a, b);
    case Operation::power:
      return a < 0 ? nan_value : std::pow(a, b);
    case Operation::exponential:
      return std::exp(a);
    case Operation::logarithm:
      return std::log(a);
    case Operation::root:
      return std::sqrt(a);
    case Operation::absolute:
      return std::abs(a);
    case Operation::sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;
    case Operation::tanh:
      return std::tanh(a);
    case Operation::sigmoid:
      return 1 / (1 + std::exp(-a));
    case Operation::softplus:
      return a > 40 ? a : std::log1p(std::exp(a));
    case Operation::relu:
      return a <= 0 ? 0 : a;
    case Operation::error_function:
      return std::erf(a);
    case Operation::sine:
      return std::sin(a);
    case Operation::cosine:
      return std::cos(a);
    case Operation::greater:
      return a > b;
    case Operation::not_less:
      return a >= b;
    case Operation::choose:
      return a != 0 ? b : c;
  }
  return nan_value;
}

Program one(Operation op) {
  Program p;
  p.instructions = 1;
  p.inputs = 3;
  p.instruction[0] = {op, 0, Program::first_input, Program::first_input + 1, Program::first_input + 2};
  return p;
}

std::vector<float> computed(const cpu::VectorKernels& k, const Program& p, const std::vector<float>* x) {
  std::vector<float> y(x[0].size(), -7);
  std::vector<float> constants;
  for (int i = 0; i < p.constants; ++i) constants.insert(constants.end(), 16, p.constant[i]);
  k.layer.formula(
      {&p, constants.data(), {x[0].data(), x[1].data(), x[2].data()}, y.data(), static_cast<std::int64_t>(y.size())});
  return y;
}

/// |x| from 1e-3 to 60 in both signs, more than one block of them, whose length is no multiple of a block.
void fill(std::vector<float>* x) {
  for (int i = 0; i < 1328; ++i) {
    const double size = std::pow(10.0, -3 + 4.78 * i / 1328);
    x[0].push_back(static_cast<float>(i % 2 ? -size : size));
    x[1].push_back(static_cast<float>(std::sin(i) * 3));
    x[2].push_back(static_cast<float>(i));
  }
}

TEST(FormulaProgram, EveryOperationComputesWhatTheLibraryDoesOnEveryInstructionSet) {
  std::vector<float> x[3];
  fill(x);
  for (const cpu::VectorKernels* k : sets())
    for (int o = 0; o < math::operation_count; ++o) {
      const auto op = static_cast<Operation>(o);
      const std::vector<float> y = computed(*k, one(op), x);
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double want = by_library(op, x[0][i], x[1][i], x[2][i]);
        if (std::isnan(want) || std::abs(want) > 3e38 || (want != 0 && std::abs(want) < 1e-37)) {
          EXPECT_TRUE(!std::isnan(want) || std::isnan(y[i])) << k->isa << " operation " << o << " of " << x[0][i];
          continue;
        }
        // powers are exponentials of products: their error grows with the exponent
        const double growth = op == Operation::power ? 1 + std::abs(std::log(std::abs(want))) : 1;
        ASSERT_NEAR(y[i], want, 4e-7 * growth * std::max(std::abs(want), 1e-3))
            << k->isa << " operation " << o << " of " << x[0][i] << ", " << x[1][i];
      }
    }
}

TEST(FormulaProgram, LimitsAreThoseOfTheLibrary) {
  const std::vector<float> points{0,      -0.0f,  infinity, -infinity, std::numeric_limits<float>::quiet_NaN(),
                                  1e-40f, 1e38f,  -1,       1,         0.5f,
                                  2,      3e-39f, 7e3f,     -7e3f,     1.17549435e-38f,
                                  3.4e38f};
  const std::vector<float> x[3] = {points, std::vector<float>(16, 1), std::vector<float>(16, 2)};
  for (const cpu::VectorKernels* k : sets())
    for (const Operation op : {Operation::logarithm, Operation::root, Operation::sine, Operation::cosine,
                               Operation::error_function, Operation::sign, Operation::relu, Operation::softplus,
                               Operation::least, Operation::greatest, Operation::absolute}) {
      const std::vector<float> y = computed(*k, one(op), x);
      for (std::size_t i = 0; i < 16; ++i) {
        if ((op == Operation::sine || op == Operation::cosine) && std::abs(points[i]) > 1e4f &&
            std::isfinite(points[i]))
          continue;  // see math::sine
        const double want = by_library(op, points[i], 1, 2);
        const std::string what =
            std::string(k->isa) + " " + std::to_string(static_cast<int>(op)) + " of " + std::to_string(points[i]);
        if (std::isnan(want))
          EXPECT_TRUE(std::isnan(y[i])) << what << ": " << y[i];
        else if (std::isinf(want))
          EXPECT_EQ(y[i], static_cast<float>(want)) << what;
        else
          EXPECT_NEAR(y[i], want, 1e-6 * std::max(1.0, std::abs(want))) << what;
      }
    }
}

TEST(FormulaProgram, ComesBackFromAnAttribute) {
  Program p = one(Operation::choose);
  p.constants = 2;
  p.constant[0] = -0.1f;
  p.constant[1] = 3e7f;
  p.instruction[0].b = Program::first_constant + 1;
  const Program again = program_of({{"program", to_attribute(p)}});
  EXPECT_EQ(again.instructions, 1);
  EXPECT_EQ(again.inputs, 3);
  EXPECT_EQ(again.constant[0], p.constant[0]);
  EXPECT_EQ(again.constant[1], p.constant[1]);
  const double x[] = {1, 2, 3};
  EXPECT_EQ(math::run<double>(again, x), 3e7);
}

TEST(FormulaProgram, WhatIsNoProgramHasNoInstructions) {
  const auto count = [](const StepAttrs& attrs) { return program_of(attrs).instructions; };
  EXPECT_EQ(count({}), 0);
  EXPECT_EQ(count({{"program", std::int64_t{3}}}), 0);
  EXPECT_EQ(count({{"program", std::vector<std::int64_t>{1, 1, 0}}}), 0) << "an instruction is missing";
  EXPECT_EQ(count({{"program", std::vector<std::int64_t>{65, 1, 0}}}), 0);
  const auto with = [&](std::uint8_t to, std::uint8_t a, std::uint8_t operation) {
    const std::int64_t word = operation | std::int64_t{to} << 8 | std::int64_t{a} << 16;
    return count({{"program", std::vector<std::int64_t>{1, 1, 1, word, 0}}});
  };
  EXPECT_EQ(with(0, Program::first_input, 0), 1);
  EXPECT_EQ(with(0, Program::first_constant, 0), 1);
  EXPECT_EQ(with(Program::most_registers, Program::first_input, 0), 0) << "no such register";
  EXPECT_EQ(with(0, Program::first_input + 1, 0), 0) << "no such input";
  EXPECT_EQ(with(0, Program::first_constant + 1, 0), 0) << "no such constant";
  EXPECT_EQ(with(0, Program::first_input, math::operation_count), 0) << "no such operation";
}

}  // namespace
}  // namespace nw::test
