// SPDX-License-Identifier: Apache-2.0
// Element-wise kernels, concatenation, slicing, losses, and the table of all kernels.
#include <algorithm>

#include "kernels/catalogue.hpp"
#include "kernels/cuda/launches.hpp"
#include "kernels/element_parameters.hpp"
#include "kernels/formula_program.hpp"

namespace nw::cuda {
namespace {

i64 results(const Preparing& p) { return p.c.out_value(0).shape.elements(); }
template <class Formula>
void value(Preparing& p) {
  by_type(p.c.in_value(0).dtype, [&](auto t) {
    using T = decltype(t);
    p.each_pack<T>(results(p), Map<Formula, T>{p.c.in<T>(0), p.c.out<T>(0),
                                               element_parameters<Formula, float>(p.c.step.attrs), results(p)});
  });
}
template <class Formula>
void gradient(Preparing& p) {
  by_type(p.c.in_value(0).dtype, [&](auto t) {
    using T = decltype(t);
    p.each_pack<T>(results(p), MapGrad<Formula, T>{p.c.in<T>(0), p.c.in<T>(1), p.c.out<T>(0),
                                                   element_parameters<Formula, float>(p.c.step.attrs), results(p)});
  });
}
void round_bf16(Preparing& p) { p.each(results(p), RoundBf16{p.c.in(0), p.c.out(0)}); }
/// Adds a weight to the launch before, if that stores weights too and has room.
template <class T>
void store_weight(Preparing& p, const Shape& weight) {
  using Filters = PackFilters<T>;
  Filters f{};
  i64 begin = 0;
  if (!p.launches.empty() && p.launches.back().kernel == element_name<Filters>) {
    std::memcpy(static_cast<void*>(&f), p.launches.back().functor, sizeof f);
    if (f.count < Filters::most)
      begin = p.launches.back().count;
    else
      f = {};
  }
  const bool filter = weight.rank() == 4;
  f.filters[f.count++] = {p.c.in(0), p.c.out<T>(0), begin, filter ? static_cast<int>(weight[1]) : 1,
                          filter ? static_cast<int>(weight[2] * weight[3]) : 1};
  if (begin == 0) p.launches.emplace_back();
  const int step = p.launches.back().step;
  p.launches.back() = Launch::of(begin + weight.elements(), f);
  p.launches.back().step = step;
}
void store_half(Preparing& p) {
  const Value &x = p.c.in_value(0), &y = p.c.out_value(0);
  by_type(y.dtype, [&](auto t) {
    using T = decltype(t);
    if (!x.batched)
      store_weight<T>(p, x.shape);
    else if constexpr (!std::is_same_v<T, float>)
      p.each(results(p), Store<T>{p.c.in(0), p.c.out<T>(0)});
  });
}

// In evaluation p is 0: every number is kept.
template <class T>
void dropout(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  const StepAttrs& a = p.c.step.attrs;
  const i64 together[] = {1, x.pixels(), x.c * x.pixels()};
  p.each(x.elements(), Dropout<T>{p.c.in<T>(0), p.c.out<T>(0), x.c, x.pixels(),
                                  p.c.plan.training ? static_cast<float>(real_attr(a, "p")) : 0.0f,
                                  static_cast<std::uint32_t>(int_attr(a, "key")), together[int_attr(a, "share", 0)],
                                  p.sample, p.block});
}

// Of several calls, the last one applies ReLU or the gate.
template <class T>
void sum_of(Preparing& p, int first, bool relu, const T* gate) {
  const int inputs = static_cast<int>(p.c.step.inputs.size());
  for (int done = first; done < inputs;) {
    Add<T> f{{}, 0, p.c.out<T>(0), false, nullptr, results(p)};
    if (done > first) f.x[f.inputs++] = p.c.out<T>(0);
    while (done < inputs && f.inputs < Add<T>::most) f.x[f.inputs++] = p.c.in<T>(done++);
    f.relu = relu && done == inputs;
    f.gate = done == inputs ? gate : nullptr;
    p.each_pack<T>(results(p), f);
  }
}
template <class T>
void add(Preparing& p) {
  sum_of<T>(p, 0, false, nullptr);
}
template <class T>
void add_relu(Preparing& p) {
  sum_of<T>(p, 0, true, nullptr);
}
template <class T>
void add_relu_grad(Preparing& p) {
  sum_of<T>(p, 1, false, p.c.in<T>(0));
}
template <class T>
void formula(Preparing& p) {
  Evaluate<T> f{{}, p.c.out<T>(0), p.c.out_value(0).shape.per_sample(), p.block, program_of(p.c.step.attrs)};
  for (int i = 0; i < f.program.inputs; ++i) f.x[i] = p.c.in<T>(i);
  p.each(results(p), f);
}
template <class T>
void softmax(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  p.each(x.n * x.pixels(), Softmax<T>{p.c.in<T>(0), p.c.out<T>(0), x.c});
}
template <class T>
void softmax_grad(Preparing& p) {
  const Sizes x = sizes_of(p.c.out_value(0));
  p.each(x.n * x.pixels(), SoftmaxGrad<T>{p.c.in<T>(0), p.c.in<T>(1), p.c.out<T>(0), x.c});
}
template <class T>
void concat(Preparing& p) {
  const Sizes y = sizes_of(p.c.out_value(0));
  i64 first = 0;
  for (int i = 0; i < static_cast<int>(p.c.step.inputs.size()); ++i) {
    const i64 count = sizes_of(p.c.in_value(i)).c;
    p.each(y.n * y.pixels() * count, CopyChannels<T>{p.c.in<T>(i), p.c.out<T>(0), count, count, 0, y.c, first});
    first += count;
  }
}
template <class T>
void slice(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0)), y = sizes_of(p.c.out_value(0));
  p.each(y.elements(),
         CopyChannels<T>{p.c.in<T>(0), p.c.out<T>(0), y.c, x.c, int_attr(p.c.step.attrs, "begin"), y.c, 0});
}
template <class T>
void flatten(Preparing& p) {
  const Sizes x = sizes_of(p.c.in_value(0));
  p.each(x.elements(), Flatten<T>{p.c.in<T>(0), p.c.out<T>(0), x.c, x.pixels()});
}
template <class T>
void flatten_grad(Preparing& p) {
  const Sizes x = sizes_of(p.c.out_value(0));
  p.each(x.elements(), FlattenGrad<T>{p.c.in<T>(0), p.c.out<T>(0), x.c, x.pixels()});
}

template <class T>
LossShape<T> loss_shape(Preparing& p) {
  const Shape& x = p.c.in_value(0).shape;
  return {p.c.in<T>(0), p.c.out<T>(0), x.per_sample(), p.scratch<LossPart>(x[0]), p.block, p.scaler};
}
template <class Loss>
void loss(Preparing& p, const Loss& f) {
  const i64 samples = p.c.in_value(0).shape[0];
  p.each(samples, f);
  p.each(1, CollectLoss{f.s.parts, samples, p.block});
}
/// The numbers of an attribute in the device's memory; null where it is missing.
const double* stored_weights(Preparing& p, std::string_view attr) {
  const std::span<const double> all = reals_attr(p.c.step.attrs, attr);
  if (all.empty()) return nullptr;
  const auto count = static_cast<i64>(all.size());
  auto* to = p.scratch<double>(count);
  for (i64 at = 0; at < count; at += StoreWeights::most) {
    const i64 some = smaller(count - at, StoreWeights::most);
    StoreWeights part{{}, to + at};
    std::copy_n(all.begin() + at, some, part.weights);
    p.each(some, part);
  }
  return to;
}

template <class T>
void cross_entropy(Preparing& p) {
  const double smoothing = real_attr(p.c.step.attrs, "label_smoothing", 0),
               gamma = real_attr(p.c.step.attrs, "focal_gamma", 0);
  const double* weights = stored_weights(p, "class_weights");
  const bool shares = takes_shares(p.c.plan, p.c.step),
             general = gamma != 0 || p.c.step.attrs.contains("class_weights");
  const auto* labels = shares ? nullptr : p.c.in<i64>(1);
  if (general)
    loss(p, GeneralCrossEntropy<T>{loss_shape<T>(p), labels, shares ? p.c.in(1) : nullptr, weights, smoothing, gamma});
  else if (shares)
    loss(p, SharedCrossEntropy<T>{loss_shape<T>(p), p.c.in(1), smoothing});
  else
    loss(p, CrossEntropy<T>{loss_shape<T>(p), labels, smoothing});
}
template <class T>
void bce_with_logits(Preparing& p) {
  const double gamma = real_attr(p.c.step.attrs, "focal_gamma", 0);
  const double* weights = stored_weights(p, "pos_weight");
  if (gamma != 0 || p.c.step.attrs.contains("pos_weight"))
    loss(p, GeneralBce<T>{loss_shape<T>(p), p.c.in(1), weights, gamma});
  else
    loss(p, BceWithLogits<T>{loss_shape<T>(p), p.c.in(1)});
}
template <class T>
void mse(Preparing& p) {
  loss(p, Mse<T>{loss_shape<T>(p), p.c.in(1)});
}

}  // namespace

Table elementwise_entries() {
#define NW_ENTRIES(name, Formula, ...) {#name, value<math::Formula>}, {#name "_grad", gradient<math::Formula>},
  return {{"round_bf16", round_bf16},     {"store_half", store_half},       {"dropout", NW_TYPED(dropout)},
          {"add", NW_TYPED(add)},         {"add_relu", NW_TYPED(add_relu)}, {"add_relu_grad", NW_TYPED(add_relu_grad)},
          {"formula", NW_TYPED(formula)}, NW_ELEMENT_KERNELS(NW_ENTRIES)};
#undef NW_ENTRIES
}
Table shape_entries() {
  return {{"softmax", NW_TYPED(softmax)}, {"softmax_grad", NW_TYPED(softmax_grad)},
          {"concat", NW_TYPED(concat)},   {"slice", NW_TYPED(slice)},
          {"flatten", NW_TYPED(flatten)}, {"flatten_grad", NW_TYPED(flatten_grad)}};
}
Table loss_entries() {
  return {{"cross_entropy", NW_TYPED(cross_entropy)},
          {"bce_with_logits", NW_TYPED(bce_with_logits)},
          {"mse", NW_TYPED(mse)}};
}

const Table& kernel_table() {
  static const Table all = [] {
    Table t;
    for (const Table& part :
         {conv2d_entries(), linear_entries(), pool_entries(), batch_norm_entries(), elementwise_entries(),
          shape_entries(), loss_entries(), update_entries(), more_entries(), channel_entries()})
      t.insert(t.end(), part.begin(), part.end());
    return t;
  }();
  return all;
}
const Entry* find_entry(std::string_view name) {
  const auto it =
      std::find_if(kernel_table().begin(), kernel_table().end(), [&](const Entry& e) { return e.name == name; });
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
