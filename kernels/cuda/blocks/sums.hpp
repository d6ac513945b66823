// SPDX-License-Identifier: Apache-2.0
// Sums over many blocks: parts by block first, then the sum of the parts.
#pragma once
#include "kernels/cuda/blocks/block.hpp"
#include "kernels/cuda/elements/update.hpp"

namespace nw::cuda {

/// out[i] = the sum.
template <class Out>
struct StoreSum {
  Out* out;
  NW_HOST_DEVICE void operator()(i64 i, double sum) const { out[i] = static_cast<Out>(sum); }
};

/// result(i, the sum over slices of parts[slice][i]), `across` sums in each block.
template <class Result>
struct SumColumns {
  static constexpr int threads = 256, phases = 1 + halvings<threads>;
  struct Shared {
    double sums[threads];
  };
  const double* parts;
  Result result;
  i64 count, slices;
  int across;
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    const i64 i = block * across + thread % across;
    if (phase == 0)
      shared.sums[thread] = i < count ? of_lane(i, thread / across) : 0;
    else
      add_halves<threads>(shared.sums, thread, across, phase);
    if (phase == phases - 1 && thread < across && i < count) result(i, shared.sums[thread]);
  }

 private:
  NW_HOST_DEVICE double of_lane(i64 i, int lane) const {
    double sum = 0;
    const i64 step = threads / across;
    NW_UNROLL_BY(8)
    for (i64 s = lane; s < slices; s += step) sum += parts[s * count + i];
    return sum;
  }
};

/// The sum of a number for each weight over the flat region, divided among `blocks` blocks.
template <class Term>
struct FlatSum {
  static constexpr int threads = 256, phases = 1 + halvings<threads>;
  struct Shared {
    double sums[threads];
  };
  FlatRegion r;
  Term term;
  double* parts;
  i64 blocks;
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    if (phase == 0)
      shared.sums[thread] = of_thread(block, thread);
    else
      add_halves<threads>(shared.sums, thread, 1, phase);
    if (phase == phases - 1 && thread == 0) parts[block] = shared.sums[0];
  }

 private:
  static constexpr int at_once = 4;
  // FlatRegion::group is a multiple of at_once: the numbers read at once have one rule.
  NW_HOST_DEVICE double of_thread(i64 block, int thread) const {
    const auto state = term.begin();
    double sum = 0;
    NW_UNROLL_BY(4)
    for (i64 e = (block * threads + thread) * at_once; e < r.elements; e += blocks * threads * at_once) {
      const WeightRule& rule = r.rule(e);
      if (rule.lr_scale != 0) sum += term.sum(state, r, rule, e);
    }
    return sum;
  }
};

/// The squares of the gradients, which it divides by the loss scale.
struct SquareOfGradient {
  const LossScaler* scaler;  // null: the loss is not scaled
  NW_HOST_DEVICE float begin() const { return scaler ? static_cast<float>(1 / scaler->scale) : 1.0f; }
  NW_HOST_DEVICE double sum(float scale, const FlatRegion& r, const WeightRule&, i64 e) const {
    auto g = read_pack<4>(r.grads + e);
    double sum = 0;
    for (float& v : g.at) {
      v *= scale;
      sum += static_cast<double>(v) * v;
    }
    if (scaler) write_pack(r.grads + e, g);
    return sum;
  }
};
/// The penalties of the weights that decay.
struct PenaltyOfWeight {
  Penalty penalty;
  NW_HOST_DEVICE int begin() const { return 0; }
  NW_HOST_DEVICE double sum(int, const FlatRegion& r, const WeightRule& rule, i64 e) const {
    double sum = 0;
    if (rule.decay)
      for (const float v : read_pack<4>(r.weights + e).at) sum += penalty.value(v);
    return sum;
  }
};

}  // namespace nw::cuda
