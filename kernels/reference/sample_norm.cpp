// SPDX-License-Identifier: Apache-2.0
// Layer norm (Ba, Kiros and Hinton, 2016) and group norm (Wu and He, 2018): each sample separately.
#include <cmath>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

struct Norm {
  Image x;
  std::int64_t groups;
  bool per_channel;  // one weight for each channel; otherwise one for each element, in (C,H,W) order

  Norm(const KernelContext& c, const Image& image)
      : x(image), groups(int_attr(c.step.attrs, "groups", 1)), per_channel(c.step.kernel.starts_with("group_norm")) {}
  double count() const { return static_cast<double>(x.per_sample() / groups); }
  std::int64_t weights() const { return per_channel ? x.c : x.per_sample(); }
  // `e`: index of an element of a sample in memory.
  std::int64_t group(std::int64_t e) const { return e % x.c / (x.c / groups); }
  std::int64_t weight(std::int64_t e) const { return per_channel ? e % x.c : e % x.c * x.h * x.w + e / x.c; }
  double normalised(std::int64_t n, std::int64_t e, const float* mean_invstd) const {
    const float* mean = mean_invstd + 2 * groups * n;
    return (static_cast<double>(x.sample(n)[e]) - mean[group(e)]) * mean[groups + group(e)];
  }
  // f(element) summed over the elements of each group
  template <class F>
  std::vector<double> sums(F f) const {
    std::vector<double> sum(static_cast<std::size_t>(groups), 0.0);
    for (std::int64_t e = 0; e < x.per_sample(); ++e) sum[static_cast<std::size_t>(group(e))] += f(e);
    return sum;
  }
};

PreparedKernel forward(KernelContext& c) {
  const Norm v(c, in(c, 0));
  const Image y = out(c, 0);
  const float *w = c.in(1), *b = c.in(2);
  float* saved = c.out(1);
  const double eps = real_attr(c.step.attrs, "eps");
  return each_sample(c, [v, y, w, b, saved, eps](std::int64_t n) {
    const float* x = v.x.sample(n);
    std::vector<double> mean = v.sums([&](std::int64_t e) { return x[e]; });
    for (double& m : mean) m /= v.count();
    const auto centred = [&](std::int64_t e) { return x[e] - mean[static_cast<std::size_t>(v.group(e))]; };
    std::vector<double> invstd = v.sums([&](std::int64_t e) { return centred(e) * centred(e); });
    for (double& s : invstd) s = 1 / std::sqrt(s / v.count() + eps);
    for (std::int64_t e = 0; e < v.x.per_sample(); ++e) {
      const double xhat = centred(e) * invstd[static_cast<std::size_t>(v.group(e))];
      y.sample(n)[e] = static_cast<float>(xhat * (w ? w[v.weight(e)] : 1.0f) + (b ? b[v.weight(e)] : 0.0f));
    }
    for (std::int64_t g = 0; saved && g < v.groups; ++g) {
      saved[2 * v.groups * n + g] = static_cast<float>(mean[static_cast<std::size_t>(g)]);
      saved[2 * v.groups * n + v.groups + g] = static_cast<float>(invstd[static_cast<std::size_t>(g)]);
    }
  });
}

PreparedKernel grad_input(KernelContext& c) {
  const Norm v(c, in(c, 1));
  const Image dy = in(c, 0), dx = out(c, 0);
  const float *mean_invstd = c.in(2), *w = c.in(3);
  return each_sample(c, [v, dy, dx, mean_invstd, w](std::int64_t n) {
    const auto scaled = [&](std::int64_t e) {
      return static_cast<double>(dy.sample(n)[e]) * (w ? w[v.weight(e)] : 1.0f);
    };
    const auto xhat = [&](std::int64_t e) { return v.normalised(n, e, mean_invstd); };
    const std::vector<double> sum = v.sums(scaled), dot = v.sums([&](std::int64_t e) { return scaled(e) * xhat(e); });
    for (std::int64_t e = 0; e < v.x.per_sample(); ++e) {
      const auto g = static_cast<std::size_t>(v.group(e));
      const double invstd = mean_invstd[2 * v.groups * n + v.groups + v.group(e)];
      dx.sample(n)[e] = static_cast<float>(invstd * (scaled(e) - sum[g] / v.count() - xhat(e) * dot[g] / v.count()));
    }
  });
}

PreparedKernel grad_weight(KernelContext& c) {
  const Norm v(c, in(c, 1));
  const Image dy = in(c, 0);
  const float* mean_invstd = c.in(2);
  float *dw = c.out(0), *db = c.out(1);
  const RunState& state = c.state;
  return whole([v, dy, mean_invstd, dw, db, &state] {
    std::vector<double> weight(static_cast<std::size_t>(v.weights()), 0.0), bias = weight;
    for (std::int64_t n = 0; n < state.args.valid; ++n)
      for (std::int64_t e = 0; e < v.x.per_sample(); ++e) {
        weight[static_cast<std::size_t>(v.weight(e))] += dy.sample(n)[e] * v.normalised(n, e, mean_invstd);
        bias[static_cast<std::size_t>(v.weight(e))] += dy.sample(n)[e];
      }
    for (std::size_t i = 0; i < weight.size(); ++i) dw[i] = static_cast<float>(weight[i]);
    for (std::size_t i = 0; db && i < bias.size(); ++i) db[i] = static_cast<float>(bias[i]);
  });
}

}  // namespace

KernelTable sample_norm_kernels() {
  return {{"layer_norm", forward}, {"layer_norm_grad_input", grad_input}, {"layer_norm_grad_weight", grad_weight},
          {"group_norm", forward}, {"group_norm_grad_input", grad_input}, {"group_norm_grad_weight", grad_weight}};
}

}  // namespace nw::reference
