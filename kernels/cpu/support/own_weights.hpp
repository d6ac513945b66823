// SPDX-License-Identifier: Apache-2.0
// Weights that each worker packs itself: no worker waits for them, and they never move between caches.
#pragma once
#include "kernels/cpu/support/kernels.hpp"

namespace nw::cpu {

/// One copy per worker, packed at its first use in a step: of(worker, RunState::runs, pack(to)).
class OwnWeights {
 public:
  OwnWeights(KernelContext& c, std::int64_t bytes)
      : each_(line_bytes + round_up(bytes, line_bytes)), first_(c.own<std::byte>(c.workers * each_)) {}
  template <class Pack>
  const std::uint32_t* of(int worker, std::int64_t step, Pack pack) const {
    std::byte* const own = first_ + worker * each_;
    auto& packed_in = *reinterpret_cast<std::int64_t*>(own);
    auto* const weights = reinterpret_cast<std::uint32_t*>(own + line_bytes);
    if (packed_in != step) pack(weights);
    packed_in = step;
    return weights;
  }

 private:
  static constexpr std::int64_t line_bytes = 64;
  const std::int64_t each_;
  std::byte* const first_;
};

}  // namespace nw::cpu
