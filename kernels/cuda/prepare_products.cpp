// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/launches.hpp"

namespace nw::cuda {
namespace {

ConvShape conv_shape(const Preparing& p, const Value& image, const Value& result) {
  const Sizes x = sizes_of(image), y = sizes_of(result);
  const Pair stride = pair_attr(p.c.step, "stride", 1), padding = pair_attr(p.c.step, "padding", 0), dilation = pair_attr(p.c.step, "dilation", 1);
  const i64 groups = int_attr(p.c.step.attrs, "groups", 1);
  return {x.n, x.c, x.h, x.w, y.c, y.h, y.w, 0, 0, stride.h, stride.w, padding.h, padding.w, dilation.h, dilation.w, x.c / groups, y.c / groups};
}
ConvShape with_window(ConvShape s, const Value& weights) {
  s.kh = weights.shape[2];
  s.kw = weights.shape[3];
  return s;
}

// db: the sums of dy over samples and pixels.
void bias_gradient(Preparing& p, const Value& dy) {
  if (!p.c.has_out(1)) return;
  const Sizes y = sizes_of(dy);
  const i64 rows = y.n * y.pixels(), slices = slices_for(y.c, rows);
  auto* parts = p.scratch<double>(slices * y.c);
  p.each(slices * y.c, ChannelSums{p.c.in(0), rows, y.c, y.pixels(), parts, slices, p.block});
  p.sum(parts, p.c.out(1), y.c, slices);
}

void conv2d(Preparing& p) {
  const ConvShape s = with_window(conv_shape(p, p.c.in_value(0), p.c.out_value(0)), p.c.in_value(1));
  p.each(p.c.out_value(0).shape.elements(), Conv2d{s, p.c.in(0), p.c.in(1), p.c.in(2), p.c.out(0)});
}
void conv2d_grad_input(Preparing& p) {
  const ConvShape s = with_window(conv_shape(p, p.c.out_value(0), p.c.in_value(0)), p.c.in_value(1));
  p.each(p.c.out_value(0).shape.elements(), Conv2dGradInput{s, p.c.in(0), p.c.in(1), p.c.out(0)});
}
void conv2d_grad_weight(Preparing& p) {
  const ConvShape s = with_window(conv_shape(p, p.c.in_value(1), p.c.in_value(0)), p.c.out_value(0));
  const i64 slices = slices_for(s.weights(), s.n);
  auto* parts = p.scratch<double>(slices * s.weights());
  p.each(slices * s.weights(), Conv2dGradWeight{s, p.c.in(0), p.c.in(1), parts, slices, p.block});
  p.sum(parts, p.c.out(0), s.weights(), slices);
  bias_gradient(p, p.c.in_value(0));
}

void linear(Preparing& p) {
  const Shape& w = p.c.in_value(1).shape;
  p.each(p.c.out_value(0).shape.elements(), Linear{p.c.in(0), p.c.in(1), p.c.in(2), p.c.out(0), w[1], w[0]});
}
void linear_grad_input(Preparing& p) {
  const Shape& w = p.c.in_value(1).shape;
  p.each(p.c.out_value(0).shape.elements(), LinearGradInput{p.c.in(0), p.c.in(1), p.c.out(0), w[1], w[0]});
}
void linear_grad_weight(Preparing& p) {
  const Shape& w = p.c.out_value(0).shape;
  const i64 batch = p.c.in_value(0).shape[0], weights = w[0] * w[1], slices = slices_for(weights, batch);
  auto* parts = p.scratch<double>(slices * weights);
  p.each(slices * weights, LinearGradWeight{p.c.in(0), p.c.in(1), parts, batch, w[1], w[0], slices, p.block});
  p.sum(parts, p.c.out(0), weights, slices);
  bias_gradient(p, p.c.in_value(0));
}

}  // namespace

Table conv2d_entries() {
  return {{"conv2d", conv2d}, {"conv2d_grad_input", conv2d_grad_input}, {"conv2d_grad_weight", conv2d_grad_weight}};
}
Table linear_entries() {
  return {{"linear", linear}, {"linear_grad_input", linear_grad_input}, {"linear_grad_weight", linear_grad_weight}};
}

}  // namespace nw::cuda
