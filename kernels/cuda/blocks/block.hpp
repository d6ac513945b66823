// SPDX-License-Identifier: Apache-2.0
// Functors of whole blocks, for what threads must do together: sums, and rows whose channels share numbers. A functor F
// has F::threads threads, F::Shared in shared memory, and F::phases phases: f(block, thread, phase, shared) is called
// for every thread of a block and every phase. All threads end a phase before the next one begins. Within a phase a
// thread reads of shared memory only what it wrote itself or what was written in earlier phases, so the order of
// threads never matters, and the host runs the same bodies one thread after another.
#pragma once
#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// Blocks among which the terms of a sum are divided: enough for the largest devices (four for each multiprocessor of
/// an H200), and the same on all of them, because the order of additions must not depend on the device.
inline constexpr i64 blocks_of_sum = 512;

/// Phases 1 to `halvings<threads>` of a sum over the lanes of a block: thread is lane * across + column, and column c
/// of all lanes is added up, by halves, into sums[c]. `across` is a power of two.
template <int threads>
inline constexpr int halvings = threads <= 1 ? 0 : 1 + halvings<threads / 2>;
template <int threads, class Number>
NW_HOST_DEVICE inline void add_halves(Number* sums, int thread, int across, int phase) {
  const int half = threads >> phase, lane = thread / across;
  if (lane < half && lane + half < threads / across) sums[thread] += sums[thread + half * across];
}

/// Phases 1 to `halvings<lanes>` of a number that the lanes of a row or column make: their numbers lie `apart`, and
/// *at, that of this lane, becomes combine(*at, that of the lane half of them further), until lane 0 has all.
template <int lanes, class Number, class Combine>
NW_HOST_DEVICE inline void combine_halves(Number* at, int lane, int apart, int phase, const Combine& combine) {
  if (const int half = lanes >> phase; lane < half) *at = combine(*at, at[half * apart]);
}
struct Plus {
  NW_HOST_DEVICE double operator()(double a, double b) const { return a + b; }
};

/// Rows of channels (an image: one row for each pixel), divided among blocks: a thread has `width` adjacent channels,
/// every step-th row of a slice.
struct RowBlocks {
  i64 rows, rows_per_slice;
  int channels, across, tiles;  // across: threads side by side, a power of two; tiles: blocks side by side
  struct Part {
    int channel;  // the first; channels: this thread has none
    int step;
    i64 begin, end;
  };
  NW_HOST_DEVICE i64 slice(i64 block) const { return block / tiles; }
  template <int threads, int width>
  NW_HOST_DEVICE Part part(i64 block, int thread) const {
    const int channel = (static_cast<int>(block % tiles) * across + thread % across) * width;
    const i64 first = slice(block) * rows_per_slice;
    return {smaller(channel, channels), threads / across, first + thread / across,
            smaller(first + rows_per_slice, rows)};
  }
};

}  // namespace nw::cuda
