// SPDX-License-Identifier: Apache-2.0
// Resampling: each output is a weighted sum of inputs, with weights that are the product of a row's and a column's. The
// gradient is the transpose of the same map.
#include <algorithm>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

struct Share {
  std::int64_t from;
  double weight;
};
using Line = std::vector<std::vector<Share>>;  // for each output row (or column): its inputs and their weights

struct Map {
  Line rows, columns;
  // Calls f(y, x of the output, y, x of the input, weight).
  template <class F>
  void terms(F f) const {
    for (std::size_t oy = 0; oy < rows.size(); ++oy)
      for (std::size_t ox = 0; ox < columns.size(); ++ox)
        for (const Share& r : rows[oy])
          for (const Share& c : columns[ox])
            f(static_cast<std::int64_t>(oy), static_cast<std::int64_t>(ox), r.from, c.from, r.weight * c.weight);
  }
};

PreparedKernel forward(KernelContext& c, const Map& map) {
  const Image x = in(c, 0), y = out(c, 0);
  return each_sample(c, [x, y, map](std::int64_t n) {
    std::vector<double> sum(static_cast<std::size_t>(y.h * y.w));
    for (std::int64_t ch = 0; ch < y.c; ++ch) {
      std::fill(sum.begin(), sum.end(), 0.0);
      map.terms([&](auto oy, auto ox, auto iy, auto ix, double w) {
        sum[static_cast<std::size_t>(oy * y.w + ox)] += w * x.at(n, ch, iy, ix);
      });
      for (std::int64_t q = 0; q < y.h * y.w; ++q)
        y.at(n, ch, q / y.w, q % y.w) = static_cast<float>(sum[static_cast<std::size_t>(q)]);
    }
  });
}

PreparedKernel backward(KernelContext& c, const Map& map) {
  const Image dy = in(c, 0), dx = out(c, 0);
  return each_sample(c, [dy, dx, map](std::int64_t n) {
    std::vector<double> sum(static_cast<std::size_t>(dx.h * dx.w));
    for (std::int64_t ch = 0; ch < dx.c; ++ch) {
      std::fill(sum.begin(), sum.end(), 0.0);
      map.terms([&](auto oy, auto ox, auto iy, auto ix, double w) {
        sum[static_cast<std::size_t>(iy * dx.w + ix)] += w * dy.at(n, ch, oy, ox);
      });
      for (std::int64_t q = 0; q < dx.h * dx.w; ++q)
        dx.at(n, ch, q / dx.w, q % dx.w) = static_cast<float>(sum[static_cast<std::size_t>(q)]);
    }
  });
}

// ---- the lines for given sizes
Line means(std::int64_t in, std::int64_t out) {
  Line line;
  for (std::int64_t o = 0; o < out; ++o) {
    const std::int64_t first = o * in / out, end = ((o + 1) * in + out - 1) / out;
    line.emplace_back();
    for (std::int64_t i = first; i < end; ++i) line.back().push_back({i, 1 / static_cast<double>(end - first)});
  }
  return line;
}

Line padded(std::int64_t in, std::int64_t out, std::int64_t first) {
  Line line(static_cast<std::size_t>(out));
  for (std::int64_t i = 0; i < in; ++i) line[static_cast<std::size_t>(first + i)].push_back({i, 1});
  return line;
}

Line repeated(std::int64_t in, std::int64_t out) {
  Line line;
  for (std::int64_t o = 0; o < out; ++o) line.push_back({{o * in / out, 1}});
  return line;
}

// Linear interpolation between the centres of pixels; constant before the first centre and after the last.
Line straight(std::int64_t in, std::int64_t out) {
  Line line;
  for (std::int64_t o = 0; o < out; ++o) {
    const double centre = (static_cast<double>(o) + 0.5) * static_cast<double>(in) / static_cast<double>(out) - 0.5;
    const double at = std::clamp(centre, 0.0, static_cast<double>(in - 1));
    const std::int64_t low = static_cast<std::int64_t>(at), high = std::min(low + 1, in - 1);
    const double part = at - static_cast<double>(low);
    line.push_back({{low, 1 - part}, {high, part}});
  }
  return line;
}

Map means_of(const Image& x, const Image& y) { return {means(x.h, y.h), means(x.w, y.w)}; }
Map padded_of(const KernelContext& c, const Image& x, const Image& y) {
  const Pair first = pair_attr(c.step, "padding", 0);
  return {padded(x.h, y.h, first.h), padded(x.w, y.w, first.w)};
}
Map upsampled_of(const KernelContext& c, const Image& x, const Image& y) {
  const bool nearest = std::get<std::string>(c.step.attrs.find("mode")->second) == "nearest";
  return nearest ? Map{repeated(x.h, y.h), repeated(x.w, y.w)} : Map{straight(x.h, y.h), straight(x.w, y.w)};
}

PreparedKernel adaptive_avg_pool2d(KernelContext& c) { return forward(c, means_of(in(c, 0), out(c, 0))); }
PreparedKernel adaptive_avg_pool2d_grad(KernelContext& c) { return backward(c, means_of(out(c, 0), in(c, 0))); }
PreparedKernel zero_pad2d(KernelContext& c) { return forward(c, padded_of(c, in(c, 0), out(c, 0))); }
PreparedKernel zero_pad2d_grad(KernelContext& c) { return backward(c, padded_of(c, out(c, 0), in(c, 0))); }
PreparedKernel upsample(KernelContext& c) { return forward(c, upsampled_of(c, in(c, 0), out(c, 0))); }
PreparedKernel upsample_grad(KernelContext& c) { return backward(c, upsampled_of(c, out(c, 0), in(c, 0))); }

}  // namespace

KernelTable resample_kernels() {
  return {{"adaptive_avg_pool2d", adaptive_avg_pool2d},
          {"adaptive_avg_pool2d_grad", adaptive_avg_pool2d_grad},
          {"zero_pad2d", zero_pad2d},
          {"zero_pad2d_grad", zero_pad2d_grad},
          {"upsample", upsample},
          {"upsample_grad", upsample_grad}};
}

}  // namespace nw::reference
