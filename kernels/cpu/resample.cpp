// SPDX-License-Identifier: Apache-2.0
// Images of another size: the source of each output row and column is computed once, when the step is prepared.
#include <cstring>

#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

// ---- upsampling
struct Line {  // one axis of a Resize
  std::vector<std::int32_t> first, second;
  std::vector<float> low;
  Line(std::int64_t in, std::int64_t out, bool nearest) {
    for (std::int64_t o = 0; o < out; ++o) {
      const double at =
          std::max(0.0, (static_cast<double>(o) + 0.5) * static_cast<double>(in) / static_cast<double>(out) - 0.5);
      const std::int64_t from = nearest ? o * in / out : std::min(static_cast<std::int64_t>(at), in - 1);
      first.push_back(static_cast<std::int32_t>(from));
      second.push_back(static_cast<std::int32_t>(nearest ? from : std::min(from + 1, in - 1)));
      low.push_back(nearest ? 1.0f : static_cast<float>(1 - (at - static_cast<double>(from))));
    }
  }
  Blend blend() const { return {first.data(), second.data(), low.data()}; }
};
struct Lines {
  Line rows, columns;
  Lines(const KernelContext& c, const Lanes& x, const Lanes& y)
      : Lines(x, y, std::get<std::string>(c.step.attrs.find("mode")->second) == "nearest") {}
  Lines(const Lanes& x, const Lanes& y, bool nearest)
      : rows(x.height, y.height, nearest), columns(x.width, y.width, nearest) {}
  Resize resize(const Lanes& x, const Lanes& y) const {
    return {x.channels, x.height, x.width, y.height, y.width, rows.blend(), columns.blend()};
  }
};

PreparedKernel upsample(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  auto lines = std::make_shared<const Lines>(c, x, y);
  const LayerKernels& k = vector_of(c).layer;
  return {{per_shard(c, [=, &k](std::int64_t s, int) { k.resize(lines->resize(x, y), x.shard(s), y.shard(s)); })}, ""};
}

PreparedKernel upsample_grad(KernelContext& c) {
  const Lanes dy = in(c, 0), dx = out(c, 0);
  auto lines = std::make_shared<const Lines>(c, dx, dy);
  const LayerKernels& k = vector_of(c).layer;
  return {{per_shard(
              c, [=, &k](std::int64_t s, int) { k.resize_gradient(lines->resize(dx, dy), dy.shard(s), dx.shard(s)); })},
          ""};
}

// ---- adaptive pooling
struct Bounds {
  std::vector<std::int32_t> row, column;
  Bounds(const Lanes& x, const Lanes& y) : row(of(x.height, y.height)), column(of(x.width, y.width)) {}
  static std::vector<std::int32_t> of(std::int64_t in, std::int64_t out) {
    std::vector<std::int32_t> bounds;
    for (std::int64_t o = 0; o < out; ++o)
      for (const std::int64_t b : {o * in / out, ((o + 1) * in + out - 1) / out})
        bounds.push_back(static_cast<std::int32_t>(b));
    return bounds;
  }
  Windows windows(const Lanes& x, const Lanes& y) const {
    return {x.channels, x.height, x.width, y.height, y.width, row.data(), column.data()};
  }
};

PreparedKernel adaptive_avg_pool2d(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  auto bounds = std::make_shared<const Bounds>(x, y);
  const LayerKernels& k = vector_of(c).layer;
  return {
      {per_shard(c, [=, &k](std::int64_t s, int) { k.window_mean(bounds->windows(x, y), x.shard(s), y.shard(s)); })},
      ""};
}

PreparedKernel adaptive_avg_pool2d_grad(KernelContext& c) {
  const Lanes dy = in(c, 0), dx = out(c, 0);
  auto bounds = std::make_shared<const Bounds>(dx, dy);
  const LayerKernels& k = vector_of(c).layer;
  return {{per_shard(c, [=, &k](std::int64_t s,
                                int) { k.window_mean_gradient(bounds->windows(dx, dy), dy.shard(s), dx.shard(s)); })},
          ""};
}

// ---- zero padding: rows of the small image are contiguous in the large one
PreparedKernel zero_pad2d(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const Pair first = pair_attr(c.step, "padding", 0);
  return {{per_shard(c,
                     [=](std::int64_t s, int) {
                       std::fill_n(y.shard(s), y.floats(), 0.0f);
                       for (std::int64_t i = 0; i < x.channels * x.height; ++i)
                         std::memcpy(
                             y.shard(s) + ((i / x.height * y.height + first.h + i % x.height) * y.width + first.w) *
                                              shard_samples,
                             x.shard(s) + i * x.width * shard_samples,
                             static_cast<std::size_t>(x.width * shard_samples) * sizeof(float));
                     })},
          ""};
}

PreparedKernel zero_pad2d_grad(KernelContext& c) {
  const Lanes dy = in(c, 0), dx = out(c, 0);
  const Pair first = pair_attr(c.step, "padding", 0);
  return {{per_shard(c,
                     [=](std::int64_t s, int) {
                       for (std::int64_t i = 0; i < dx.channels * dx.height; ++i)
                         std::memcpy(dx.shard(s) + i * dx.width * shard_samples,
                                     dy.shard(s) +
                                         ((i / dx.height * dy.height + first.h + i % dx.height) * dy.width + first.w) *
                                             shard_samples,
                                     static_cast<std::size_t>(dx.width * shard_samples) * sizeof(float));
                     })},
          ""};
}

}  // namespace

KernelTable resample_kernels() {
  return {{"adaptive_avg_pool2d", adaptive_avg_pool2d},
          {"adaptive_avg_pool2d_grad", adaptive_avg_pool2d_grad},
          {"zero_pad2d", zero_pad2d},
          {"zero_pad2d_grad", zero_pad2d_grad},
          {"upsample", upsample},
          {"upsample_grad", upsample_grad}};
}

}  // namespace nw::cpu
