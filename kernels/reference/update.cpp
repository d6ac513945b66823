// SPDX-License-Identifier: Apache-2.0
// What happens to the flat regions: norm, clipping, SGD (Sutskever et al., 2013) and Adam / AdamW (Kingma and Ba, 2015;
// Loshchilov and Hutter, 2019), in the order of PyTorch's operations.
#include <algorithm>
#include <cmath>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

// Calls f(span, element) for every learned weight that is not frozen.
template <class F>
void each_weight(const Storage& s, F f) {
  for (const WeightSpan& span : s.weight_spans())
    for (std::int64_t e = span.offset; span.lr_scale != 0 && e < span.offset + span.count; ++e) f(span, e);
}

void measure_norm(const Storage& s, RunState& state) {
  double sum = 0;
  each_weight(s, [&](const WeightSpan&, std::int64_t e) {
    sum += static_cast<double>(s.weight_grads()[e]) * s.weight_grads()[e];
  });
  state.metrics.grad_norm = std::sqrt(sum);
  if (!std::isfinite(sum)) state.metrics.finite = false;
}

PreparedKernel grad_norm(KernelContext& c) {
  const Storage& s = c.storage;
  RunState& state = c.state;
  return whole([&s, &state] {
    measure_norm(s, state);
    state.may_update();
  });
}

PreparedKernel clip_grad_norm(KernelContext& c) {
  const Storage& s = c.storage;
  RunState& state = c.state;
  const double max_norm = real_attr(c.step.attrs, "max_norm");
  return whole([&s, &state, max_norm] {
    measure_norm(s, state);
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

struct Penalty {
  float l1, l2;
  explicit Penalty(const Step& s)
      : l1(static_cast<float>(real_attr(s.attrs, "l1", 0))), l2(static_cast<float>(real_attr(s.attrs, "l2", 0))) {}
  double value(float w) const { return static_cast<double>(l1) * std::abs(w) + 0.5 * l2 * static_cast<double>(w) * w; }
  float gradient(float w) const { return l2 * w + l1 * static_cast<float>((w > 0) - (w < 0)); }
};

PreparedKernel sgd(KernelContext& c) {
  const Storage& s = c.storage;
  RunState& state = c.state;
  float* velocity = c.storage.region("momentum");
  const Penalty penalty(c.step);
  const auto momentum = static_cast<float>(real_attr(c.step.attrs, "momentum", 0));
  const bool nesterov = int_attr(c.step.attrs, "nesterov", 0) != 0;
  return whole([=, &s, &state] {
    if (!state.may_update()) return;
    each_weight(s, [&](const WeightSpan& span, std::int64_t e) {
      float& w = s.weights()[e];
      float g = s.weight_grads()[e];
      if (span.decay) {
        state.metrics.penalty += penalty.value(w);
        g += penalty.gradient(w);
      }
      velocity[e] = momentum * velocity[e] + g;
      if (nesterov)
        g += momentum * velocity[e];
      else if (momentum != 0)
        g = velocity[e];
      w -= static_cast<float>(state.args.learning_rate * span.lr_scale) * g;
    });
  });
}

PreparedKernel adam(KernelContext& c) {
  const Storage& s = c.storage;
  RunState& state = c.state;
  float *m = c.storage.region("adam_m"), *v = c.storage.region("adam_v");
  const Penalty penalty(c.step);
  const double beta1 = real_attr(c.step.attrs, "beta1", 0.9), beta2 = real_attr(c.step.attrs, "beta2", 0.999);
  const auto eps = static_cast<float>(real_attr(c.step.attrs, "eps", 1e-8));
  const double decay = real_attr(c.step.attrs, "weight_decay", 0);
  return whole([=, &s, &state] {
    if (!state.may_update()) return;
    const double t = static_cast<double>(state.args.step + 1);
    const double bias1 = 1 - std::pow(beta1, t), bias2 = 1 - std::pow(beta2, t);
    each_weight(s, [&](const WeightSpan& span, std::int64_t e) {
      const double rate = state.args.learning_rate * span.lr_scale;
      float& w = s.weights()[e];
      float g = s.weight_grads()[e];
      if (span.decay) {
        state.metrics.penalty += penalty.value(w);
        g += penalty.gradient(w);
        w *= static_cast<float>(1 - rate * decay);
      }
      m[e] += (g - m[e]) * static_cast<float>(1 - beta1);
      v[e] = v[e] * static_cast<float>(beta2) + static_cast<float>(1 - beta2) * g * g;
      const float denominator = std::sqrt(v[e]) / static_cast<float>(std::sqrt(bias2)) + eps;
      w -= static_cast<float>(rate / bias1) * (m[e] / denominator);
    });
  });
}

}  // namespace

KernelTable update_kernels() {
  return {{"grad_norm", grad_norm},
          {"clip_grad_norm", clip_grad_norm},
          {"clip_grad_value", clip_grad_value},
          {"sgd", sgd},
          {"adam", adam}};
}

}  // namespace nw::reference
