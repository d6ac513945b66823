// SPDX-License-Identifier: Apache-2.0
// The norms that read neighbouring channels of one pixel: layer norm over the channels, as in ConvNeXt (Liu et al.,
// 2022) and in transformers, and local response normalization (Krizhevsky et al., 2012, 3.3).
#include <cmath>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

/// One pixel's channels, their mean and 1 / sqrt(variance + eps).
struct Pixel {
  const float* x;
  std::int64_t channels;
  double mean, invstd;
  double normalised(std::int64_t c) const { return (x[c] - mean) * invstd; }
};

Pixel measured(const float* x, std::int64_t channels, double eps) {
  double mean = 0, squares = 0;
  for (std::int64_t c = 0; c < channels; ++c) mean += x[c];
  mean /= static_cast<double>(channels);
  for (std::int64_t c = 0; c < channels; ++c) squares += (x[c] - mean) * (x[c] - mean);
  return {x, channels, mean, 1 / std::sqrt(squares / static_cast<double>(channels) + eps)};
}

/// The pixel q of sample n with the statistics that the forward pass saved: (N,2,H,W), in memory pixel by pixel.
Pixel known(const Image& x, const Image& saved, std::int64_t n, std::int64_t q) {
  const float* both = saved.sample(n) + 2 * q;
  return {x.sample(n) + q * x.c, x.c, both[0], both[1]};
}

PreparedKernel channel_norm(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const float *w = c.in(1), *b = c.in(2);
  float* saved = c.out(1);
  const double eps = real_attr(c.step.attrs, "eps");
  return each_sample(c, [x, y, w, b, saved, eps](std::int64_t n) {
    for (std::int64_t q = 0; q < x.h * x.w; ++q) {
      const Pixel p = measured(x.sample(n) + q * x.c, x.c, eps);
      for (std::int64_t k = 0; k < x.c; ++k)
        y.sample(n)[q * x.c + k] = static_cast<float>(p.normalised(k) * (w ? w[k] : 1.0f) + (b ? b[k] : 0.0f));
      if (!saved) continue;
      saved[2 * (n * x.h * x.w + q)] = static_cast<float>(p.mean);
      saved[2 * (n * x.h * x.w + q) + 1] = static_cast<float>(p.invstd);
    }
  });
}

PreparedKernel channel_norm_grad_input(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1), saved = in(c, 2), dx = out(c, 0);
  const float* w = c.in(3);
  return each_sample(c, [dy, x, saved, dx, w](std::int64_t n) {
    const auto count = static_cast<double>(x.c);
    for (std::int64_t q = 0; q < x.h * x.w; ++q) {
      const Pixel p = known(x, saved, n, q);
      const float* from = dy.sample(n) + q * x.c;
      double sum = 0, dot = 0;
      for (std::int64_t k = 0; k < x.c; ++k) {
        const double d = static_cast<double>(from[k]) * (w ? w[k] : 1.0f);
        sum += d;
        dot += d * p.normalised(k);
      }
      for (std::int64_t k = 0; k < x.c; ++k) {
        const double d = static_cast<double>(from[k]) * (w ? w[k] : 1.0f);
        dx.sample(n)[q * x.c + k] = static_cast<float>(p.invstd * (d - sum / count - p.normalised(k) * dot / count));
      }
    }
  });
}

PreparedKernel channel_norm_grad_weight(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1), saved = in(c, 2);
  float *dw = c.out(0), *db = c.out(1);
  const RunState& state = c.state;
  return whole([dy, x, saved, dw, db, &state] {
    std::vector<double> weight(static_cast<std::size_t>(x.c), 0.0), bias = weight;
    for (std::int64_t n = 0; n < state.args.valid; ++n)
      for (std::int64_t q = 0; q < x.h * x.w; ++q) {
        const Pixel p = known(x, saved, n, q);
        for (std::int64_t k = 0; k < x.c; ++k) {
          const double d = dy.sample(n)[q * x.c + k];
          weight[static_cast<std::size_t>(k)] += d * p.normalised(k);
          bias[static_cast<std::size_t>(k)] += d;
        }
      }
    for (std::size_t k = 0; k < weight.size(); ++k) dw[k] = static_cast<float>(weight[k]);
    for (std::size_t k = 0; db && k < bias.size(); ++k) db[k] = static_cast<float>(bias[k]);
  });
}

/// Local response normalization: the channels of a pixel and their divisors' bases.
struct Response {
  std::int64_t size;
  double alpha, beta, k;
  explicit Response(const Step& s)
      : size(int_attr(s.attrs, "size")),
        alpha(real_attr(s.attrs, "alpha")),
        beta(real_attr(s.attrs, "beta")),
        k(real_attr(s.attrs, "k")) {}
  std::int64_t first(std::int64_t c) const { return std::max<std::int64_t>(c - size / 2, 0); }
  std::int64_t last(std::int64_t c, std::int64_t channels) const { return std::min(c + (size - 1) / 2, channels - 1); }
  std::vector<double> bases(const float* x, std::int64_t channels) const {
    std::vector<double> all;
    for (std::int64_t c = 0; c < channels; ++c) {
      double sum = 0;
      for (std::int64_t i = first(c); i <= last(c, channels); ++i) sum += static_cast<double>(x[i]) * x[i];
      all.push_back(k + alpha / static_cast<double>(size) * sum);
    }
    return all;
  }
};

PreparedKernel local_response_norm(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const Response r(c.step);
  return each_sample(c, [x, y, r](std::int64_t n) {
    for (std::int64_t at = 0; at < x.per_sample(); at += x.c) {
      const std::vector<double> base = r.bases(x.sample(n) + at, x.c);
      for (std::int64_t k = 0; k < x.c; ++k)
        y.sample(n)[at + k] =
            static_cast<float>(x.sample(n)[at + k] * std::pow(base[static_cast<std::size_t>(k)], -r.beta));
    }
  });
}

// y_c depends on x_j for every channel j of its window.
PreparedKernel local_response_norm_grad(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1), dx = out(c, 0);
  const Response r(c.step);
  return each_sample(c, [dy, x, dx, r](std::int64_t n) {
    for (std::int64_t at = 0; at < x.per_sample(); at += x.c) {
      const float *v = x.sample(n) + at, *d = dy.sample(n) + at;
      const std::vector<double> base = r.bases(v, x.c);
      std::vector<double> sum(base.size());
      for (std::int64_t k = 0; k < x.c; ++k) {
        const double b = base[static_cast<std::size_t>(k)];
        sum[static_cast<std::size_t>(k)] += d[k] * std::pow(b, -r.beta);
        const double common =
            -2 * r.alpha * r.beta / static_cast<double>(r.size) * d[k] * v[k] * std::pow(b, -r.beta - 1);
        for (std::int64_t j = r.first(k); j <= r.last(k, x.c); ++j) sum[static_cast<std::size_t>(j)] += common * v[j];
      }
      for (std::int64_t k = 0; k < x.c; ++k)
        dx.sample(n)[at + k] = static_cast<float>(sum[static_cast<std::size_t>(k)]);
    }
  });
}

}  // namespace

KernelTable channel_norm_kernels() {
  return {{"channel_norm", channel_norm},
          {"channel_norm_grad_input", channel_norm_grad_input},
          {"channel_norm_grad_weight", channel_norm_grad_weight},
          {"local_response_norm", local_response_norm},
          {"local_response_norm_grad", local_response_norm_grad}};
}

}  // namespace nw::reference
