// SPDX-License-Identifier: Apache-2.0
// Dropout of one shard. Philox 4x32-10 as in kernels/math/philox.hpp, 16 counters (one per image) side by side.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

typedef std::uint32_t Words __attribute__((vector_size(64)));
typedef std::uint64_t WideWords __attribute__((vector_size(128)));

struct Product32 {
  Words low, high;
};
NW_INLINE Product32 multiply(Words a, std::uint32_t by) {
  const WideWords p = __builtin_convertvector(a, WideWords) * by;
  return {__builtin_convertvector(p, Words), __builtin_convertvector(p >> 32, Words)};
}

void philox(Words (&c)[4], std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const Product32 a = multiply(c[0], 0xD2511F53u), b = multiply(c[2], 0xCD9E8D57u);
    c[0] = b.high ^ c[1] ^ key0;
    c[1] = b.low;
    c[2] = a.high ^ c[3] ^ key1;
    c[3] = a.low;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

}  // namespace

void dropout(const DropoutArgs& a) {
  Words low, high;
  for (int i = 0; i < lanes; ++i) {
    low[i] = a.low[i];
    high[i] = a.high[i];
  }
  const i64 numbers = a.elements / a.together;
  for (i64 first = 0; first < numbers; first += 4) {
    Words c[4] = {Words{} + static_cast<std::uint32_t>(first / 4), low, high, Words{} + a.counter3};
    philox(c, a.key0, a.key1);
    for (i64 n = first; n < first + 4 && n < numbers; ++n)
      for (i64 e = n * a.together; e < (n + 1) * a.together; ++e)
        for (int lane = 0; lane < lanes; ++lane) {
          const float uniform = static_cast<float>(static_cast<std::int32_t>(c[n - first][lane] >> 8)) * 0x1p-24f;
          a.y[e * lanes + lane] = uniform >= a.p ? a.x[e * lanes + lane] * a.scale : 0.0f;
        }
  }
}

}  // namespace nw::cpu::NW_ISA
