// SPDX-License-Identifier: Apache-2.0
// The softmax of attention and its gradient, over the weights of each token, which 16 lanes share.
#pragma once
#include <math.h>

#include "kernels/cuda/blocks/block.hpp"
#include "kernels/cuda/elements/attention.hpp"

namespace nw::cuda {

/// Blocks of 256 threads: 16 tokens (sample, head, i) side by side, whose weights (j) 16 lanes share.
struct TokenLanes {
  static constexpr int threads = 256, across = 16, lanes = threads / across;
  static constexpr int halves = halvings<lanes>;
  i64 count, tokens;  // of (sample, head, i); of j
  i64 index, first;
  int lane;
  NW_HOST_DEVICE TokenLanes(i64 all, i64 of_each, i64 block, int thread)
      : count(all),
        tokens(of_each),
        index(block * across + thread % across),
        first(index / of_each * of_each * of_each + index % of_each),
        lane(thread / across) {}
  NW_HOST_DEVICE static i64 blocks(i64 count) { return (count + across - 1) / across; }
  /// Calls f(place of a weight) for every weight of this lane.
  template <class F>
  NW_HOST_DEVICE void each(const F& f) const {
    for (i64 j = lane; index < count && j < tokens; j += lanes) f(first + j * tokens);
  }
};

struct Larger {
  NW_HOST_DEVICE float operator()(float a, float b) const { return a > b ? a : b; }
};
/// Over all j, in place.
struct AttentionSoftmax {
  static constexpr int threads = TokenLanes::threads, second = 1 + TokenLanes::halves, phases = 2 * second + 1;
  struct Shared {
    float largest[threads];
    double sums[threads];
  };
  float* weights;
  i64 tokens, count;
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    const TokenLanes t(count, tokens, block, thread);
    const int column = thread % TokenLanes::across;
    if (phase == 0) shared.largest[thread] = largest(t);
    if (phase > 0 && phase < second)
      combine_halves<TokenLanes::lanes>(shared.largest + thread, t.lane, TokenLanes::across, phase, Larger());
    if (phase == second) shared.sums[thread] = sum(t, shared.largest[column]);
    if (phase > second && phase < 2 * second)
      combine_halves<TokenLanes::lanes>(shared.sums + thread, t.lane, TokenLanes::across, phase - second, Plus());
    if (phase == 2 * second) store(t, shared.largest[column], static_cast<float>(1 / shared.sums[column]));
  }

 private:
  NW_HOST_DEVICE float largest(const TokenLanes& t) const {
    float most = -INFINITY;
    t.each([&](i64 at) { most = weights[at] > most ? weights[at] : most; });
    return most;
  }
  NW_HOST_DEVICE double sum(const TokenLanes& t, float most) const {
    LongSum sum;
    t.each([&](i64 at) { sum.add(expf(weights[at] - most)); });
    return sum.value();
  }
  NW_HOST_DEVICE void store(const TokenLanes& t, float most, float share) const {
    t.each([&](i64 at) { weights[at] = expf(weights[at] - most) * share; });
  }
};
/// The gradient of the scores in place of that of the weights.
struct AttentionGradScores {
  static constexpr int threads = TokenLanes::threads, phases = 2 + TokenLanes::halves;
  struct Shared {
    double dots[threads];
  };
  const float* weights;
  float* gradient;
  i64 tokens, count;
  float scale;
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    const TokenLanes t(count, tokens, block, thread);
    if (phase == 0)
      shared.dots[thread] = dot(t);
    else if (phase <= TokenLanes::halves)
      combine_halves<TokenLanes::lanes>(shared.dots + thread, t.lane, TokenLanes::across, phase, Plus());
    else
      store(t, static_cast<float>(shared.dots[thread % TokenLanes::across]));
  }

 private:
  NW_HOST_DEVICE double dot(const TokenLanes& t) const {
    LongSum sum;
    t.each([&](i64 at) { sum.add(weights[at] * gradient[at]); });
    return sum.value();
  }
  NW_HOST_DEVICE void store(const TokenLanes& t, float dot) const {
    t.each([&](i64 at) { gradient[at] = scale * weights[at] * (gradient[at] - dot); });
  }
};

}  // namespace nw::cuda
