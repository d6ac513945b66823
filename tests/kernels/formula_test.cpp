// SPDX-License-Identifier: Apache-2.0
// The formulas of kernels/math/activation.hpp in double: every derivative against finite differences of its value over
// -12 … 12, on both sides of every kink, and the results for NaN and infinity.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/math/element.hpp"

namespace nw::test {
namespace {

using Numbers = math::Parameters<double>;

struct Formula {
  const char* name;
  const math::ElementInfo* info;
  double (*value)(double, Numbers);
  double (*gradient)(double, double, Numbers);
  double derivative(double x, Numbers p) const {
    return gradient(1, info->gradient_reads == math::Operand::x ? x : value(x, p), p);
  }
};
void PrintTo(const Formula& f, std::ostream* out) { *out << f.name; }
template <class F>
Formula formula() {
  return {math::kernel_name<F>, &F::info, [](double x, Numbers p) { return math::value<F, double>(x, p); },
          [](double dy, double v, Numbers p) { return math::gradient<F, double>(dy, v, p); }};
}
std::vector<Formula> formulas() {
#define NW_FORMULA_OF(name, F, ...) formula<math::F>(),
  return {NW_ELEMENT_KERNELS(NW_FORMULA_OF)};
#undef NW_FORMULA_OF
}

/// 0: the defaults, 1 and 2: both ends of the range that tests draw from.
Numbers parameters(const math::ElementInfo& info, int which) {
  Numbers p;
  for (int i = 0; i < math::most_parameters; ++i) {
    const math::Parameter& q = info.parameters[i];
    p.v[i] = which == 0 ? q.otherwise : which == 1 ? q.low : q.high;
  }
  return p;
}

class ElementFormula : public testing::TestWithParam<Formula> {};

TEST_P(ElementFormula, TheGradientIsTheDerivativeOfTheValue) {
  const Formula& f = GetParam();
  constexpr double h = 1e-4, tolerance = 1e-4, points = 4000;
  for (int which = 0; which < 3; ++which) {
    const Numbers p = parameters(*f.info, which);
    int kinks = 0;
    for (int i = 0; i < points; ++i) {
      const double x = -12 + 24 * (i + 0.37) / points, here = f.value(x, p);
      const double left = (here - f.value(x - h, p)) / h, right = (f.value(x + h, p) - here) / h;
      if (std::abs(left - right) > 3e-4)
        ++kinks;  // the derivative jumps within h of x: a central difference cannot approximate it
      else
        ASSERT_NEAR(f.derivative(x, p), (left + right) / 2, tolerance)
            << f.name << " at x = " << x << ": correct gradient() in kernels/math/activation.hpp";
    }
    EXPECT_LE(kinks, points / 100) << f.name << " has a kink at every hundredth point: is value() continuous?";
  }
}

TEST_P(ElementFormula, ANanInputGivesANanOutput) {
  const Formula& f = GetParam();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(f.value(nan, parameters(*f.info, 0))))
      << f.name << " hides a value that is not a number from the check that stops training";
}

TEST_P(ElementFormula, LargeInputsGiveFiniteValues) {
  const Formula& f = GetParam();
  for (const double x : {-1e4, 1e4}) {
    const Numbers p = parameters(*f.info, 0);
    EXPECT_TRUE(std::isfinite(f.value(x, p))) << f.name << " at " << x;
    EXPECT_TRUE(std::isfinite(f.derivative(x, p))) << f.name << "'s gradient at " << x;
  }
}

TEST_P(ElementFormula, TestParametersDifferFromTheDefaults) {
  for (const math::Parameter& p : GetParam().info->parameters) {
    if (!p.name) continue;
    EXPECT_LT(p.low, p.high) << GetParam().name << "." << p.name;
    EXPECT_NE(p.low, p.otherwise) << GetParam().name << "." << p.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, ElementFormula, testing::ValuesIn(formulas()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace nw::test
