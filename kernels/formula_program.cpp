// SPDX-License-Identifier: Apache-2.0
#include "kernels/formula_program.hpp"

#include <bit>

namespace nw {
namespace {

using math::Instruction;
using math::Operation;
using math::Program;

std::int64_t packed(const Instruction& i) {
  return static_cast<std::int64_t>(i.operation) | std::int64_t{i.to} << 8 | std::int64_t{i.a} << 16 |
         std::int64_t{i.b} << 24 | std::int64_t{i.c} << 32;
}
Instruction unpacked(std::int64_t word) {
  const auto byte = [&](int at) { return static_cast<std::uint8_t>(word >> (8 * at)); };
  return {static_cast<Operation>(byte(0)), byte(1), byte(2), byte(3), byte(4)};
}

bool is_sound(const Program& p, const Instruction& i) {
  if (static_cast<int>(i.operation) >= math::operation_count || i.to >= Program::most_registers) return false;
  const std::uint8_t all[] = {i.a, i.b, i.c};
  for (int k = 0; k < math::operands_of(i.operation); ++k) {
    const int input = all[k] - Program::first_input, constant = all[k] - Program::first_constant;
    if (constant >= 0 ? constant >= p.constants : input >= p.inputs) return false;
  }
  return true;
}

}  // namespace

StepAttr to_attribute(const Program& p) {
  std::vector<std::int64_t> words{p.instructions, p.inputs, p.constants};
  for (int k = 0; k < p.instructions; ++k) words.push_back(packed(p.instruction[k]));
  for (int k = 0; k < p.constants; ++k) words.push_back(std::bit_cast<std::int32_t>(p.constant[k]));
  return words;
}

Program program_of(const StepAttrs& attrs) {
  const auto it = attrs.find("program");
  const auto* words = it == attrs.end() ? nullptr : std::get_if<std::vector<std::int64_t>>(&it->second);
  if (!words || words->size() < 3) return {};
  const std::int64_t count = (*words)[0], inputs = (*words)[1], constants = (*words)[2];
  if (count < 0 || count > Program::most_instructions || inputs < 0 || inputs > Program::most_inputs || constants < 0 ||
      constants > Program::most_constants || static_cast<std::int64_t>(words->size()) != 3 + count + constants)
    return {};
  Program p;
  p.instructions = static_cast<std::int32_t>(count);
  p.inputs = static_cast<std::int32_t>(inputs);
  p.constants = static_cast<std::int32_t>(constants);
  for (int k = 0; k < p.instructions; ++k) {
    p.instruction[k] = unpacked((*words)[static_cast<std::size_t>(3 + k)]);
    if (!is_sound(p, p.instruction[k])) return {};
  }
  for (int k = 0; k < p.constants; ++k)
    p.constant[k] =
        std::bit_cast<float>(static_cast<std::int32_t>((*words)[static_cast<std::size_t>(3 + p.instructions + k)]));
  return p;
}

}  // namespace nw
