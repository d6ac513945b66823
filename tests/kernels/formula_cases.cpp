// SPDX-License-Identifier: Apache-2.0
// Random programs for the kernel `formula`: any operation of kernels/math/program.hpp, whose operands are kept where
// floats and doubles agree.
#include "kernels/formula_program.hpp"
#include "tests/kernels/kernel_cases.hpp"

namespace nw::test {
namespace {

using math::Operation;
using math::Program;

class RandomProgram {
 public:
  RandomProgram(Rng& r, int inputs) : r_(r) {
    p_.inputs = inputs;
    for (int i = 0; i < 3; ++i) p_.constant[p_.constants++] = 0.25f + static_cast<float>(r() % 100) / 40;
  }
  Program make() {
    for (std::int64_t n = pick(r_, 2, 10); n > 0; --n) step();
    return p_;
  }

 private:
  std::uint8_t input(int i) const { return static_cast<std::uint8_t>(Program::first_input + i); }
  std::uint8_t constant(int i) const { return static_cast<std::uint8_t>(Program::first_constant + i); }
  std::uint8_t any() {
    const auto which = r_() % 5;
    if (which == 0) return constant(static_cast<int>(r_() % 3));
    if (which <= 2 || results_ == 0) return input(static_cast<int>(r_() % static_cast<unsigned>(p_.inputs)));
    return static_cast<std::uint8_t>(r_() % static_cast<unsigned>(results_));
  }
  void add(Operation op, std::uint8_t to, std::uint8_t a, std::uint8_t b = 0, std::uint8_t c = 0) {
    p_.instruction[p_.instructions++] = {op, to, a, b, c};
  }
  bool is_step(Operation op) const {  // where floats and doubles may fall on different sides
    return op == Operation::sign || op == Operation::greater || op == Operation::not_less || op == Operation::choose;
  }

  /// An operation of bounded operands: tanh(x), and a constant more than |tanh(x)| where 0 is a pole.
  void step() {
    const auto op = static_cast<Operation>(r_() % math::operation_count);
    const std::uint8_t first = any(), second = any(), spare = 14, other = 15;
    const auto to = static_cast<std::uint8_t>(results_ < 12 ? results_ : static_cast<int>(r_() % 12));
    if (is_step(op)) {
      add(op, to, input(0), op == Operation::choose ? first : constant(0), second);
    } else {
      add(Operation::tanh, spare, first);
      add(Operation::tanh, other, second);
      const bool positive = op == Operation::logarithm || op == Operation::root || op == Operation::power;
      const std::uint8_t pole = op == Operation::divide ? other : spare;
      if (positive || op == Operation::divide) {
        add(Operation::absolute, pole, pole);
        add(Operation::add, pole, pole, constant(0));
      }
      add(op, to, spare, other);
    }
    results_ = std::max(results_, to + 1);
  }

  Rng& r_;
  Program p_;
  int results_ = 0;
};

KernelCase formula(Rng& r) {
  KernelCase k = activation(r);
  const auto inputs = static_cast<int>(pick(r, 1, Program::most_inputs));
  const TensorCase first = k.inputs[0];
  k.inputs.clear();
  for (int i = 0; i < inputs; ++i) {
    k.inputs.push_back(first);
    k.inputs.back().name = "x" + std::to_string(i);
    k.inputs.back().fill = Fill::wide;
  }
  k.attrs["program"] = to_attribute(RandomProgram(r, inputs).make());
  return k;
}

}  // namespace

std::map<std::string, Generator> formula_cases() { return {{"formula", formula}}; }

}  // namespace nw::test
