// SPDX-License-Identifier: Apache-2.0
// Element-wise kernels, joining, cutting, losses and the table of all.
#include <algorithm>

#include "kernels/cuda/launches.hpp"

namespace nw::cuda {
namespace {

i64 results(const Preparing& p) { return p.c.out_value(0).shape.elements(); }
bool wants_tanh_form(const Preparing& p) {
  const auto it = p.c.step.attrs.find("approximate");
  return it != p.c.step.attrs.end() && std::get<std::string>(it->second) == "tanh";
}
float slope_of(const Preparing& p) { return static_cast<float>(real_attr(p.c.step.attrs, "negative_slope", 0.01)); }

template <float (*f)(float)>
void map(Preparing& p) {
  p.each(results(p), Map<f>{p.c.in(0), p.c.out(0)});
}
template <float (*f)(float, float)>
void map_grad(Preparing& p) {
  p.each(results(p), MapGrad<f>{p.c.in(0), p.c.in(1), p.c.out(0)});
}
void gelu(Preparing& p) { wants_tanh_form(p) ? map<math::gelu_tanh>(p) : map<math::gelu>(p); }
void gelu_grad(Preparing& p) { wants_tanh_form(p) ? map_grad<math::gelu_tanh_grad>(p) : map_grad<math::gelu_grad>(p); }
void leaky_relu(Preparing& p) { p.each(results(p), LeakyRelu{p.c.in(0), p.c.out(0), slope_of(p)}); }
void leaky_relu_grad(Preparing& p) { p.each(results(p), LeakyReluGrad{p.c.in(0), p.c.in(1), p.c.out(0), slope_of(p)}); }

// Evaluation drops nothing: at p = 0 every number is kept as it is.
void dropout(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  const StepAttrs& a = p.c.step.attrs;
  p.each(x.elements(), Dropout{p.c.in(0), p.c.out(0), x.c, x.pixels(), p.c.plan.training ? static_cast<float>(real_attr(a, "p")) : 0.0f,
                               static_cast<std::uint32_t>(int_attr(a, "key")), p.sample, p.block});
}

void add(Preparing& p) {
  const int inputs = static_cast<int>(p.c.step.inputs.size());
  for (int done = 0; done < inputs;) {
    Add f{{}, 0, p.c.out(0)};
    if (done > 0) f.x[f.inputs++] = p.c.out(0);
    while (done < inputs && f.inputs < Add::most) f.x[f.inputs++] = p.c.in(done++);
    p.each(results(p), f);
  }
}
void softmax(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  p.each(x.n * x.pixels(), Softmax{p.c.in(0), p.c.out(0), x.c});
}
void softmax_grad(Preparing& p) {
  const Sizes x = sizes_of(p.c.out_value(0));
  p.each(x.n * x.pixels(), SoftmaxGrad{p.c.in(0), p.c.in(1), p.c.out(0), x.c});
}
void concat(Preparing& p) {
  const Sizes y = sizes_of(p.c.out_value(0));
  i64 first = 0;
  for (int i = 0; i < static_cast<int>(p.c.step.inputs.size()); ++i) {
    const i64 count = sizes_of(p.c.in_value(i)).c;
    p.each(y.n * y.pixels() * count, CopyChannels{p.c.in(i), p.c.out(0), count, count, 0, y.c, first});
    first += count;
  }
}
void slice(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0)), y = sizes_of(p.c.out_value(0));
  p.each(y.elements(), CopyChannels{p.c.in(0), p.c.out(0), y.c, x.c, int_attr(p.c.step.attrs, "begin"), y.c, 0});
}
void flatten(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  p.each(x.elements(), Flatten{p.c.in(0), p.c.out(0), x.c, x.pixels()});
}
void flatten_grad(Preparing& p) {
  const Sizes x = sizes_of(p.c.out_value(0));
  p.each(x.elements(), FlattenGrad{p.c.in(0), p.c.out(0), x.c, x.pixels()});
}

LossShape loss_shape(Preparing& p) {
  const Shape& x = p.c.in_value(0).shape;
  return {p.c.in(0), p.c.out(0), x.per_sample(), p.scratch<LossPart>(x[0]), p.block};
}
template <class Loss>
void loss(Preparing& p, const Loss& f) {
  const i64 samples = p.c.in_value(0).shape[0];
  p.each(samples, f);
  p.each(1, CollectLoss{f.s.parts, samples, p.block});
}
void cross_entropy(Preparing& p) { loss(p, CrossEntropy{loss_shape(p), p.c.in<i64>(1), real_attr(p.c.step.attrs, "label_smoothing", 0)}); }
void bce_with_logits(Preparing& p) { loss(p, BceWithLogits{loss_shape(p), p.c.in(1)}); }
void mse(Preparing& p) { loss(p, Mse{loss_shape(p), p.c.in(1)}); }

}  // namespace

Table elementwise_entries() {
  return {{"relu", map<math::relu>}, {"relu_grad", map_grad<math::relu_grad>}, {"leaky_relu", leaky_relu}, {"leaky_relu_grad", leaky_relu_grad},
          {"sigmoid", map<math::sigmoid>}, {"sigmoid_grad", map_grad<math::sigmoid_grad>}, {"tanh", map<math::tanh_value>},
          {"tanh_grad", map_grad<math::tanh_grad>}, {"gelu", gelu}, {"gelu_grad", gelu_grad}, {"silu", map<math::silu>},
          {"silu_grad", map_grad<math::silu_grad>}, {"round_bf16", map<math::round_bf16>}, {"dropout", dropout},
          {"add", add}};
}
Table shape_entries() {
  return {{"softmax", softmax}, {"softmax_grad", softmax_grad}, {"concat", concat}, {"slice", slice}, {"flatten", flatten}, {"flatten_grad", flatten_grad}};
}
Table loss_entries() { return {{"cross_entropy", cross_entropy}, {"bce_with_logits", bce_with_logits}, {"mse", mse}}; }

const Table& kernel_table() {
  static const Table all = [] {
    Table t;
    for (const Table& part : {conv2d_entries(), linear_entries(), pool_entries(), batch_norm_entries(), elementwise_entries(), shape_entries(),
                              loss_entries(), update_entries()})
      t.insert(t.end(), part.begin(), part.end());
    return t;
  }();
  return all;
}
const Entry* find_entry(std::string_view name) {
  const auto it = std::find_if(kernel_table().begin(), kernel_table().end(), [&](const Entry& e) { return e.name == name; });
  return it == kernel_table().end() ? nullptr : &*it;
}

Sizes sizes_of(const Value& v) {
  Sizes s;
  if (v.shape.rank() > 0) s.n = v.shape[0];
  if (v.shape.rank() > 1) s.c = v.shape[1];
  if (v.shape.rank() > 2) s.h = v.shape[2];
  if (v.shape.rank() > 3) s.w = v.shape[3];
  return s;
}

}  // namespace nw::cuda
