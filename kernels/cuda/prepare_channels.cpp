// SPDX-License-Identifier: Apache-2.0
// Channels by themselves or together at one pixel, other orders of an image's elements, and attention.
#include <cmath>

#include "kernels/cuda/launches.hpp"

namespace nw::cuda {
namespace {

i64 results(const Preparing& p) { return p.c.out_value(0).shape.elements(); }

template <class T>
void scale_channels(Preparing& p) {
  p.each(results(p), ScaleChannels<T>{p.c.in<T>(0), p.c.in(1), p.c.out<T>(0), sizes_of(p.c.in_value(0)).c});
}
template <class T>
void scale_channels_grad_weight(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(1));
  const i64 rows = x.n * x.pixels(), slices = slices_for(x.c, rows);
  auto* parts = p.scratch<double>(slices * x.c);
  p.each(slices * x.c,
         ScaleChannelsGradWeight<T>{p.c.in<T>(0), p.c.in<T>(1), parts, rows, x.c, x.pixels(), slices, p.block});
  p.sum(parts, p.c.out(0), x.c, slices);
}

// The terms of y's shape first, several at once; then the others, one by one.
template <class T>
void add_spread(Preparing& p) {
  const Sizes y = sizes_of(p.c.out_value(0));
  std::vector<T*> whole, spread;
  for (int i = 0; i < static_cast<int>(p.c.step.inputs.size()); ++i)
    (sizes_of(p.c.in_value(i)).elements() == y.elements() ? whole : spread).push_back(p.c.in<T>(i));
  const T* so_far = whole.size() == 1 && !spread.empty() ? whole[0] : nullptr;
  for (std::size_t done = 0; !so_far && done < whole.size();) {
    Add<T> f{{}, 0, p.c.out<T>(0), false, nullptr, y.elements()};
    if (done > 0) f.x[f.inputs++] = p.c.out<T>(0);
    while (done < whole.size() && f.inputs < Add<T>::most) f.x[f.inputs++] = whole[done++];
    p.each_pack<T>(y.elements(), f);
    if (done == whole.size()) so_far = p.c.out<T>(0);
  }
  for (T* s : spread) {
    p.each(y.elements(), AddSpread<T>{so_far, s, p.c.out<T>(0), y.c, y.pixels()});
    so_far = p.c.out<T>(0);
  }
}

template <class T>
void global_max_pool2d(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  p.each(x.n * x.c, GlobalMaxPool2d<T>{p.c.in<T>(0), p.c.out<T>(0), x.c, x.pixels()});
}
template <class T>
void global_max_pool2d_grad(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(1));
  p.each(x.n * x.c, GlobalMaxPool2dGrad<T>{p.c.in<T>(0), p.c.in<T>(1), p.c.out<T>(0), x.c, x.pixels()});
}

// ---- orders
template <class T>
void channel_shuffle(Preparing& p) {
  p.each(results(p), ShuffleChannels<T>{p.c.in<T>(0), p.c.out<T>(0), sizes_of(p.c.in_value(0)).c,
                                        int_attr(p.c.step.attrs, "groups")});
}
template <class T>
void transpose(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0)), y = sizes_of(p.c.out_value(0));
  i64 steps[] = {1, x.w * x.c, x.c};  // of channels, rows and columns
  std::swap(steps[int_attr(p.c.step.attrs, "first") - 1], steps[int_attr(p.c.step.attrs, "second") - 1]);
  p.each(results(p),
         TransposeImage<T>{p.c.in<T>(0), p.c.out<T>(0), y.c * y.pixels(), y.c, y.w, steps[0], steps[1], steps[2]});
}
template <class T>
void reshape(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0)), y = sizes_of(p.c.out_value(0));
  p.each(results(p), ReshapeImage<T>{p.c.in<T>(0), p.c.out<T>(0), y.c * y.pixels(), y.c, y.pixels(), x.c, x.pixels()});
}
template <class T>
void slice_grad(Preparing& p) {
  p.each(results(p), SpreadSlice<T>{p.c.in<T>(0), p.c.out<T>(0), sizes_of(p.c.out_value(0)).c,
                                    sizes_of(p.c.in_value(0)).c, int_attr(p.c.step.attrs, "begin")});
}

// ---- norms over the channels of a pixel
template <class T>
void channel_norm(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  const i64 rows = x.n * x.pixels();
  float* saved = p.c.has_out(1) ? p.c.out(1) : p.scratch<float>(2 * rows);
  p.each(RowLanes::blocks(rows), ChannelNormStats<T>{p.c.in<T>(0), saved, x.c, rows, real_attr(p.c.step.attrs, "eps")});
  p.each(results(p), ChannelNormApply<T>{{p.c.in<T>(0), saved, p.c.in(1), x.c}, p.c.in(2), p.c.out<T>(0)});
}
template <class T>
void channel_norm_grad_input(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(1));
  const i64 rows = x.n * x.pixels();
  p.each(RowLanes::blocks(rows),
         ChannelNormGradInput<T>{{p.c.in<T>(1), p.c.in(2), p.c.in(3), x.c}, p.c.in<T>(0), p.c.out<T>(0), rows});
}
template <class T>
void channel_norm_grad_weight(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(1));
  const i64 rows = x.n * x.pixels(), slices = slices_for(x.c, rows);
  for (int of = 0; of < 2; ++of) {
    if (!p.c.has_out(of)) continue;
    auto* parts = p.scratch<double>(slices * x.c);
    p.each(
        slices * x.c,
        ChannelNormGradWeight<T>{
            {p.c.in<T>(1), p.c.in(2), nullptr, x.c}, p.c.in<T>(0), parts, rows, x.pixels(), slices, of == 1, p.block});
    p.sum(parts, p.c.out(of), x.c, slices);
  }
}
template <class T>
Response<T> response_of(const Preparing& p, int x) {
  const StepAttrs& a = p.c.step.attrs;
  const i64 size = int_attr(a, "size");
  return {p.c.in<T>(x),
          sizes_of(p.c.in_value(x)).c,
          size / 2,
          (size - 1) / 2,
          static_cast<float>(real_attr(a, "alpha") / static_cast<double>(size)),
          static_cast<float>(real_attr(a, "beta")),
          static_cast<float>(real_attr(a, "k"))};
}
template <class T>
void local_response_norm(Preparing& p) {
  p.each(results(p), LocalResponseNorm<T>{response_of<T>(p, 0), p.c.out<T>(0)});
}
template <class T>
void local_response_norm_grad(Preparing& p) {
  p.each(results(p), LocalResponseNormGrad<T>{response_of<T>(p, 1), p.c.in<T>(0), p.c.out<T>(0)});
}

// ---- sequences
template <class T>
void add_tokens(Preparing& p) {
  p.each(results(p), AddTokens<T>{p.c.in<T>(0), p.c.in(1), p.c.out<T>(0), p.c.in_value(0).shape.per_sample(),
                                  p.c.in_value(1).shape.elements()});
}
template <class T>
void add_tokens_grad_weight(Preparing& p) {
  p.each(results(p), AddTokensGradWeight<T>{p.c.in<T>(0), p.c.out(0), p.c.in_value(0).shape.per_sample(), p.block});
}
HeadShape heads_of(const Preparing& p, const Value& all) {
  const Sizes x = sizes_of(all);
  const i64 heads = int_attr(p.c.step.attrs, "heads"), width = x.c / 3 / heads;
  return {heads, x.pixels(), x.c / 3, width, static_cast<float>(1 / std::sqrt(static_cast<double>(width)))};
}
template <class T>
void attention(Preparing& p) {
  const HeadShape s = heads_of(p, p.c.in_value(0));
  const i64 rows = p.c.in_value(0).shape[0] * s.heads * s.tokens;
  float* weights = p.c.has_out(1) ? p.c.out(1) : p.scratch<float>(rows * s.tokens);
  p.each(rows * s.tokens, AttentionScores<T>{s, p.c.in<T>(0), weights});
  p.each(TokenLanes::blocks(rows), AttentionSoftmax{weights, s.tokens, rows});
  p.each(results(p), AttentionResult<T>{s, p.c.in<T>(0), weights, p.c.out<T>(0)});
}
template <class T>
void attention_grad(Preparing& p) {
  const HeadShape s = heads_of(p, p.c.in_value(1));
  const i64 rows = p.c.in_value(1).shape[0] * s.heads * s.tokens;
  auto* gradient = p.scratch<float>(rows * s.tokens);
  p.each(rows * s.tokens, AttentionGradWeights<T>{s, p.c.in<T>(0), p.c.in<T>(1), gradient});
  p.each(TokenLanes::blocks(rows), AttentionGradScores{p.c.in(2), gradient, s.tokens, rows, s.scale});
  p.each(results(p), AttentionGradInput<T>{s, p.c.in<T>(0), p.c.in<T>(1), p.c.in(2), gradient, p.c.out<T>(0)});
}

}  // namespace

Table channel_entries() {
  return {{"scale_channels", NW_TYPED(scale_channels)},
          {"scale_channels_grad_weight", NW_TYPED(scale_channels_grad_weight)},
          {"add_spread", NW_TYPED(add_spread)},
          {"global_max_pool2d", NW_TYPED(global_max_pool2d)},
          {"global_max_pool2d_grad", NW_TYPED(global_max_pool2d_grad)},
          {"channel_shuffle", NW_TYPED(channel_shuffle)},
          {"transpose", NW_TYPED(transpose)},
          {"reshape", NW_TYPED(reshape)},
          {"slice_grad", NW_TYPED(slice_grad)},
          {"channel_norm", NW_TYPED(channel_norm)},
          {"channel_norm_grad_input", NW_TYPED(channel_norm_grad_input)},
          {"channel_norm_grad_weight", NW_TYPED(channel_norm_grad_weight)},
          {"local_response_norm", NW_TYPED(local_response_norm)},
          {"local_response_norm_grad", NW_TYPED(local_response_norm_grad)},
          {"add_tokens", NW_TYPED(add_tokens)},
          {"add_tokens_grad_weight", NW_TYPED(add_tokens_grad_weight)},
          {"attention", NW_TYPED(attention)},
          {"attention_grad", NW_TYPED(attention_grad)}};
}

}  // namespace nw::cuda
