// SPDX-License-Identifier: Apache-2.0
// Sums over the pixels of each sample, by channel.
#pragma once
#include "kernels/cuda/blocks/block.hpp"
#include "kernels/cuda/elements/pool.hpp"
#include "kernels/cuda/elements/resample.hpp"

namespace nw::cuda {

/// term.store(sample and channel, the sum of term.at(element) over pixels). Block: `across` channels of a sample.
template <class Term>
struct SumPixels {
  static constexpr int threads = 256, phases = 1 + halvings<threads>;
  struct Shared {
    double sums[threads];
  };
  Term term;
  i64 channels, pixels;
  int across;  // a power of two
  NW_HOST_DEVICE static i64 tiles(i64 channels, i64 across) { return (channels + across - 1) / across; }
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    const i64 tile = tiles(channels, across), n = block / tile, c = block % tile * across + thread % across;
    if (phase == 0)
      shared.sums[thread] = c < channels ? of_lane(n, c, thread / across) : 0;
    else
      add_halves<threads>(shared.sums, thread, across, phase);
    if (phase == phases - 1 && thread < across && c < channels) term.store(n * channels + c, shared.sums[thread]);
  }

 private:
  NW_HOST_DEVICE double of_lane(i64 n, i64 c, int lane) const {
    LongSum sum;
    for (i64 q = lane; q < pixels; q += threads / across) sum.add(term.at((n * pixels + q) * channels + c));
    return sum.value();
  }
};

}  // namespace nw::cuda
