// SPDX-License-Identifier: Apache-2.0
// Rounding to bfloat16, a vector at a time.
#pragma once
#include "kernels/cpu/vector/simd.hpp"

namespace nw::cpu::NW_ISA {
namespace {

typedef std::uint32_t WordVec __attribute__((vector_size(NW_WIDTH * 4)));
/// The bits of math::round_bf16(v): the lower halves are zero.
NW_INLINE WordVec rounded_words(Vec v) {
  const WordVec bits = reinterpret_cast<WordVec>(v);
  const WordVec nearest = bits + 0x7fffu + ((bits >> 16) & 1u);
  const WordVec kept = reinterpret_cast<IntVec>(bits & 0x7fffffffu) > 0x7f800000 ? bits | 0x00400000u : nearest;
  return kept & 0xffff0000u;
}

}  // namespace
}  // namespace nw::cpu::NW_ISA
