// SPDX-License-Identifier: Apache-2.0
// Element-wise expressions as programs: the instructions that the kernel `formula` of every backend computes for each
// element, without branches. engine/formula makes them of what a user writes; kernels/formula_program.hpp puts them
// into the attributes of a step.
#pragma once
#include <cstdint>

#include "kernels/math/functions.hpp"

namespace nw::math {

/// E(name, number of operands, value of a, b and c) for each operation; T is the type of a number.
#define NW_OPERATIONS(E)                                                                         \
  E(copy, 1, a)                                                                                  \
  E(negative, 1, -a)                                                                             \
  E(add, 2, a + b)                                                                               \
  E(subtract, 2, a - b)                                                                          \
  E(multiply, 2, a* b)                                                                           \
  E(divide, 2, a / b)                                                                            \
  E(least, 2, select(a < b, a, select(b <= a, b, a + b)))                                        \
  E(greatest, 2, select(a > b, a, select(b >= a, b, a + b)))                                     \
  E(power, 2, exponential(b* logarithm(a)))                                                      \
  E(exponential, 1, math::exponential(a))                                                        \
  E(logarithm, 1, math::logarithm(a))                                                            \
  E(root, 1, square_root(a))                                                                     \
  E(absolute, 1, math::absolute(a))                                                              \
  E(sign, 1, select(a > S(0), broadcast<T>(1), select(a < S(0), broadcast<T>(-1), a)))           \
  E(tanh, 1, hyperbolic_tangent(a))                                                              \
  E(sigmoid, 1, math::sigmoid(a))                                                                \
  E(softplus, 1, maximum(a, T{}) + logarithm_of_one_plus(math::exponential(-math::absolute(a)))) \
  E(relu, 1, select(a <= S(0), T{}, a))                                                          \
  E(error_function, 1, math::error_function(a))                                                  \
  E(sine, 1, math::sine(a))                                                                      \
  E(cosine, 1, math::cosine(a))                                                                  \
  E(greater, 2, select(a > b, broadcast<T>(1), T{}))                                             \
  E(not_less, 2, select(a >= b, broadcast<T>(1), T{}))                                           \
  E(choose, 3, select(a != S(0), b, c))

enum class Operation : std::uint8_t {
#define NW_ENUMERATOR_OF(name, ...) name,
  NW_OPERATIONS(NW_ENUMERATOR_OF)
#undef NW_ENUMERATOR_OF
};
#define NW_ONE_OF(...) +1
inline constexpr int operation_count = NW_OPERATIONS(NW_ONE_OF);
#undef NW_ONE_OF
NW_HOST_DEVICE constexpr int operands_of(Operation op) {
  switch (op) {
#define NW_OPERANDS_OF(name, count, ...) \
  case Operation::name:                  \
    return count;
    NW_OPERATIONS(NW_OPERANDS_OF)
#undef NW_OPERANDS_OF
  }
  return 0;
}

/// Register `to` = operation of a, b and c. Operands are numbered: registers, then inputs, then constants.
struct Instruction {
  Operation operation;
  std::uint8_t to, a, b, c;
};

/// Plain data: copied to the device with a launch. The last instruction's result is that of the program.
struct Program {
  static constexpr int most_instructions = 64, most_registers = 16, most_inputs = 4, most_constants = 32;
  static constexpr int first_input = most_registers, first_constant = first_input + most_inputs;
  std::int32_t instructions = 0, inputs = 0, constants = 0;
  Instruction instruction[most_instructions] = {};
  float constant[most_constants] = {};
};

/// One operation; operands that it lacks are ignored.
template <class T>
NW_FORMULA T operation(Operation op, T a, T b, T c) {
  using S = Scalar<T>;
  switch (op) {
#define NW_CASE_OF(name, count, ...) \
  case Operation::name:              \
    return __VA_ARGS__;
    NW_OPERATIONS(NW_CASE_OF)
#undef NW_CASE_OF
  }
  (void)sizeof(S);
  return a;
}

/// The program's result for one element; `x`: its inputs.
template <class T>
NW_FORMULA T run(const Program& p, const T* x) {
  T registers[Program::most_registers];
  T last{};
  const auto operand = [&](int i) {
    if (i < Program::first_input) return registers[i];
    if (i < Program::first_constant) return x[i - Program::first_input];
    return static_cast<T>(p.constant[i - Program::first_constant]);
  };
  for (int k = 0; k < p.instructions; ++k) {
    const Instruction& i = p.instruction[k];
    const int count = operands_of(i.operation);
    const T a = operand(i.a), b = count > 1 ? operand(i.b) : a, c = count > 2 ? operand(i.c) : a;
    last = operation<T>(i.operation, a, b, c);
    registers[i.to] = last;
  }
  return last;
}

}  // namespace nw::math
