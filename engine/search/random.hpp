// SPDX-License-Identifier: Apache-2.0
// Random numbers of a proposal: a function of the study's seed and the trial's number.
#pragma once
#include "engine/core/rng.hpp"

namespace nw::search {

class Draw {
 public:
  /// `of` tells several streams of one trial apart.
  Draw(std::uint64_t seed, std::int64_t trial, std::uint32_t of = 0)
      : words_({.seed = seed,
                .op = static_cast<std::uint32_t>(RandomOp::search),
                .epoch = of,
                .sample = static_cast<std::uint64_t>(trial)}) {}
  /// In [0, 1), with 53 bits.
  double uniform() {
    const std::uint64_t high = words_.word() >> 5, low = words_.word() >> 6;
    return static_cast<double>(high << 26 | low) * 0x1p-53;
  }
  /// In [0, n), n > 0.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }

 private:
  RandomStream words_;
};

}  // namespace nw::search
