// SPDX-License-Identifier: Apache-2.0
// The kernels on the processor's tiles. Compiled for AVX-512 too; nothing here is inline elsewhere.
#include <immintrin.h>

#include "kernels/cpu/tiles/amx_unit.hpp"
#include "kernels/cpu/tiles/tile_loops.hpp"

namespace nw::cpu::amx {
namespace {

// One instruction rounds both vectors, one interleaves them. Numbers too small to be normal become zero, as they do in a product of tiles.
void pair_lanes(const LanePairs& given) {
  const LanePairs p = given;
  alignas(64) static constexpr struct Interleaved {
    std::uint16_t at[32];
    constexpr Interleaved() : at{} {
      for (std::uint16_t i = 0; i < 32; ++i) at[i] = static_cast<std::uint16_t>(i / 2 + (i % 2) * 16);
    }
  } interleaved;
  const __m512i places = _mm512_load_si512(interleaved.at);
  const auto row = [&](const float* from, i64 i) { return from ? _mm512_loadu_ps(from + i * p.step) : _mm512_setzero_ps(); };
  for (i64 i = 0; i < p.count; ++i) {
    const __m512bh halves = _mm512_cvtne2ps_pbh(row(p.b, i), row(p.a, i));
    _mm512_storeu_si512(p.to + i * p.to_step, _mm512_permutexvar_epi16(places, reinterpret_cast<__m512i>(halves)));
  }
}

}  // namespace

const TileKernels& tile_kernels() {
  static constexpr TileKernels table{"amx", product<AmxUnit>, gradient<AmxUnit>, outer<AmxUnit>, pair_lanes};
  return table;
}

}  // namespace nw::cpu::amx
