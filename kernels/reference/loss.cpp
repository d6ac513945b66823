// SPDX-License-Identifier: Apache-2.0
// Losses: value, gradient of the mean over all replicas' valid samples, and the number of correct samples.
#include <algorithm>
#include <cmath>

#include "kernels/catalogue.hpp"
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
      one(n, 1.0 / static_cast<double>(state.args.global_valid), partial);
      ++partial.samples;
    }
  });
}

PreparedKernel cross_entropy(KernelContext& c) {
  const Image x = in(c, 0);
  const bool shares = takes_shares(c.plan, c.step);
  const auto* labels = shares ? nullptr : c.in<std::int64_t>(1);
  const float* targets = shares ? c.in(1) : nullptr;
  float* dx = c.out(0);
  const double smoothing = real_attr(c.step.attrs, "label_smoothing", 0);
  return loss(c, x, dx, [x, labels, targets, dx, smoothing](std::int64_t n, double scale, LossPartial& partial) {
    const float* row = x.sample(n);
    const float* share = targets ? targets + n * x.c : nullptr;
    const std::int64_t label = share ? argmax(share, x.c) : labels[n];
    const double largest = *std::max_element(row, row + x.c), uniform = smoothing / static_cast<double>(x.c);
    double sum = 0;
    for (std::int64_t k = 0; k < x.c; ++k) sum += std::exp(row[k] - largest);
    for (std::int64_t k = 0; k < x.c; ++k) {
      const double log_p = row[k] - largest - std::log(sum),
                   wanted = uniform + (1 - smoothing) * (share        ? static_cast<double>(share[k])
                                                         : k == label ? 1.0
                                                                      : 0.0);
      if (wanted != 0) partial.loss -= wanted * log_p;
      if (dx) dx[n * x.c + k] = static_cast<float>((std::exp(log_p) - wanted) * scale);
    }
    partial.correct += argmax(row, x.c) == label;
  });
}

PreparedKernel bce_with_logits(KernelContext& c) {
  const Image x = in(c, 0);
  const float* targets = c.in(1);
  float* dx = c.out(0);
  return loss(c, x, dx, [x, targets, dx](std::int64_t n, double scale, LossPartial& partial) {
    const double per_element = 1.0 / static_cast<double>(x.per_sample());
    bool right = true;
    for (std::int64_t e = n * x.per_sample(); e < (n + 1) * x.per_sample(); ++e) {
      const double v = x.p[e], t = targets[e];
      partial.loss += (std::max(v, 0.0) - v * t + std::log1p(std::exp(-std::abs(v)))) * per_element;
      if (dx) dx[e] = static_cast<float>((1 / (1 + std::exp(-v)) - t) * scale * per_element);
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
