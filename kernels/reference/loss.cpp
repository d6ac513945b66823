// SPDX-License-Identifier: Apache-2.0
// Losses: value, gradient of the mean over all replicas' valid samples, and the number of correct samples.
#include <algorithm>
#include <cmath>

#include "kernels/catalogue.hpp"
#include "kernels/math/loss.hpp"
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

std::int64_t argmax(const float* x, std::int64_t count) { return std::max_element(x, x + count) - x; }

// Calls one(n, scale of the gradient, partial) for valid samples; padding samples get a zero gradient.
template <class One>
PreparedKernel loss(KernelContext& c, const Image& x, float* dx, One one) {
  LossPartial& partial = c.losses(1)[0];
  const RunState& state = c.state;
  return whole([x, dx, one, &partial, &state] {
    if (dx) std::fill_n(dx, x.n * x.per_sample(), 0.0f);
    for (std::int64_t n = 0; n < state.args.valid; ++n) {
      one(n, 1.0 / loss_divisor(state.args), partial);
      ++partial.samples;
    }
  });
}

// The weights in an attribute, owned by the kernel; element k: of score k.
struct Weights {
  std::vector<double> w;
  double of(std::int64_t k) const { return w.empty() ? 1.0 : w[static_cast<std::size_t>(k)]; }
};
Weights weights(const KernelContext& c, std::string_view attr) {
  const std::span<const double> w = reals_attr(c.step.attrs, attr);
  return {{w.begin(), w.end()}};
}

PreparedKernel cross_entropy(KernelContext& c) {
  const Image x = in(c, 0);
  const bool shares = takes_shares(c.plan, c.step);
  const auto* labels = shares ? nullptr : c.in<std::int64_t>(1);
  const float* targets = shares ? c.in(1) : nullptr;
  float* dx = c.out(0);
  const double smoothing = real_attr(c.step.attrs, "label_smoothing", 0),
               gamma = real_attr(c.step.attrs, "focal_gamma", 0);
  const Weights w = weights(c, "class_weights");
  return loss(c, x, dx, [=](std::int64_t n, double scale, LossPartial& partial) {
    const float* row = x.sample(n);
    const float* share = targets ? targets + n * x.c : nullptr;
    const std::int64_t label = share ? argmax(share, x.c) : labels[n];
    const bool right = argmax(row, x.c) == label;
    const double largest = *std::max_element(row, row + x.c), uniform = smoothing / static_cast<double>(x.c);
    double sum = 0, slopes = 0;
    for (std::int64_t k = 0; k < x.c; ++k) sum += std::exp(row[k] - largest);
    std::vector<double> log_p, slope;
    for (std::int64_t k = 0; k < x.c; ++k) {
      log_p.push_back(row[k] - largest - std::log(sum));
      const double target = share ? static_cast<double>(share[k]) : k == label ? 1.0 : 0.0;
      const math::ClassTerm term =
          math::class_term(w.of(k) * (uniform + (1 - smoothing) * target), log_p.back(), gamma);
      partial.loss += term.loss;
      slope.push_back(term.slope);
      slopes += term.slope;
    }
    for (std::int64_t k = 0; dx && k < x.c; ++k) {
      const auto i = static_cast<std::size_t>(k);
      dx[n * x.c + k] = static_cast<float>((slope[i] - std::exp(log_p[i]) * slopes) * scale);
    }
    partial.correct += right;
  });
}

PreparedKernel bce_with_logits(KernelContext& c) {
  const Image x = in(c, 0);
  const float* targets = c.in(1);
  float* dx = c.out(0);
  const double gamma = real_attr(c.step.attrs, "focal_gamma", 0);
  const Weights w = weights(c, "pos_weight");
  return loss(c, x, dx, [=](std::int64_t n, double scale, LossPartial& partial) {
    const double per_element = 1.0 / static_cast<double>(x.per_sample());
    bool right = true;
    for (std::int64_t k = 0; k < x.per_sample(); ++k) {
      const std::int64_t e = n * x.per_sample() + k;
      const double v = x.p[e], t = targets[e];
      const math::BinaryTerm term = math::binary_term(v, t, w.of(k), gamma);
      partial.loss += term.loss * per_element;
      if (dx) dx[e] = static_cast<float>(term.slope * scale * per_element);
      right &= (v > 0) == (t > 0.5);
    }
    partial.correct += right;
  });
}

PreparedKernel mse(KernelContext& c) {
  const Image x = in(c, 0);
  const float* targets = c.in(1);
  float* dx = c.out(0);
  return loss(c, x, dx, [x, targets, dx](std::int64_t n, double scale, LossPartial& partial) {
    const std::int64_t count = x.per_sample();
    const double per_element = 1.0 / static_cast<double>(count);
    for (std::int64_t e = n * count; e < (n + 1) * count; ++e) {
      const double d = static_cast<double>(x.p[e]) - targets[e];
      partial.loss += d * d * per_element;
      if (dx) dx[e] = static_cast<float>(2 * d * scale * per_element);
    }
    const float *row = x.sample(n), *wanted = targets + n * count;
    partial.correct += count > 1 ? argmax(row, count) == argmax(wanted, count) : std::abs(row[0] - wanted[0]) < 0.5f;
  });
}

}  // namespace

KernelTable loss_kernels() {
  return {{"cross_entropy", cross_entropy}, {"bce_with_logits", bce_with_logits}, {"mse", mse}};
}

}  // namespace nw::reference
