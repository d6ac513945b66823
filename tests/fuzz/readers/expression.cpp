// SPDX-License-Identifier: Apache-2.0
#include "engine/formula/expression.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_expression(Bytes bytes) {
  const auto read = formula::read_expression(as_text(bytes), {1.5, -2, 0.25});
  if (!read) return {false, read.error().str().empty() ? "a refusal says nothing" : ""};
  for (int i = 0; i < read->inputs; ++i)
    if (!formula::gradient_program(*read, i)) return {true, "an expression that was read has no derivative"};
  const auto value = formula::value_program(*read);
  if (!value || value->program.instructions < 1) return {true, "an expression that was read has no program"};
  const double x[math::Program::most_inputs] = {0.5, -1, 2, 1};
  (void)math::run<double>(value->program, x);
  return {true, {}};
}
