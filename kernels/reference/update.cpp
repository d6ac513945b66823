// SPDX-License-Identifier: Apache-2.0
// The kernels over the flat regions: norms, clipping, and the optimizers of kernels/optimizers.
#include <algorithm>
#include <cmath>

#include "kernels/optimizer_step.hpp"
#include "kernels/reference/kernels.hpp"
#include "kernels/reference/optimizers.hpp"
#include "kernels/state_shard.hpp"
#include "kernels/weight_totals.hpp"

namespace nw::reference {
namespace {

// Calls f(span, element) for every learned weight that is not frozen.
template <class F>
void each_weight(const Storage& s, F f) {
  for (const WeightSpan& span : s.weight_spans())
    for (std::int64_t e = span.offset; span.lr_scale != 0 && e < span.offset + span.count; ++e) f(span, e);
}

double square_sum(const float* p, std::int64_t count) {
  double sum = 0;
  for (std::int64_t e = 0; e < count; ++e) sum += static_cast<double>(p[e]) * p[e];
  return sum;
}

void measure_norm(const Storage& s, RunState& state, const StepAttrs& attrs) {
  std::vector<double> sums;
  for (const WeightSpan& w : s.weight_spans())
    sums.push_back(w.lr_scale == 0 ? 0 : square_sum(s.weight_grads() + w.offset, w.count));
  state.metrics.grad_norm = std::sqrt(total_over_weights(state, attrs, sums));
  if (update_overflows(state.args.learning_rate, state.metrics.grad_norm)) state.metrics.finite = false;
}

PreparedKernel grad_norm(KernelContext& c) {
  const Storage& s = c.storage;
  RunState& state = c.state;
  return whole([&s, &state, attrs = c.step.attrs] {
    measure_norm(s, state, attrs);
    state.may_update();
  });
}

PreparedKernel clip_grad_norm(KernelContext& c) {
  const Storage& s = c.storage;
  RunState& state = c.state;
  const double max_norm = real_attr(c.step.attrs, "max_norm");
  return whole([&s, &state, max_norm, attrs = c.step.attrs] {
    measure_norm(s, state, attrs);
    const auto scale = static_cast<float>(std::min(1.0, max_norm / (state.metrics.grad_norm + 1e-6)));
    if (state.may_update()) each_weight(s, [&](const WeightSpan&, std::int64_t e) { s.weight_grads()[e] *= scale; });
  });
}

PreparedKernel clip_grad_value(KernelContext& c) {
  const Storage& s = c.storage;
  RunState& state = c.state;
  const auto limit = static_cast<float>(real_attr(c.step.attrs, "limit"));
  return whole([&s, &state, limit] {
    if (state.may_update())
      each_weight(s, [&](const WeightSpan&, std::int64_t e) {
        s.weight_grads()[e] = std::clamp(s.weight_grads()[e], -limit, limit);
      });
  });
}

/// The elements of the flat region that this replica updates.
std::pair<std::int64_t, std::int64_t> updated_part(const KernelContext& c) {
  const std::optional<StateShard> shard = state_shard(c.plan);
  return shard ? std::pair(shard->begin(), shard->end()) : std::pair(std::int64_t{0}, c.storage.weight_elements());
}

/// L2 norms of every weight and of its gradient, in the order of the flat region; 0 where a weight is frozen.
PreparedKernel weight_norms(KernelContext& c) {
  const Storage& s = c.storage;
  auto* norms = c.out<double>(0);
  const auto norm = [](const float* p, std::int64_t count) { return std::sqrt(square_sum(p, count)); };
  return whole([=, &s] {
    const std::vector<WeightSpan>& spans = s.weight_spans();
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const bool learned = spans[i].lr_scale != 0;
      norms[i] = learned ? norm(s.weights() + spans[i].offset, spans[i].count) : 0;
      norms[spans.size() + i] = learned ? norm(s.weight_grads() + spans[i].offset, spans[i].count) : 0;
    }
  });
}

/// Also of frozen weights, which other programs read from the average too.
PreparedKernel average_weights(KernelContext& c) {
  const Storage& s = c.storage;
  RunState& state = c.state;
  float* const average = c.storage.region("average");
  const auto rest = static_cast<float>(1 - real_attr(c.step.attrs, "decay"));
  return whole([=, &s, &state, part = updated_part(c)] {
    if (!state.may_update()) return;
    const float by = state.args.step == 0 ? 1 : rest;
    for (std::int64_t e = part.first; e < part.second; ++e) average[e] = averaged(average[e], s.weights()[e], by);
  });
}

PreparedKernel optimizer(KernelContext& c) {
  const Optimizer& o = *find_optimizer(c.step.kernel);
  const OptimizerValues values = optimizer_values(o, c.step.attrs);
  UpdateArgs first{};
  for (std::size_t i = 0; i < o.state.size(); ++i)
    if (keeps_state(o, o.state[i], values)) first.state[i] = c.storage.region(std::string(o.state[i].name));
  const Storage& s = c.storage;
  RunState& state = c.state;
  const Penalty penalty = penalty_of(c.step.attrs);
  const auto* norms = c.in<double>(0);
  const Update update = updates()[static_cast<std::size_t>(optimizer_index(o))];
  return whole([=, &o, &s, &state, part = updated_part(c), attrs = c.step.attrs] {
    if (!state.may_update()) return;
    const std::vector<WeightSpan>& spans = s.weight_spans();
    std::vector<double> penalties(spans.size());
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const WeightSpan& span = spans[i];
      if (span.lr_scale == 0) continue;
      UpdatePoint at{state.args.step, state.args.learning_rate * span.lr_scale, span.decay};
      if (norms) at.weight_norm = norms[i], at.gradient_norm = norms[spans.size() + i];
      alignas(16) std::byte scalars[Optimizer::most_scalar_bytes];
      o.scalars(values.data(), at, scalars);
      UpdateArgs a = first;
      const std::int64_t begin = std::clamp(part.first, span.offset, span.offset + span.count);
      a.w = s.weights() + begin;
      a.g = s.weight_grads() + begin;
      for (float*& p : a.state)
        if (p) p += begin;
      a.count = std::clamp(part.second, begin, span.offset + span.count) - begin;
      a.penalty = span.decay ? penalty : Penalty{};
      a.scalars = scalars;
      for (std::int64_t e = span.offset; span.decay && e < span.offset + span.count; ++e)
        penalties[i] += penalty.value(s.weights()[e]);
      update(a);
    }
    if (penalty.l1 != 0 || penalty.l2 != 0) state.metrics.penalty = total_over_weights(state, attrs, penalties);
  });
}

}  // namespace

KernelTable update_kernels() {
  KernelTable all{{"grad_norm", grad_norm},
                  {"clip_grad_norm", clip_grad_norm},
                  {"clip_grad_value", clip_grad_value},
                  {"average_weights", average_weights},
                  {"weight_norms", weight_norms}};
  for (const Optimizer& o : all_optimizers()) all.push_back({o.name, optimizer});
  return all;
}

}  // namespace nw::reference
