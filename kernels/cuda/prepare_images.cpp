// SPDX-License-Identifier: Apache-2.0
// Pooling and batch norm.
#include <bit>

#include "kernels/batch_norm_finalize.hpp"
#include "kernels/cuda/launches.hpp"

namespace nw::cuda {
namespace {

PoolShape pool_shape(const Preparing& p, const Value& image, const Value& pooled) {
  const Sizes x = sizes_of(image), y = sizes_of(pooled);
  const Pair kernel = pair_attr(p.c.step, "kernel", 1), stride = pair_attr(p.c.step, "stride", 1),
             padding = pair_attr(p.c.step, "padding", 0);
  const auto n = [](i64 size) { return static_cast<int>(size); };
  return {n(x.c),      n(x.h),      n(x.w),      n(y.h),       n(y.w),      n(kernel.h),
          n(kernel.w), n(stride.h), n(stride.w), n(padding.h), n(padding.w)};
}
bool counts_padding(const Preparing& p) { return int_attr(p.c.step.attrs, "count_include_pad", 1) != 0; }
i64 results(const Preparing& p) { return p.c.out_value(0).shape.elements(); }

template <class T>
void max_pool2d(Preparing& p) {
  const PoolShape shape = pool_shape(p, p.c.in_value(0), p.c.out_value(0));
  const T* x = p.c.in<T>(0);
  T* y = p.c.out<T>(0);
  auto* argmax = p.c.out<std::uint8_t>(1);
  by_width<pack_size<T>>(shape.c, [&](auto w) { p.each(results(p) / w(), MaxPool2d<T, w()>{shape, x, y, argmax}); });
}
template <class T>
void max_pool2d_grad(Preparing& p) {
  const PoolShape shape = pool_shape(p, p.c.out_value(0), p.c.in_value(0));
  const T* dy = p.c.in<T>(0);
  const auto* argmax = p.c.in<std::uint8_t>(1);
  T* dx = p.c.out<T>(0);
  by_width<pack_size<T>>(shape.c, [&](auto w) {
    p.each(results(p) / w(), MaxPool2dGrad<T, w()>{shape, dy, argmax, dx});
  });
}
template <class T>
void avg_pool2d(Preparing& p) {
  p.each(results(p), AvgPool2d<T>{pool_shape(p, p.c.in_value(0), p.c.out_value(0)), p.c.in<T>(0), p.c.out<T>(0),
                                  counts_padding(p)});
}
template <class T>
void avg_pool2d_grad(Preparing& p) {
  p.each(results(p), AvgPool2dGrad<T>{pool_shape(p, p.c.out_value(0), p.c.in_value(0)), p.c.in<T>(0), p.c.out<T>(0),
                                      counts_padding(p)});
}
template <class T>
void global_avg_pool2d(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  sum_pixels(p, x, 1, GlobalAvgPool2d<T>{p.c.in<T>(0), p.c.out<T>(0), x.pixels()});
}
template <class T>
void global_avg_pool2d_grad(Preparing& p) {
  const Sizes x = sizes_of(p.c.out_value(0));
  p.each(x.elements(), GlobalAvgPool2dGrad<T>{p.c.in<T>(0), p.c.out<T>(0), x.c, x.pixels()});
}

/// The sums over the valid samples: those of the whole batch less those of the padding.
template <class T>
void subtract_padding(Preparing& p, const Sizes& x, const ChannelStatistics& whole) {
  constexpr i64 blocks = 128, least_rows = 8;
  by_width<channels_of_thread>(x.c, [&](auto w) {
    using Blocks = SumRows<NormSums<T, w()>>;
    const RowBlocks rows = row_blocks(x, w(), blocks, least_rows, Blocks::threads);
    const i64 slices = (rows.rows + rows.rows_per_slice - 1) / rows.rows_per_slice;
    auto* parts = p.scratch<double>(slices * 2 * x.c);
    p.each(slices * rows.tiles, Blocks{rows, {p.c.in<T>(0)}, parts, x.pixels(), p.block, true});
    p.sum_into(parts, SubtractPadding{whole.sums, whole.squares, p.c.out<double>(0), x.c}, 2 * x.c, slices);
  });
}
template <class T>
void batch_norm_stats(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  if (const auto made = p.sums.find(p.c.step.inputs[0]); made != p.sums.end())
    return subtract_padding<T>(p, x, made->second);
  by_width<channels_of_thread>(x.c,
                               [&](auto w) { sum_rows(p, x, NormSums<T, w()>{p.c.in<T>(0)}, p.c.out<double>(0)); });
}
template <class T>
void batch_norm_grad_stats(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  const T *dy = p.c.in<T>(0), *from = p.c.in<T>(1);
  by_width<channels_of_thread>(x.c, [&](auto w) {
    sum_rows(p, x, NormGradSums<T, w()>{dy, from, p.c.in(2), x.c}, p.c.out<double>(0));
  });
}
void batch_norm_finalize(Preparing& p) {
  const StepAttrs& a = p.c.step.attrs;
  const i64 channels = p.c.in_value(0).shape.elements() / 2;
  p.each(channels, BatchNormFinalize{p.c.in<double>(0), p.c.in(1), p.c.in(2), p.c.in<i64>(3), p.c.out(0), channels,
                                     real_attr(a, "momentum"), real_attr(a, "eps"), real_attr(a, "spatial"),
                                     is_local(p.c.step), p.block});
}
// With ReLU, a residual may be added before it.
template <class T, bool relu>
void apply(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  const T *from = p.c.in<T>(0), *residual = relu ? p.c.in<T>(4) : nullptr;
  T* to = p.c.out<T>(0);
  by_width<channels_of_thread>(x.c, [&](auto w) {
    each_row(p, x, NormApply<T, w()>{from, residual, p.c.in(1), p.c.in(2), p.c.in(3), to, x.c, relu});
  });
}
template <class T>
void batch_norm_apply(Preparing& p) {
  apply<T, false>(p);
}
template <class T>
void batch_norm_apply_relu(Preparing& p) {
  apply<T, true>(p);
}
template <class T, bool relu>
void infer(Preparing& p) {
  p.each(results(p), BatchNormInference<T>{p.c.in<T>(0), relu ? p.c.in<T>(5) : nullptr, p.c.in(1), p.c.in(2), p.c.in(3),
                                           p.c.in(4), p.c.out<T>(0), sizes_of(p.c.in_value(0)).c,
                                           static_cast<float>(real_attr(p.c.step.attrs, "eps")), relu});
}
template <class T>
void batch_norm_inference(Preparing& p) {
  infer<T, false>(p);
}
template <class T>
void batch_norm_inference_relu(Preparing& p) {
  infer<T, true>(p);
}
template <class T>
void batch_norm_inference_grad(Preparing& p) {
  p.each(results(p), BatchNormInference<T>{p.c.in<T>(0), nullptr, nullptr, p.c.in(1), p.c.in(2), nullptr, p.c.out<T>(0),
                                           sizes_of(p.c.in_value(0)).c,
                                           static_cast<float>(real_attr(p.c.step.attrs, "eps")), false});
}
void batch_norm_grad_weight(Preparing& p) {
  const i64 channels = p.c.in_value(0).shape.elements() / 2;
  p.each(channels, BatchNormGradWeight{p.c.in<double>(0), p.c.out(0), p.c.out(1), channels});
}
template <class T>
void batch_norm_grad_input(Preparing& p) {
  const Sizes x = sizes_of(p.c.out_value(0));
  const T *dy = p.c.in<T>(0), *from = p.c.in<T>(1);
  T* to = p.c.out<T>(0);
  by_width<channels_of_thread>(x.c, [&](auto w) {
    each_row(p, x,
             NormGradInput<T, w()>{dy, from, p.c.in(2), p.c.in(3), p.c.in<double>(4), to, x.c, x.pixels(),
                                   real_attr(p.c.step.attrs, "spatial"), is_local(p.c.step), p.block});
  });
}

}  // namespace

RowBlocks row_blocks(const Sizes& image, int width, i64 blocks, i64 least, int threads) {
  constexpr i64 most_across = 32;
  const i64 groups = (image.c + width - 1) / width, rows = image.n * image.pixels(),
            across = smaller(static_cast<i64>(std::bit_ceil(static_cast<std::uint64_t>(groups))), most_across),
            tiles = (groups + across - 1) / across, lanes = threads / across,
            slices = larger(1, smaller(blocks / tiles, rows / (lanes * least)));
  return {rows, (rows + slices - 1) / slices, static_cast<int>(image.c), static_cast<int>(across),
          static_cast<int>(tiles)};
}

Table pool_entries() {
  return {{"max_pool2d", NW_TYPED(max_pool2d)},
          {"max_pool2d_grad", NW_TYPED(max_pool2d_grad)},
          {"avg_pool2d", NW_TYPED(avg_pool2d)},
          {"avg_pool2d_grad", NW_TYPED(avg_pool2d_grad)},
          {"global_avg_pool2d", NW_TYPED(global_avg_pool2d)},
          {"global_avg_pool2d_grad", NW_TYPED(global_avg_pool2d_grad)}};
}
Table batch_norm_entries() {
  return {{"batch_norm_stats", NW_TYPED(batch_norm_stats)},
          {"batch_norm_finalize", batch_norm_finalize},
          {"batch_norm_apply", NW_TYPED(batch_norm_apply)},
          {"batch_norm_apply_relu", NW_TYPED(batch_norm_apply_relu)},
          {"batch_norm_inference", NW_TYPED(batch_norm_inference)},
          {"batch_norm_inference_relu", NW_TYPED(batch_norm_inference_relu)},
          {"batch_norm_inference_grad", NW_TYPED(batch_norm_inference_grad)},
          {"batch_norm_grad_stats", NW_TYPED(batch_norm_grad_stats)},
          {"batch_norm_grad_weight", batch_norm_grad_weight},
          {"batch_norm_grad_input", NW_TYPED(batch_norm_grad_input)}};
}

}  // namespace nw::cuda
