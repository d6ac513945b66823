// SPDX-License-Identifier: Apache-2.0
// Resampling, products, norms within a sample, and PReLU.
#include "kernels/cuda/launches.hpp"

namespace nw::cuda {
namespace {

// ---- resampling
AxisMap axis(Resampling kind, i64 in, i64 out, i64 first) {
  return {kind, static_cast<int>(in), static_cast<int>(out), static_cast<int>(first)};
}
Resampling kind_of(const Step& s) {
  if (s.kernel.starts_with("adaptive")) return Resampling::mean;
  if (s.kernel.starts_with("zero_pad")) return Resampling::padded;
  return std::get<std::string>(s.attrs.find("mode")->second) == "nearest" ? Resampling::nearest : Resampling::bilinear;
}
template <class T>
void resample(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0)), y = sizes_of(p.c.out_value(0));
  const Resampling kind = kind_of(p.c.step);
  const Pair first = kind == Resampling::padded ? pair_attr(p.c.step, "padding", 0) : Pair{};
  p.each(y.elements(), Resample<T>{axis(kind, x.h, y.h, first.h), axis(kind, x.w, y.w, first.w), p.c.in<T>(0),
                                   p.c.out<T>(0), static_cast<int>(y.c)});
}
template <class T>
void resample_grad(Preparing& p) {
  const Sizes x = sizes_of(p.c.out_value(0)), y = sizes_of(p.c.in_value(0));
  const Resampling kind = kind_of(p.c.step);
  const Pair first = kind == Resampling::padded ? pair_attr(p.c.step, "padding", 0) : Pair{};
  p.each(x.elements(), ResampleGrad<T>{axis(kind, x.h, y.h, first.h), axis(kind, x.w, y.w, first.w), p.c.in<T>(0),
                                       p.c.out<T>(0), static_cast<int>(x.c)});
}

// ---- products; of more than `most` factors the first ones are multiplied into scratch
template <class T>
Factors<T> factors_of(Preparing& p) {
  Sizes largest;
  const int inputs = static_cast<int>(p.c.step.inputs.size());
  for (int i = 0; i < inputs; ++i)
    if (const Sizes s = sizes_of(p.c.in_value(i)); s.elements() >= largest.elements()) largest = s;
  Factors<T> f{{}, {}, 0, largest.c, largest.pixels()};
  for (int i = 0; i < inputs; ++i) {
    if (f.count == Factors<T>::most) {
      T* so_far = p.scratch<T>(largest.elements());
      p.each(largest.elements(), Multiply<T>{f, so_far});
      f.count = 1;
      f.x[0] = so_far;
      f.per_channel[0] = false;
    }
    f.x[f.count] = p.c.in<T>(i);
    f.per_channel[f.count++] = sizes_of(p.c.in_value(i)).elements() != largest.elements();
  }
  return f;
}
template <class T>
void multiply(Preparing& p) {
  p.each(p.c.out_value(0).shape.elements(), Multiply<T>{factors_of<T>(p), p.c.out<T>(0)});
}
template <class T>
void multiply_grad_scale(Preparing& p) {
  const Factors<T> f = factors_of<T>(p);
  const Sizes x{p.c.out_value(0).shape.elements() / f.channels, f.channels, f.pixels, 1};
  sum_pixels(p, x, f.count, MultiplyGradScale<T>{f, p.c.out<T>(0)});
}

// ---- norms within a sample
NormShape norm_shape(const Preparing& p, const Value& x) {
  const Sizes s = sizes_of(x);
  const i64 groups = int_attr(p.c.step.attrs, "groups", 1);
  return {static_cast<int>(s.c), static_cast<int>(s.pixels()), static_cast<int>(groups), static_cast<int>(s.c / groups),
          p.c.step.kernel.starts_with("group_norm")};
}
template <class T>
void sample_norm(Preparing& p) {
  const NormShape s = norm_shape(p, p.c.in_value(0));
  const i64 samples = p.c.in_value(0).shape[0];
  float* saved = p.c.has_out(1) ? p.c.out(1) : p.scratch<float>(samples * 2 * s.groups);
  p.each(samples * s.groups, SampleNormStats<T>{s, p.c.in<T>(0), saved, real_attr(p.c.step.attrs, "eps")});
  p.each(samples * s.per_sample(), SampleNormApply<T>{{s, p.c.in<T>(0), saved, p.c.in(1)}, p.c.in(2), p.c.out<T>(0)});
}
template <class T>
void sample_norm_grad_input(Preparing& p) {
  const NormShape s = norm_shape(p, p.c.in_value(1));
  const i64 samples = p.c.in_value(1).shape[0];
  const SampleNorm<T> norm{s, p.c.in<T>(1), p.c.in(2), p.c.in(3)};
  auto* sums = p.scratch<double>(samples * s.groups * 2);
  p.each(samples * s.groups, SampleNormGradStats<T>{norm, p.c.in<T>(0), sums});
  p.each(samples * s.per_sample(), SampleNormGradInput<T>{norm, p.c.in<T>(0), sums, p.c.out<T>(0)});
}
template <class T>
void sample_norm_grad_weight(Preparing& p) {
  const NormShape s = norm_shape(p, p.c.in_value(1));
  p.each(s.per_channel ? s.channels : s.per_sample(),
         SampleNormGradWeight<T>{{s, p.c.in<T>(1), p.c.in(2), nullptr}, p.c.in<T>(0), p.c.out(0), p.c.out(1), p.block});
}

// ---- PReLU
template <class T>
void prelu(Preparing& p) {
  p.each(p.c.out_value(0).shape.elements(), Prelu<T>{p.c.in<T>(0), p.c.in<T>(0), p.c.in(1), p.c.out<T>(0),
                                                     sizes_of(p.c.in_value(0)).c, p.c.in_value(1).shape.elements()});
}
template <class T>
void prelu_grad_input(Preparing& p) {
  p.each(p.c.out_value(0).shape.elements(), Prelu<T>{p.c.in<T>(0), p.c.in<T>(1), p.c.in(2), p.c.out<T>(0),
                                                     sizes_of(p.c.in_value(1)).c, p.c.in_value(2).shape.elements()});
}
template <class T>
void prelu_grad_weight(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(1));
  const i64 rows = x.n * x.pixels(), slices = slices_for(x.c, rows), slopes = p.c.out_value(0).shape.elements();
  auto* parts = p.scratch<double>(slices * x.c);
  p.each(slices * x.c, PreluGradWeight<T>{p.c.in<T>(0), p.c.in<T>(1), parts, rows, x.c, x.pixels(), slices, p.block});
  p.sum(parts, p.c.out(0), slopes, slices * x.c / slopes);  // channels that share a slope count as further slices of it
}

}  // namespace

Table more_entries() {
  return {{"adaptive_avg_pool2d", NW_TYPED(resample)},
          {"adaptive_avg_pool2d_grad", NW_TYPED(resample_grad)},
          {"zero_pad2d", NW_TYPED(resample)},
          {"zero_pad2d_grad", NW_TYPED(resample_grad)},
          {"upsample", NW_TYPED(resample)},
          {"upsample_grad", NW_TYPED(resample_grad)},
          {"multiply", NW_TYPED(multiply)},
          {"multiply_grad_scale", NW_TYPED(multiply_grad_scale)},
          {"layer_norm", NW_TYPED(sample_norm)},
          {"layer_norm_grad_input", NW_TYPED(sample_norm_grad_input)},
          {"layer_norm_grad_weight", NW_TYPED(sample_norm_grad_weight)},
          {"group_norm", NW_TYPED(sample_norm)},
          {"group_norm_grad_input", NW_TYPED(sample_norm_grad_input)},
          {"group_norm_grad_weight", NW_TYPED(sample_norm_grad_weight)},
          {"prelu", NW_TYPED(prelu)},
          {"prelu_grad_input", NW_TYPED(prelu_grad_input)},
          {"prelu_grad_weight", NW_TYPED(prelu_grad_weight)}};
}

}  // namespace nw::cuda
