// SPDX-License-Identifier: Apache-2.0
// Shared by the element functors. A functor holds addresses and sizes, is copied to the device unchanged, and is called
// once for each index: f(i) writes only elements that belong to index i and that no other index reads or writes. So the
// order of indices never matters, no result depends on the device, and the same bodies run on the host.
#pragma once
#include <cstdint>
#include <type_traits>

#include "kernels/math/philox.hpp"

/// Before a loop: the device's compiler repeats its body, all of its rounds or n at once.
#if defined(__CUDACC__)
#define NW_PRAGMA(words) _Pragma(#words)
#define NW_UNROLL NW_PRAGMA(unroll)
#define NW_UNROLL_BY(n) NW_PRAGMA(unroll n)
#else
#define NW_UNROLL
#define NW_UNROLL_BY(n)
#endif

namespace nw::cuda {

using i64 = std::int64_t;

/// The device's side of StepArgs and StepMetrics. The host copies it to the device before a step and back after it.
struct StepBlock {
  i64 step, epoch;
  std::uint64_t seed;
  i64 valid, global_valid;
  double loss_divisor;
  double learning_rate;
  double loss_sum, penalty, grad_norm;
  i64 correct, samples;
  i64 finite, skipped;
  double loss_scale;  // scale of the next step; 0: no scaling
  i64 good_steps;
};

/// Dynamic loss scaling (Micikevicius et al., "Mixed precision training", 2018): stored on the device between steps.
struct LossScaler {
  double scale;
  i64 good_steps;  // since the scale last changed
};

/// The arguments of a step, one line of a burst.
struct StepLine {
  i64 step, epoch;
  std::uint64_t seed;
  i64 valid, global_valid;
  double loss_divisor;
  double learning_rate;
};

/// The samples of a step, stored on the device; see SampleSet.
struct SampleSource {
  const std::uint8_t* pixels;
  const i64* labels;
  const float* table;
  i64 height, width, channels;
  i64 crop_padding, mirror;
  std::uint32_t crop_op, flip_op;
};

/// Steps that run without the host in between: the device's side of run_many(). `next` is the line of the current step.
struct Burst {
  static constexpr i64 max_steps = 64;
  i64 next;
  SampleSource source;
  StepLine lines[max_steps];
};

/// The results of a step for the host, in memory that host and device share.
struct StepRecord {
  i64 step;  // 1-based; 0: not written yet
  double loss_sum, penalty, grad_norm;
  i64 correct, samples, finite, skipped;
  double loss_scale;
  i64 good_steps;
};

/// For values that the host may read while the device works.
template <class T>
NW_HOST_DEVICE inline void publish(T* at, T value) {
#if defined(__CUDA_ARCH__)
  *const_cast<volatile T*>(at) = value;
#else
  __atomic_store_n(at, value, __ATOMIC_RELAXED);
#endif
}

/// Written by a launch when it begins, to memory that host and device share: the host reads it when the device does not
/// respond.
struct Mark {
  std::int32_t* at;  // null: this launch writes nothing
  std::int32_t number;
};

/// The contribution of one sample to the metrics.
struct LossPart {
  double loss;
  i64 correct, samples;
};

/// A long sum of floats: short runs in float, their totals in double.
class LongSum {
 public:
  NW_HOST_DEVICE void add(float v) {
    run_ += v;
    if (++count_ == 16) flush();
  }
  NW_HOST_DEVICE double value() {
    flush();
    return total_;
  }

 private:
  NW_HOST_DEVICE void flush() {
    total_ += static_cast<double>(run_);
    run_ = 0;
    count_ = 0;
  }
  double total_ = 0;
  float run_ = 0;
  int count_ = 0;
};

/// The range of `count` elements in slice `slice` of `slices`.
struct Range {
  i64 begin, end;
};
NW_HOST_DEVICE inline Range slice_of(i64 count, i64 slices, i64 slice) {
  const i64 each = (count + slices - 1) / slices, begin = slice * each, end = begin + each;
  return {begin < count ? begin : count, end < count ? end : count};
}
/// index divided by `by`, which is positive: in 32 bits where these suffice, which is several times as fast.
struct Division {
  i64 quotient;
  int rest;
};
NW_HOST_DEVICE inline Division divide(i64 index, int by) {
  if (index >> 32 != 0) return {index / by, static_cast<int>(index % by)};
  const auto all = static_cast<std::uint32_t>(index), part = static_cast<std::uint32_t>(by);
  return {all / part, static_cast<int>(all % part)};
}
NW_HOST_DEVICE inline i64 smaller(i64 a, i64 b) { return a < b ? a : b; }
NW_HOST_DEVICE inline i64 larger(i64 a, i64 b) { return a > b ? a : b; }
NW_HOST_DEVICE inline int smaller(int a, int b) { return a < b ? a : b; }
NW_HOST_DEVICE inline int larger(int a, int b) { return a > b ? a : b; }
template <class A, class B>
NW_HOST_DEVICE inline i64 smaller(A a, B b) {
  return smaller(static_cast<i64>(a), static_cast<i64>(b));
}
template <class A, class B>
NW_HOST_DEVICE inline i64 larger(A a, B b) {
  return larger(static_cast<i64>(a), static_cast<i64>(b));
}

/// `N` adjacent numbers, read or written at once; their address is a multiple of their size.
template <class T, int N>
struct alignas(N * sizeof(T)) Pack {
  T at[N];
};
template <int N, class T>
NW_HOST_DEVICE inline Pack<T, N> read_pack(const T* from) {
  return *reinterpret_cast<const Pack<T, N>*>(from);
}
template <int N, class T>
NW_HOST_DEVICE inline void write_pack(T* to, const Pack<T, N>& pack) {
  *reinterpret_cast<Pack<T, N>*>(to) = pack;
}

/// The numbers that a thread reads at once: 16 bytes.
template <class T>
inline constexpr int pack_size = 16 / static_cast<int>(sizeof(T));
/// Calls f(N, at) for the pack at index `index` of `count` numbers: once with N = pack_size and a whole pack, or, for
/// the last numbers, with N = 1 for each.
template <class T, class F>
NW_HOST_DEVICE inline void each_in_pack(i64 index, i64 count, const F& f) {
  constexpr int size = pack_size<T>;
  const i64 at = index * size;
  if (at + size <= count) return f(std::integral_constant<int, size>{}, at);
  for (i64 e = at; e < count; ++e) f(std::integral_constant<int, 1>{}, e);
}

/// Index i: the sum over slices of parts[slice][i].
template <class Out>
struct SumParts {
  const double* parts;
  Out* out;
  i64 count, slices;
  NW_HOST_DEVICE void operator()(i64 i) const {
    double sum = 0;
    for (i64 s = 0; s < slices; ++s) sum += parts[s * count + i];
    out[i] = static_cast<Out>(sum);
  }
};

/// Index: an element of an input, as copied from the host. Samples beyond the valid ones become zero, so that results
/// computed from them stay finite and add nothing.
template <class T>
struct TakeInput {
  const T* brought;
  T* x;
  i64 per_sample;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 i) const { x[i] = i / per_sample < block->valid ? brought[i] : T(0); }
};

}  // namespace nw::cuda
