// SPDX-License-Identifier: Apache-2.0
// What a user writes for the layer Formula: an element-wise expression such as "x * sigmoid(a * x)". It is data: it is
// read with limits, never compiled by a compiler, and names nothing outside of itself.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formula/terms.hpp"
#include "kernels/result.hpp"

namespace nw::formula {

inline constexpr std::size_t longest_expression = 400;  // bytes
inline constexpr int deepest_nesting = 32, most_operations = 64, most_inputs = 3;

/// a, b and c.
using Numbers = std::array<double, 3>;

struct Expression {
  Terms terms;
  int root = 0;
  int inputs = 0;  // the number of inputs up to the last one that it reads
};

/// Grammar: numbers, x y z (inputs), a b c (`numbers`), pi, + - * / ^ (powers, from the right; -x^2 is -(x^2)),
/// < <= > >= (1 or 0), parentheses, and the functions of function_names(). Errc::bad_input: a sentence with the column
/// (from 1, in characters), also if its value or a derivative takes more operations than a program may have.
Result<Expression> read_expression(std::string_view, const Numbers& numbers);
/// The functions' names, for messages and help: "abs, cos, …".
std::string function_names();

/// A program and the inputs that it takes, in the order of a step's: dy first.
struct Compiled {
  math::Program program;
  std::vector<int> inputs;
};
/// The value of the expression, or dy times its derivative by `input`.
Result<Compiled> value_program(const Expression&);
Result<Compiled> gradient_program(const Expression&, int input);

}  // namespace nw::formula
