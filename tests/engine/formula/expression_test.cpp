// SPDX-License-Identifier: Apache-2.0
// Expressions: what they compute, their derivatives beside finite differences, and what is refused where.
#include "engine/formula/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace nw::formula {
namespace {

using testing::HasSubstr;

constexpr Numbers ones{1, 1, 1};

double run(const Compiled& c, double x, double y, double z, double of_result) {
  const double all[] = {x, y, z, of_result};
  double in[math::Program::most_inputs] = {};
  for (std::size_t i = 0; i < c.inputs.size(); ++i) in[i] = all[c.inputs[i]];
  return math::run<double>(c.program, in);
}
double value(const std::string& text, double x, double y = 0, double z = 0, const Numbers& numbers = ones) {
  const auto e = read_expression(text, numbers);
  EXPECT_TRUE(e) << text << ": " << (e ? "" : e.error().str());
  if (!e) return NAN;
  return run(*value_program(*e), x, y, z, 0);
}
std::string refusal(const std::string& text) {
  const auto e = read_expression(text, ones);
  return e ? "" : e.error().str();
}
int instructions(const std::string& text) { return value_program(*read_expression(text, ones))->program.instructions; }

TEST(Expression, IsReadAsMathematicsDoes) {
  EXPECT_EQ(value("x + 2 * 3", 1), 7);
  EXPECT_EQ(value("x - 2 - 3", 1), -4);
  EXPECT_EQ(value("16 / x / 2", 4), 2);
  EXPECT_EQ(value("-x^2", 3), -9);
  EXPECT_NEAR(value("2^-x", 1), 0.5, 1e-7);
  EXPECT_EQ(value("x^3^2", 2), 512);
  EXPECT_EQ(value("x ** 2", 3), 9);
  EXPECT_EQ(value("(x + 1) * (x - 1)", 3), 8);
  EXPECT_EQ(value("x * +.5e1 - 1e-1 * 10", 3), 14);
  EXPECT_EQ(value("x > 2", 3), 1);
  EXPECT_EQ(value("x*(x < 2)", 3), 0);
  EXPECT_EQ(value("2 <= x", 2), 1);
  EXPECT_EQ(value("2 >= x", 3), 0);
  EXPECT_EQ(value("where(x > 0, x, 10 * x)", -2), -20);
  EXPECT_EQ(value("min(x, y) + max(x, z)", 1, -2, 5), 3);
  EXPECT_NEAR(value("pow(x, 1.5)", 4), 8, 1e-6);
  EXPECT_NEAR(value("sin(pi * x)", 0.5), 1, 1e-6);
  EXPECT_NEAR(value("a * x + b * c", 2, 0, 0, {3, 5, 7}), 41, 0);
  EXPECT_NEAR(value("x * sigmoid(a * x)", 1.5, 0, 0, {2, 1, 1}), 1.5 / (1 + std::exp(-3)), 1e-9);
}

struct Sample {
  const char* text;
  double low, high;
};
constexpr Sample samples[] = {{"x * sigmoid(a * x)", -6, 6},
                              {"x * tanh(softplus(x))", -6, 6},
                              {"0.5 * x * (1 + erf(x / sqrt(2)))", -4, 4},
                              {"where(x > 0, x, a * (exp(x) - 1))", -4, 4},
                              {"x + sin(b * x)^2 / b", -5, 5},
                              {"log(1 + x^2) * cos(x)", -5, 5},
                              {"exp(-x^2)", -3, 3},
                              {"sqrt(abs(x) + c)", -3, 3},
                              {"x^-3 + x^1.7", 0.3, 3},
                              {"pow(x, x)", 0.3, 3},
                              {"2^x - x^5", -2, 2},
                              {"relu(x)^2", -2, 2},
                              {"min(x, 1) * max(x, -1)", -3, 3},
                              {"x * (x > 0.5) + 1 / (2 + x^2)", -3, 3},
                              {"x * y / (1 + z^2)", -3, 3},
                              {"(x - y)^2 * tanh(z * x)", -2, 2},
                              {"log(x / (x + y^2 + 1))", 0.5, 4},
                              {"-(-x) - -3 * (x - y) * z / 4", -2, 2}};

TEST(Expression, DerivativesAgreeWithFiniteDifferences) {
  const Numbers numbers{1.3, 0.7, 0.4};
  for (const Sample& s : samples) {
    const auto e = read_expression(s.text, numbers);
    ASSERT_TRUE(e) << s.text << ": " << e.error().str();
    const Compiled of_value = *value_program(*e);
    for (int by = 0; by < e->inputs; ++by) {
      const auto gradient = gradient_program(*e, by);
      ASSERT_TRUE(gradient) << s.text;
      int compared = 0;
      for (int i = 0; i < 200; ++i) {
        double at[3] = {s.low + (s.high - s.low) * (i + 0.37) / 200, std::sin(i), std::cos(3 * i) + 0.1};
        const auto moved = [&](double h) {
          double p[3] = {at[0], at[1], at[2]};
          p[by] += h;
          return run(of_value, p[0], p[1], p[2], 0);
        };
        constexpr double h = 1e-5;
        const double left = (moved(0) - moved(-h)) / h, right = (moved(h) - moved(0)) / h;
        if (std::abs(left - right) > 0.02 * (1 + std::abs(left))) continue;  // a kink
        const double slope = (left + right) / 2;
        EXPECT_NEAR(run(*gradient, at[0], at[1], at[2], 1.5), 1.5 * slope, 2e-4 * (1 + std::abs(slope)))
            << s.text << " by input " << by << " at " << at[0];
        ++compared;
      }
      EXPECT_GT(compared, 180) << s.text;
    }
  }
}

/// A random expression of `depth` levels, tame enough for finite differences.
std::string random_expression(std::mt19937& r, int depth) {
  static const char* leaves[] = {"x", "y", "x", "a", "0.75", "2"};
  if (depth == 0) return leaves[r() % 6];
  const auto inner = [&] { return random_expression(r, depth - 1); };
  static const char* functions[] = {"tanh", "sigmoid", "sin", "cos", "softplus", "erf"};
  switch (r() % 7) {
    case 0:
      return "(" + inner() + " + " + inner() + ")";
    case 1:
      return "(" + inner() + " - " + inner() + ")";
    case 2:
      return "tanh(" + inner() + ") * " + inner();
    case 3:
      return "(" + inner() + ") / (1 + (" + inner() + ")^2)";
    case 4:
      return "-" + inner();
    case 5:
      return "log(1 + abs(" + inner() + "))";
    default:
      return std::string(functions[r() % 6]) + "(" + inner() + ")";
  }
}

TEST(Expression, RandomOnesHaveTheirDerivatives) {
  std::mt19937 r(7);
  int read = 0;
  for (int n = 0; n < 400; ++n) {
    const std::string text = "x * " + random_expression(r, 1 + static_cast<int>(r() % 4));
    const auto e = read_expression(text, {1.25, 1, 1});
    if (!e) {
      EXPECT_THAT(e.error().str(), testing::AnyOf(HasSubstr("operations"), HasSubstr("bytes"), HasSubstr("results")));
      continue;
    }
    ++read;
    const Compiled of_value = *value_program(*e), gradient = *gradient_program(*e, 0);
    for (const double x : {-1.7, -0.31, 0.53, 2.2}) {
      constexpr double h = 1e-5;
      const double left = (run(of_value, x, 0.4, 0, 0) - run(of_value, x - h, 0.4, 0, 0)) / h,
                   right = (run(of_value, x + h, 0.4, 0, 0) - run(of_value, x, 0.4, 0, 0)) / h;
      if (std::abs(left - right) > 0.02 * (1 + std::abs(left))) continue;
      ASSERT_NEAR(run(gradient, x, 0.4, 0, 1), (left + right) / 2, 1e-3 * (1 + std::abs(left))) << text << " at " << x;
    }
  }
  EXPECT_GT(read, 300);
}

TEST(Expression, IsSimplified) {
  EXPECT_EQ(instructions("x"), 1);
  EXPECT_EQ(instructions("1 * x + 0"), 1);
  EXPECT_EQ(instructions("x / 4 * 2"), 1) << "one product by 0.5";
  EXPECT_EQ(instructions("(x + 1) * (x + 1)"), 2) << "the sum is computed once";
  EXPECT_EQ(instructions("x ^ 8"), 3);
  EXPECT_EQ(instructions("x ^ 0.5"), 1);
  EXPECT_EQ(instructions("x + (2 * 3 - 6)"), 1);
  const auto e = read_expression("2 * x + 3", ones);
  const Compiled gradient = *gradient_program(*e, 0);
  EXPECT_EQ(gradient.inputs, std::vector<int>{dy}) << "the slope of a line does not read x";
  EXPECT_EQ(gradient.program.instructions, 1);
}

TEST(Expression, TheGradientOfTheResultIsTheFirstInput) {
  const Compiled gradient = *gradient_program(*read_expression("x * y", ones), 0);
  EXPECT_EQ(gradient.inputs, (std::vector<int>{dy, 1}));
  EXPECT_EQ(run(gradient, 9, 5, 0, 3), 15);
}

TEST(Expression, RefusalsNameTheColumn) {
  const std::pair<const char*, const char*> all[] = {
      {"", "is empty"},
      {"   ", "is empty"},
      {"x +", "column 4: a number, a name or \"(\" is expected here"},
      {"x + * 2", "column 5: \"*\" is not expected here"},
      {"x 2", "column 3: \"2\" is not expected here"},
      {"2x", "column 2: \"x\" is not expected here"},
      {"(x + 1", "column 7: \")\" is missing"},
      {"x)", "column 2: \")\" is not expected here"},
      {"sin x", "column 5: \"(\" is missing after sin"},
      {"x + foo(x)", "column 5: there is no function \"foo\""},
      {"x + bar", "column 5: \"bar\" is no name here"},
      {"x * max(x)", "column 5: max takes 2 values, here are 1"},
      {"x * sin(x, 2, 3, 4)", "column 5: sin takes 1 values, here are 4"},
      {"x + 1e99", "column 5: this is not a number up to 1e30"},
      {"x + .", "column 5: this is not a number"},
      {"x < 1 < 2", "column 7: \"<\" is not expected here"},
      {"x; import os", "column 2: \";\" is not expected here"},
      {"größe * x", "column 1: \"gr\" is no name here"},
      {"x + ×", "column 5: \"×\" is not expected here"},
      {"1 + a", "does not read its input x"},
      {"x - $k", "column 5: \"$\" is not expected here"}};
  for (const auto& [text, why] : all) EXPECT_THAT(refusal(text), HasSubstr(why)) << text;
  EXPECT_THAT(refusal(std::string("x + \x01")), HasSubstr("\"?\"")) << "no control character reaches a terminal";
}

TEST(Expression, LimitsAreChecked) {
  EXPECT_THAT(refusal("x" + std::string(400, ' ')), HasSubstr("more than 400 bytes"));
  EXPECT_EQ(refusal("x" + std::string(399, ' ')), "");
  const auto nested = [](int levels) { return std::string(levels, '(') + "x" + std::string(levels, ')'); };
  EXPECT_EQ(refusal(nested(32)), "");
  EXPECT_THAT(refusal(nested(33)), HasSubstr("column 33: it is nested more than 32 levels deep"));
  EXPECT_THAT(refusal(std::string(100, '-') + "x"), HasSubstr("nested"));
  EXPECT_THAT(refusal("x" + std::string(33, '^') + "2"), HasSubstr("not expected"));
  std::string powers = "x";
  for (int i = 0; i < 40; ++i) powers += "^3";
  EXPECT_FALSE(refusal(powers).empty());
  std::string sums = "x";
  for (int i = 0; i < 65; ++i) sums += "+x*y";
  EXPECT_THAT(refusal(sums), HasSubstr("more than 64 operations"));
  std::string many = "x";
  for (int i = 0; i < 40; ++i) many += "+" + std::to_string(i + 3) + "*x*x";
  EXPECT_FALSE(refusal(many).empty());
  std::string derivative = "sin(x)";
  for (int i = 0; i < 14; ++i) derivative = "sin(x*" + derivative + ")";
  EXPECT_THAT(refusal(derivative), HasSubstr("or its derivative takes"));
}

}  // namespace
}  // namespace nw::formula
