// SPDX-License-Identifier: Apache-2.0
// Layer norm over the channels of one pixel: the sums of a row are made by the 32 lanes of a warp.
#pragma once
#include <math.h>

#include "kernels/cuda/blocks/block.hpp"
#include "kernels/cuda/elements/channels.hpp"

namespace nw::cuda {

/// Blocks of 256 threads: eight rows, whose channels 32 lanes share.
struct RowLanes {
  static constexpr int threads = 256, lanes = 32, rows = threads / lanes;
  static constexpr int halves = halvings<lanes>;
  NW_HOST_DEVICE static i64 blocks(i64 count) { return (count + rows - 1) / rows; }
  NW_HOST_DEVICE static i64 row(i64 block, int thread) { return block * rows + thread / lanes; }
  NW_HOST_DEVICE static int lane(int thread) { return thread % lanes; }
  NW_HOST_DEVICE static int first(int thread) { return thread / lanes * lanes; }
  NW_HOST_DEVICE static void add(double* sums, int thread, int phase) {
    combine_halves<lanes>(sums + thread, lane(thread), 1, phase, Plus());
  }
};

/// mean_invstd of every row.
template <class T>
struct ChannelNormStats {
  static constexpr int threads = RowLanes::threads, second = 1 + RowLanes::halves, phases = 2 * second;
  struct Shared {
    double sums[threads], squares[threads];
  };
  const T* x;
  float* mean_invstd;
  i64 channels, rows;
  double eps;
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    const i64 row = RowLanes::row(block, thread);
    const int lane = RowLanes::lane(thread);
    const auto count = static_cast<double>(channels);
    const double mean = phase < second ? 0 : shared.sums[RowLanes::first(thread)] / count;
    if (phase == 0)
      shared.sums[thread] = sum(row, lane);
    else if (phase < second)
      RowLanes::add(shared.sums, thread, phase);
    else if (phase == second)
      shared.squares[thread] = squares(row, lane, mean);
    else
      RowLanes::add(shared.squares, thread, phase - second);
    if (phase < phases - 1 || lane > 0 || row >= rows) return;
    mean_invstd[2 * row] = static_cast<float>(mean);
    mean_invstd[2 * row + 1] = static_cast<float>(1 / sqrt(shared.squares[thread] / count + eps));
  }

 private:
  NW_HOST_DEVICE double sum(i64 row, int lane) const {
    double sum = 0;
    for (i64 c = lane; row < rows && c < channels; c += RowLanes::lanes)
      sum += static_cast<float>(x[row * channels + c]);
    return sum;
  }
  NW_HOST_DEVICE double squares(i64 row, int lane, double mean) const {
    double sum = 0;
    for (i64 c = lane; row < rows && c < channels; c += RowLanes::lanes) {
      const double d = static_cast<float>(x[row * channels + c]) - mean;
      sum += d * d;
    }
    return sum;
  }
};
/// dx of every row.
template <class T>
struct ChannelNormGradInput {
  static constexpr int threads = RowLanes::threads, phases = 2 + RowLanes::halves;
  struct Shared {
    double sums[threads], dots[threads];
  };
  ChannelNorm<T> norm;
  const T* dy;
  T* dx;
  i64 rows;
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    const i64 row = RowLanes::row(block, thread);
    const int lane = RowLanes::lane(thread), first = RowLanes::first(thread);
    if (phase == 0) {
      add_up(row, lane, shared.sums[thread], shared.dots[thread]);
    } else if (phase <= RowLanes::halves) {
      RowLanes::add(shared.sums, thread, phase);
      RowLanes::add(shared.dots, thread, phase);
    } else if (row < rows) {
      const auto count = static_cast<double>(norm.channels);
      store(row, lane, shared.sums[first] / count, shared.dots[first] / count);
    }
  }

 private:
  NW_HOST_DEVICE double gradient(i64 row, i64 c) const {
    return static_cast<double>(static_cast<float>(dy[row * norm.channels + c])) * norm.scale(c);
  }
  NW_HOST_DEVICE void add_up(i64 row, int lane, double& sum, double& dot) const {
    double of_lane = 0, dot_of_lane = 0;
    for (i64 c = lane; row < rows && c < norm.channels; c += RowLanes::lanes) {
      const double d = gradient(row, c);
      of_lane += d;
      dot_of_lane += d * norm.xhat(row, c);
    }
    sum = of_lane;
    dot = dot_of_lane;
  }
  NW_HOST_DEVICE void store(i64 row, int lane, double mean, double dot) const {
    const double invstd = norm.mean_invstd[2 * row + 1];
    for (i64 c = lane; c < norm.channels; c += RowLanes::lanes)
      dx[row * norm.channels + c] = static_cast<float>(invstd * (gradient(row, c) - mean - norm.xhat(row, c) * dot));
  }
};

}  // namespace nw::cuda
