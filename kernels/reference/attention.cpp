// SPDX-License-Identifier: Apache-2.0
// Sequences: tokens are the pixels of an image whose channels are the features. Scaled dot-product attention: Vaswani
// et al., "Attention is all you need", 2017, section 3.2.1.
#include <algorithm>
#include <cmath>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

PreparedKernel add_tokens(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const float* w = c.in(1);
  const std::int64_t count = c.in_value(1).shape.elements();
  return each_sample(c, [x, y, w, count](std::int64_t n) {
    for (std::int64_t e = 0; e < x.per_sample(); ++e) y.sample(n)[e] = x.sample(n)[e] + (e < count ? w[e] : 0.0f);
  });
}

PreparedKernel add_tokens_grad_weight(KernelContext& c) {
  const Image dy = in(c, 0);
  float* dw = c.out(0);
  const std::int64_t count = c.out_value(0).shape.elements();
  const RunState& state = c.state;
  return whole([dy, dw, count, &state] {
    for (std::int64_t e = 0; e < count; ++e) {
      double sum = 0;
      for (std::int64_t n = 0; n < state.args.valid; ++n) sum += dy.sample(n)[e];
      dw[e] = static_cast<float>(sum);
    }
  });
}

/// Queries, keys and values of one sample; those of a head are adjacent channels.
struct Heads {
  std::int64_t heads, tokens, features, width;  // features: of all heads; width: of one
  Heads(const KernelContext& c, const Image& all)
      : heads(int_attr(c.step.attrs, "heads")), tokens(all.h * all.w), features(all.c / 3), width(features / heads) {}
  enum Part : std::int64_t { query, key, value };
  std::int64_t at(Part part, std::int64_t head, std::int64_t token, std::int64_t d) const {
    return token * 3 * features + part * features + head * width + d;
  }
  std::int64_t result(std::int64_t head, std::int64_t token, std::int64_t d) const {
    return token * features + head * width + d;
  }
  double scale() const { return 1 / std::sqrt(static_cast<double>(width)); }
  /// The weights of all tokens j in token i.
  std::vector<double> weights(const float* x, std::int64_t head, std::int64_t i) const {
    std::vector<double> w(static_cast<std::size_t>(tokens));
    for (std::int64_t j = 0; j < tokens; ++j)
      for (std::int64_t d = 0; d < width; ++d)
        w[static_cast<std::size_t>(j)] +=
            scale() * x[at(query, head, i, d)] * static_cast<double>(x[at(key, head, j, d)]);
    const double largest = *std::max_element(w.begin(), w.end());
    double sum = 0;
    for (double& v : w) sum += v = std::exp(v - largest);
    for (double& v : w) v /= sum;
    return w;
  }
};

PreparedKernel attention(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const Heads h(c, x);
  float* saved = c.out(1);
  return each_sample(c, [x, y, h, saved](std::int64_t n) {
    for (std::int64_t head = 0; head < h.heads; ++head)
      for (std::int64_t i = 0; i < h.tokens; ++i) {
        const std::vector<double> w = h.weights(x.sample(n), head, i);
        for (std::int64_t d = 0; d < h.width; ++d) {
          double sum = 0;
          for (std::int64_t j = 0; j < h.tokens; ++j)
            sum += w[static_cast<std::size_t>(j)] * x.sample(n)[h.at(Heads::value, head, j, d)];
          y.sample(n)[h.result(head, i, d)] = static_cast<float>(sum);
        }
        for (std::int64_t j = 0; saved && j < h.tokens; ++j)
          saved[((n * h.heads + head) * h.tokens + j) * h.tokens + i] =
              static_cast<float>(w[static_cast<std::size_t>(j)]);
      }
  });
}

// With P the weights and dP = dy V^T: dV = P^T dy, dS = P (dP - rowsum(dP P)) scale, dQ = dS K, dK = dS^T Q.
PreparedKernel attention_grad(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1), dx = out(c, 0);
  const float* saved = c.in(2);
  const Heads h(c, x);
  return each_sample(c, [dy, x, dx, saved, h](std::int64_t n) {
    std::vector<double> sum(static_cast<std::size_t>(dx.per_sample()));
    const auto add = [&](std::int64_t at, double v) { sum[static_cast<std::size_t>(at)] += v; };
    const float *v = x.sample(n), *out = dy.sample(n);
    for (std::int64_t head = 0; head < h.heads; ++head)
      for (std::int64_t i = 0; i < h.tokens; ++i) {
        const auto p = [&](std::int64_t j) -> double {
          return saved[((n * h.heads + head) * h.tokens + j) * h.tokens + i];
        };
        std::vector<double> dp(static_cast<std::size_t>(h.tokens));
        double dot = 0;
        for (std::int64_t j = 0; j < h.tokens; ++j) {
          for (std::int64_t d = 0; d < h.width; ++d) {
            const double o = out[h.result(head, i, d)];
            dp[static_cast<std::size_t>(j)] += o * v[h.at(Heads::value, head, j, d)];
            add(h.at(Heads::value, head, j, d), p(j) * o);
          }
          dot += dp[static_cast<std::size_t>(j)] * p(j);
        }
        for (std::int64_t j = 0; j < h.tokens; ++j) {
          const double ds = p(j) * (dp[static_cast<std::size_t>(j)] - dot) * h.scale();
          for (std::int64_t d = 0; d < h.width; ++d) {
            add(h.at(Heads::query, head, i, d), ds * v[h.at(Heads::key, head, j, d)]);
            add(h.at(Heads::key, head, j, d), ds * v[h.at(Heads::query, head, i, d)]);
          }
        }
      }
    for (std::int64_t e = 0; e < dx.per_sample(); ++e)
      dx.sample(n)[e] = static_cast<float>(sum[static_cast<std::size_t>(e)]);
  });
}

}  // namespace

KernelTable attention_kernels() {
  return {{"add_tokens", add_tokens},
          {"add_tokens_grad_weight", add_tokens_grad_weight},
          {"attention", attention},
          {"attention_grad", attention_grad}};
}

}  // namespace nw::reference
