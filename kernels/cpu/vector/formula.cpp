// SPDX-License-Identifier: Apache-2.0
// Programs of kernels/math/program.hpp over contiguous floats, in blocks: each instruction is a loop over the block, so
// that the registers stay in the L1 cache and an instruction is looked up once for 512 numbers.
#include "kernels/cpu/vector/functions.hpp"
#include "kernels/cpu/vector/sources.hpp"
#include "kernels/math/program.hpp"

namespace nw::cpu::NW_ISA {
namespace {

constexpr i64 block = 512;

/// The numbers of an operand; a constant is one vector, which `mask` reads again and again.
struct Operand {
  const float* p;
  i64 mask;
};
NW_INLINE Vec number(Operand o, i64 i) { return load(o.p + (i & o.mask)); }

}  // namespace

void formula(const FormulaArgs& f) {
  using math::Program;
  const Program& p = *f.program;
  alignas(64) float registers[Program::most_registers][block];
  for (i64 at = 0; at < f.count; at += block) {
    const i64 count = f.count - at < block ? f.count - at : block;
    const auto operand = [&](int i) NW_INLINE_LAMBDA {
      if (i < Program::first_input) return Operand{registers[i], -1};
      if (i < Program::first_constant) return Operand{f.x[i - Program::first_input] + at, -1};
      return Operand{f.constants + (i - Program::first_constant) * lanes, 0};
    };
    for (int k = 0; k < p.instructions; ++k) {
      const math::Instruction& i = p.instruction[k];
      const int operands = math::operands_of(i.operation);
      const Operand u = operand(i.a), v = operands > 1 ? operand(i.b) : u, w = operands > 2 ? operand(i.c) : u;
      float* const to = k + 1 == p.instructions ? f.y + at : registers[i.to];
      switch (i.operation) {
#define NW_CASE(name, ...)                                                                                  \
  case math::Operation::name:                                                                               \
    for (i64 e = 0; e < count; e += width)                                                                  \
      store(to + e, math::operation<Vec>(math::Operation::name, number(u, e), number(v, e), number(w, e))); \
    break;
        NW_OPERATIONS(NW_CASE)
#undef NW_CASE
      }
    }
  }
}

}  // namespace nw::cpu::NW_ISA
