// SPDX-License-Identifier: Apache-2.0
// formula_bench: the time of formulas on the CPU's vectors, in nanoseconds an element, beside the built-in kernels that
// compute the same; the best of 60 passes over 16 images of 64 channels of 28 by 28 pixels.
#include <chrono>
#include <cstdio>
#include <vector>

#include "engine/formula/expression.hpp"
#include "kernels/cpu/vector/vector_kernels.hpp"

namespace {
using namespace nw;

constexpr std::int64_t elements = 16 * 64 * 28 * 28;

struct Case {
  const char* text;
  cpu::Unary same;
};
constexpr Case cases[] = {{"x * sigmoid(a * x)", cpu::Unary::silu},
                          {"x * tanh(softplus(x))", cpu::Unary::mish},
                          {"where(x > 0, x, exp(x) - 1)", cpu::Unary::elu},
                          {"0.5 * x * (1 + erf(x / sqrt(2)))", cpu::Unary::gelu},
                          {"max(x, 0.1 * x)", cpu::Unary::leaky_relu}};

template <class F>
double best_ns(F pass) {
  double best = 1e9;
  for (int round = 0; round < 60; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    pass();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best * 1e9 / static_cast<double>(elements);
}

double time_of(const cpu::VectorKernels& k, const formula::Compiled& c, const float* x, const float* dy, float* y) {
  std::vector<float> constants(16);
  for (int i = 0; i < c.program.constants; ++i) constants.insert(constants.end() - 16, 16, c.program.constant[i]);
  cpu::FormulaArgs f{&c.program, constants.data(), {}, y, elements};
  for (std::size_t i = 0; i < c.inputs.size(); ++i) f.x[i] = c.inputs[i] == formula::dy ? dy : x;
  return best_ns([&] { k.layer.formula(f); });
}

void measure(const cpu::VectorKernels& k, const Case& of) {
  std::vector<float> x(elements), dy(elements), y(elements);
  for (std::int64_t i = 0; i < elements; ++i) {
    x[static_cast<std::size_t>(i)] = static_cast<float>(i * 7919 % 1000) / 125 - 4;
    dy[static_cast<std::size_t>(i)] = static_cast<float>(i % 17) / 17;
  }
  const auto e = formula::read_expression(of.text, {1, 1, 1});
  const auto value = formula::value_program(*e), gradient = formula::gradient_program(*e, 0);
  const double v = time_of(k, *value, x.data(), dy.data(), y.data()),
               g = time_of(k, *gradient, x.data(), dy.data(), y.data()),
               built_in = best_ns([&] {
                 k.unary(of.same, x.data(), y.data(), elements, {1, 1});
               }),
               built_in_gradient = best_ns([&] {
                 k.unary_gradient(of.same, dy.data(), x.data(), y.data(), elements, {1, 1});
               });
  std::printf("%-9s %-34s %2d instructions %.3f ns, built in %.3f, x%.2f; gradient %2d, %.3f ns, %.3f, x%.2f\n", k.isa,
              of.text, value->program.instructions, v, built_in, v / built_in, gradient->program.instructions, g,
              built_in_gradient, g / built_in_gradient);
}

}  // namespace

int main() {
  std::vector<const cpu::VectorKernels*> sets{&cpu::portable::vector_kernels()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(&cpu::avx2::vector_kernels());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
    sets.push_back(&cpu::avx512::vector_kernels());
#endif
  for (const cpu::VectorKernels* k : sets)
    for (const Case& c : cases) measure(*k, c);
}
