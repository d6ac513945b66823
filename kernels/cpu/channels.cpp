// SPDX-License-Identifier: Apache-2.0
// One number for each channel: scales, sums, the largest value; and orders of channels. A channel of a shard is one
// contiguous run.
#include <algorithm>
#include <cmath>

#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

PreparedKernel scale_channels(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const float* w = c.in(1);
  const VectorKernels& k = vector_of(c);
  return {{per_channel(c, x,
                       [=, &k](std::int64_t s, Part part, int) {
                         for (std::int64_t ch = part.begin(x.channels); ch < part.end(x.channels); ++ch) {
                           const std::int64_t at = ch * x.pixels() * shard_samples;
                           k.norm_apply({x.shard(s) + at, nullptr, y.shard(s) + at, 0, w[ch], 0, false, x.pixels()});
                         }
                       })},
          ""};
}

PreparedKernel scale_channels_grad_weight(KernelContext& c) {
  const Lanes dy = in(c, 0), x = in(c, 1);
  float* dw = c.out(0);
  auto* sums = c.own<double>(shards_for(c.plan.batch) * 2 * x.channels);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const auto shard = [=, &k, &state](std::int64_t s, int) {
    for (std::int64_t ch = 0; ch < x.channels; ++ch) {
      double* const to = sums + (s * x.channels + ch) * 2;
      to[0] = to[1] = 0;
      const std::int64_t at = ch * x.pixels() * shard_samples;
      k.norm_gradient_stats(dy.shard(s) + at, x.shard(s) + at, 0, x.pixels(), valid_lanes(state, s), to);
    }
  };
  return {{per_shard(c, shard), serial([=, &state] {
             for (std::int64_t ch = 0; ch < x.channels; ++ch) {
               double sum = 0;
               for (std::int64_t s = 0; s < state.active_shards; ++s) sum += sums[(s * x.channels + ch) * 2 + 1];
               dw[ch] = static_cast<float>(sum);
             }
           })},
          ""};
}

// Adds to each of `pixels` vectors of 16 lanes the vector `by`.
void add_to_all(const float* by, std::int64_t pixels, float* to) {
  for (std::int64_t q = 0; q < pixels; ++q, to += shard_samples)
    for (std::int64_t lane = 0; lane < shard_samples; ++lane) to[lane] += by[lane];
}

PreparedKernel add_spread(KernelContext& c) {
  std::vector<Lanes> terms;
  for (int i = 0; i < static_cast<int>(c.step.inputs.size()); ++i) terms.push_back(in(c, i));
  const Lanes y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  const std::int64_t plane = y.pixels() * shard_samples;
  return {{per_channel(c, y,
                       [=, &k](std::int64_t s, Part part, int) {
                         for (std::int64_t ch = part.begin(y.channels); ch < part.end(y.channels); ++ch) {
                           float* const to = y.shard(s) + ch * plane;
                           std::fill_n(to, plane, 0.0f);
                           for (const Lanes& t : terms)
                             if (t.pixels() == y.pixels())
                               k.add(to, t.shard(s) + ch * plane, to, plane);
                             else
                               add_to_all(t.shard(s) + ch * shard_samples, y.pixels(), to);
                         }
                       })},
          ""};
}

PoolShape whole_image(const Lanes& x) {
  return {x.channels, x.height, x.width, 1, 1, x.height, x.width, 1, 1, 0, 0, true};
}

PreparedKernel global_max_pool2d(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  return {{per_shard(c, [=, &k](std::int64_t s, int) { k.max_pool(whole_image(x), x.shard(s), y.shard(s), nullptr); })},
          ""};
}

// The first pixel of each lane that equals the largest value takes the gradient; a NaN is larger than every number.
void to_largest(const float* dy, const float* x, std::int64_t pixels, float* dx) {
  float best[shard_samples];
  std::int64_t where[shard_samples] = {};
  std::copy_n(x, shard_samples, best);
  for (std::int64_t q = 1; q < pixels; ++q)
    for (std::int64_t lane = 0; lane < shard_samples; ++lane) {
      const float v = x[q * shard_samples + lane];
      const bool better = v > best[lane] || (v != v && best[lane] == best[lane]);
      best[lane] = better ? v : best[lane];
      where[lane] = better ? q : where[lane];
    }
  std::fill_n(dx, pixels * shard_samples, 0.0f);
  for (std::int64_t lane = 0; lane < shard_samples; ++lane) dx[where[lane] * shard_samples + lane] = dy[lane];
}

PreparedKernel global_max_pool2d_grad(KernelContext& c) {
  const Lanes dy = in(c, 0), x = in(c, 1), dx = out(c, 0);
  return {{per_shard(c,
                     [=](std::int64_t s, int) {
                       for (std::int64_t ch = 0; ch < x.channels; ++ch) {
                         const std::int64_t at = ch * x.pixels() * shard_samples;
                         to_largest(dy.shard(s) + ch * shard_samples, x.shard(s) + at, x.pixels(), dx.shard(s) + at);
                       }
                     })},
          ""};
}

// ---- local response normalization: bases of all elements of a shard, then their powers
struct Response {
  Lanes x;
  std::int64_t size;
  float share, beta, k;
  Response(const Step& s, const Lanes& image)
      : x(image),
        size(int_attr(s.attrs, "size")),
        share(static_cast<float>(real_attr(s.attrs, "alpha") / static_cast<double>(size))),
        beta(static_cast<float>(real_attr(s.attrs, "beta"))),
        k(static_cast<float>(real_attr(s.attrs, "k"))) {}
  std::int64_t plane() const { return x.pixels() * shard_samples; }
  /// to[c] = sum over the channels from c - below up to c + above of a b.
  void window_sums(const float* a, const float* b, std::int64_t below, std::int64_t above, float* to) const {
    for (std::int64_t c = 0; c < x.channels; ++c) {
      float* const sum = to + c * plane();
      std::fill_n(sum, plane(), 0.0f);
      const std::int64_t last = std::min(c + above, x.channels - 1);
      for (std::int64_t j = std::max<std::int64_t>(c - below, 0); j <= last; ++j)
        for (std::int64_t e = 0; e < plane(); ++e) sum[e] += a[j * plane() + e] * b[j * plane() + e];
    }
  }
  void bases(const float* from, float* to) const {
    window_sums(from, from, size / 2, (size - 1) / 2, to);
    for (std::int64_t e = 0; e < x.floats(); ++e) to[e] = k + share * to[e];
  }
};

PreparedKernel local_response_norm(KernelContext& c) {
  const Lanes y = out(c, 0);
  const Response r(c.step, in(c, 0));
  return {{per_shard(c,
                     [=](std::int64_t s, int) {
                       const float* x = r.x.shard(s);
                       float* to = y.shard(s);
                       r.bases(x, to);
                       for (std::int64_t e = 0; e < y.floats(); ++e) to[e] = x[e] * std::pow(to[e], -r.beta);
                     })},
          ""};
}

// dx = dy base^-beta - 2 alpha beta / size x times the sum of dy x base^(-beta - 1) over the channels whose windows
// contain the channel.
PreparedKernel local_response_norm_grad(KernelContext& c) {
  const Lanes dy = in(c, 0), dx = out(c, 0);
  const Response r(c.step, in(c, 1));
  const RunState& state = c.state;
  c.need_worker_scratch(3 * r.x.floats() * 4);
  return {{per_shard(c,
                     [=, &state](std::int64_t s, int worker) {
                       auto* base = reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]);
                       float *power = base + r.x.floats(), *sums = power + r.x.floats(), *to = dx.shard(s);
                       const float *x = r.x.shard(s), *d = dy.shard(s);
                       r.bases(x, base);
                       for (std::int64_t e = 0; e < dx.floats(); ++e) {
                         power[e] = d[e] * std::pow(base[e], -r.beta);
                         base[e] = power[e] / base[e];
                       }
                       r.window_sums(x, base, (r.size - 1) / 2, r.size / 2, sums);
                       for (std::int64_t e = 0; e < dx.floats(); ++e)
                         to[e] = power[e] - 2 * r.share * r.beta * x[e] * sums[e];
                     })},
          ""};
}

}  // namespace

KernelTable channel_kernels() {
  return {{"scale_channels", scale_channels},
          {"scale_channels_grad_weight", scale_channels_grad_weight, always_alone},
          {"add_spread", add_spread},
          {"global_max_pool2d", global_max_pool2d},
          {"global_max_pool2d_grad", global_max_pool2d_grad},
          {"local_response_norm", local_response_norm},
          {"local_response_norm_grad", local_response_norm_grad}};
}

}  // namespace nw::cpu
