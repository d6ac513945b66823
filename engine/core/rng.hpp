// SPDX-License-Identifier: Apache-2.0
// Fixed operation numbers for random draws outside the plan, and a small stream over Philox for host-side use.
#pragma once
#include <cstdint>

#include "kernels/math/philox.hpp"

namespace nw {

/// Keys of the engine; Step::op numbers start at first_step_op.
enum class RandomOp : std::uint32_t {
  split = 1,
  shuffle = 2,
  crop = 3,
  flip = 4,
  init = 5,
  synthetic = 6,
  search = 7,
  augment = 8,
  transform = 32,
  first_step_op = 64
};

/// Successive words of one key, for shuffles and initialisation.
class RandomStream {
 public:
  explicit RandomStream(RandomKey key) : key_(key) {}
  std::uint32_t word() {
    if (next_ == 4) {
      block_ = philox_block(key_, counter_++);
      next_ = 0;
    }
    return block_.v[next_++];
  }
  /// Uniform in [0, 1) with 24 bits.
  float uniform() { return unit_float(word()); }
  /// Uniform in [0, n), without bias (Lemire, "Fast random integer generation in an interval", 2019). n > 0.
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t m = std::uint64_t{word()} * n;
    if (static_cast<std::uint32_t>(m) < n)
      for (const std::uint32_t t = (0u - n) % n; static_cast<std::uint32_t>(m) < t;) m = std::uint64_t{word()} * n;
    return static_cast<std::uint32_t>(m >> 32);
  }

 private:
  RandomKey key_;
  PhiloxBlock block_{};
  std::uint32_t counter_ = 0;
  int next_ = 4;
};

}  // namespace nw
