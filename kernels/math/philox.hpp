// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 4.3.
// Counter-based: the same numbers on every backend, batch split, device count and after every resume.
#pragma once
#include <array>
#include <cstdint>

#if defined(__CUDACC__)
#define NW_HOST_DEVICE __host__ __device__
#else
#define NW_HOST_DEVICE
#endif

namespace nw {

struct PhiloxBlock {
  std::uint32_t v[4];
};

/// Ten rounds over a 128-bit counter with a 64-bit key.
NW_HOST_DEVICE inline PhiloxBlock philox(PhiloxBlock c, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * c.v[0], b = std::uint64_t{0xCD9E8D57u} * c.v[2];
    c = PhiloxBlock{{static_cast<std::uint32_t>(b >> 32) ^ c.v[1] ^ key0, static_cast<std::uint32_t>(b),
                     static_cast<std::uint32_t>(a >> 32) ^ c.v[3] ^ key1, static_cast<std::uint32_t>(a)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

/// The key and counter of random numbers: seed and operation are the key; epoch, sample and element the counter.
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint32_t op = 0;  // Step::op, or one of the fixed numbers in engine/core/rng.hpp
  std::uint32_t epoch = 0;
  std::uint64_t sample = 0;  // data-set index; at most 2^48
};

/// Four random words for block `block` of this key (elements 4*block … 4*block+3).
NW_HOST_DEVICE inline PhiloxBlock philox_block(const RandomKey& k, std::uint32_t block) {
  const PhiloxBlock c{{block, static_cast<std::uint32_t>(k.sample),
                       static_cast<std::uint32_t>(k.sample >> 32) ^ (k.op << 16), k.epoch}};
  return philox(c, static_cast<std::uint32_t>(k.seed) ^ (k.op * 0x9E3779B9u),
                static_cast<std::uint32_t>(k.seed >> 32) ^ k.op);
}

/// A word as a float in [0, 1): its upper 24 bits.
NW_HOST_DEVICE inline float unit_float(std::uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

/// Element `element` of this key as a float in [0, 1).
NW_HOST_DEVICE inline float philox_uniform(const RandomKey& k, std::uint32_t element) {
  return unit_float(philox_block(k, element / 4).v[element % 4]);
}

}  // namespace nw
