// SPDX-License-Identifier: Apache-2.0
// A plan's step on a device: launches of element kernels, in order, on one stream.
#pragma once
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <type_traits>

#include "kernels/cuda/blocks/list.hpp"
#include "kernels/cuda/driver_api.hpp"
#include "kernels/cuda/engines.hpp"
#include "kernels/executor.hpp"

namespace nw::cuda {

/// One call of one kernel, or of a library. The functor is copied to the device when the launch is enqueued or
/// captured.
struct Launch {
  static constexpr std::size_t max_bytes = 576;
  const char* kernel = nullptr;  // null: `call` is used instead
  std::int64_t count = 0;        // of elements, or of blocks
  unsigned threads = 0;          // of each block; 0: a functor of elements
  alignas(16) std::byte functor[max_bytes];
  std::function<Status(DriverStream)> call;  // enqueues without waiting; may be captured any number of times
  bool warms_up = false;                     // called once before any capture, so that libraries load their code
  int step = -1;                             // index in the plan; -1: belongs to none
  std::int32_t mark = -1;                    // value written when it begins; -1: none

  template <class F>
  static Launch of(std::int64_t count, const F& f) {
    static_assert(std::is_trivially_copyable_v<F> && sizeof(F) <= max_bytes && element_name<F> != nullptr);
    Launch l;
    l.kernel = element_name<F>;
    l.count = count;
    if constexpr (BlockFunctor<F>) l.threads = F::threads;
    std::memcpy(l.functor, &f, sizeof f);
    return l;
  }
};

/// A number of a step of a pipeline's update, of the weights of one stage, that becomes the sum over all stages.
struct StageSum {
  std::size_t launches = 0;  // of the part of the step, before the sum is exchanged
  double* number = nullptr;
};

/// Sums and sums of squares of a value's channels, over all samples of the batch, including padding.
struct ChannelStatistics {
  float *sums = nullptr, *squares = nullptr;
};

/// The resources with which a kernel turns a step into launches. Every step is prepared twice, the first time to
/// determine the scratch that the plan requires; addresses from scratch() are then invalid.
struct Preparing {
  KernelContext& c;
  StepBlock* block;
  const i64* sample;
  FlatRegion flat;
  LossScaler* scaler;  // null: the plan has no loss scaling
  std::byte* scratch_begin;
  i64& scratch_bytes;
  std::vector<Launch>& launches;
  Engines& engines;
  std::vector<std::string>& choices;
  /// By value: the channel sums computed together with it.
  std::map<int, ChannelStatistics>& sums;
  std::vector<StageSum>& stage_sums;
  i64 taken = 0;

  /// Scratch until the end of the step; all steps share the memory.
  template <class T>
  T* scratch(i64 count) {
    const i64 at = taken;
    taken += (count * static_cast<i64>(sizeof(T)) + 255) / 256 * 256;
    scratch_bytes = larger(scratch_bytes, taken);
    return scratch_begin ? reinterpret_cast<T*>(scratch_begin + at) : nullptr;
  }
  /// Launches f(0) … f(count - 1), in any order; of a functor of blocks, `count` blocks.
  template <class F>
  void each(i64 count, const F& f) {
    if (count > 0) launches.push_back(Launch::of(count, f));
  }
  /// Launches f for all packs of `count` numbers of type T.
  template <class T, class F>
  void each_pack(i64 count, const F& f) {
    each((count + pack_size<T> - 1) / pack_size<T>, f);
  }
  /// Sums the number over the stages, if the plan is of one of several: launches that follow read the sum.
  void sum_over_stages(double* number) {
    if (int_attr(c.step.attrs, "weights_of_all", 0) > 0) stage_sums.push_back({launches.size(), number});
  }
  /// Adds a library call, which enqueues on the stream when the step is enqueued, not before.
  void call(std::function<Status(DriverStream)> enqueue) {
    launches.emplace_back().call = std::move(enqueue);
    launches.back().warms_up = true;
  }
  /// Adds a line for Executable::choices(): the implementation of this step.
  void chose(const std::string& what) {
    if (scratch_begin) choices.push_back(c.step.label + ": " + c.step.kernel + " by " + what);
  }
  /// out[i] = sum over slices of parts[slice][i], in an order that depends on the sizes alone.
  template <class T>
  void sum(const double* parts, T* out, i64 count, i64 slices) {
    constexpr i64 few = 16;
    if (slices <= few) return each(count, SumParts<T>{parts, out, count, slices});
    sum_into(parts, StoreSum<T>{out}, count, slices);
  }
  /// result(i, the sum over slices of parts[slice][i]), in the same order.
  template <class Result>
  void sum_into(const double* parts, const Result& result, i64 count, i64 slices) {
    constexpr i64 most_across = 16;
    const i64 across = smaller(static_cast<i64>(std::bit_ceil(static_cast<std::uint64_t>(count))), most_across);
    each((count + across - 1) / across, SumColumns<Result>{parts, result, count, slices, static_cast<int>(across)});
  }
};

/// Calls f(T{}) with the type T in which values of this type are stored.
template <class F>
void by_type(DType type, F f) {
  if (type == DType::bf16)
    f(math::Bf16{});
  else if (type == DType::f16)
    f(math::Half{});
  else
    f(float{});
}
/// The function of a table entry, instantiated for the type in which the step's first input is stored.
#define NW_TYPED(function) \
  [](Preparing& p) { by_type(p.c.in_value(0).dtype, [&](auto t) { function<decltype(t)>(p); }); }

struct Entry {
  std::string_view name;
  void (*prepare)(Preparing&);
};
using Table = std::vector<Entry>;
const Table& kernel_table();
const Entry* find_entry(std::string_view name);

Table conv2d_entries();
Table linear_entries();
Table pool_entries();
Table batch_norm_entries();
Table elementwise_entries();
Table shape_entries();
Table loss_entries();
Table update_entries();
Table more_entries();
Table channel_entries();

/// A value's sizes as an image: vectors are images of one pixel.
struct Sizes {
  i64 n = 1, c = 1, h = 1, w = 1;
  i64 pixels() const { return h * w; }
  i64 elements() const { return n * c * h * w; }
};
Sizes sizes_of(const Value&);

/// The number of slices into which `work` sums of `length` terms are divided, so that the device is busy. Depends on
/// the sizes alone.
inline i64 slices_for(i64 work, i64 length) { return larger(1, smaller(length, 65536 / larger(work, 1))); }

/// `count` floats in the type T, which a library requires: the floats themselves, or a copy in scratch.
template <class T>
void* stored(Preparing& p, float* x, i64 count) {
  if constexpr (std::is_same_v<T, float>) {
    return x;
  } else {
    auto* y = p.scratch<T>(count);
    p.each(count, Store<T>{x, y});
    return y;
  }
}

/// Rows of channels divided among about `blocks` blocks of `threads` threads, each of which has `width` channels of
/// `least` rows or more.
RowBlocks row_blocks(const Sizes& image, int width, i64 blocks, i64 least, int threads);
/// Calls f(W) with the number of adjacent channels that a thread takes, as a std::integral_constant: `wide` where the
/// channels are a multiple of it. Values begin at multiples of 16 bytes.
template <int wide, class F>
void by_width(i64 channels, F f) {
  if (channels % wide == 0)
    f(std::integral_constant<int, wide>{});
  else
    f(std::integral_constant<int, 1>{});
}
constexpr int channels_of_thread = 4;

/// out[sum][channel] = the sums of `term` over the rows of an image that belong to valid samples.
template <class Term, class Out>
void sum_rows(Preparing& p, const Sizes& image, const Term& term, Out* out) {
  constexpr i64 least_rows = 8;
  using Blocks = SumRows<Term>;
  const RowBlocks rows = row_blocks(image, Term::width, blocks_of_sum, least_rows, Blocks::threads);
  const i64 slices = (rows.rows + rows.rows_per_slice - 1) / rows.rows_per_slice;
  auto* parts = p.scratch<double>(slices * Term::sums * image.c);
  p.each(slices * rows.tiles, Blocks{rows, term, parts, image.pixels(), p.block, false});
  p.sum(parts, out, Term::sums * image.c, slices);
}
/// The sums of `term` over the pixels of each sample; `loads`: the numbers that a term reads for one pixel.
template <class Term>
void sum_pixels(Preparing& p, const Sizes& image, i64 loads, const Term& term) {
  using Blocks = SumPixels<Term>;
  constexpr i64 most_across = 16, most_loads = 64, many_blocks = 129;
  i64 across = smaller(static_cast<i64>(std::bit_ceil(static_cast<std::uint64_t>(image.c))), most_across);
  // few blocks with many pixels: more threads for each channel
  while (across > 1 && image.n * Blocks::tiles(image.c, across) < many_blocks &&
         image.pixels() * loads * across > most_loads * Blocks::threads)
    across /= 2;
  p.each(image.n * Blocks::tiles(image.c, across), Blocks{term, image.c, image.pixels(), static_cast<int>(across)});
}
/// Calls `op` for every row of an image.
template <class Op>
void each_row(Preparing& p, const Sizes& image, const Op& op) {
  constexpr i64 blocks = 4096, least_rows = 4;
  const RowBlocks rows = row_blocks(image, Op::width, blocks, least_rows, EachRow<Op>::threads);
  p.each((rows.rows + rows.rows_per_slice - 1) / rows.rows_per_slice * rows.tiles, EachRow<Op>{rows, op});
}

/// Computes db, the second output of a weight gradient, if the plan has it: the sums of dy over samples and pixels.
template <class T>
void bias_gradient(Preparing& p) {
  if (!p.c.has_out(1)) return;
  const Sizes y = sizes_of(p.c.in_value(0));
  by_width<channels_of_thread>(y.c, [&](auto w) { sum_rows(p, y, SumOfChannel<T, w()>{p.c.in<T>(0)}, p.c.out(1)); });
}

}  // namespace nw::cuda
