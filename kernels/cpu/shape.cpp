// SPDX-License-Identifier: Apache-2.0
// Channels are contiguous within a shard, so concatenating and slicing are copies; flattening and reshaping are views
// and never run.
#include <cstring>

#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

void copy(const float* from, float* to, std::int64_t floats) {
  if (from != to) std::memcpy(to, from, static_cast<std::size_t>(floats) * sizeof(float));
}

PreparedKernel concat(KernelContext& c) {
  std::vector<Lanes> parts;
  for (int i = 0; i < static_cast<int>(c.step.inputs.size()); ++i) parts.push_back(in(c, i));
  const Lanes y = out(c, 0);
  return {{per_shard(c,
                     [=](std::int64_t s, int) {
                       float* to = y.shard(s);
                       for (const Lanes& p : parts) {
                         copy(p.shard(s), to, p.floats());
                         to += p.floats();
                       }
                     })},
          ""};
}

PreparedKernel slice(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const std::int64_t begin = int_attr(c.step.attrs, "begin") * x.pixels() * shard_samples;
  return {{per_shard(c, [=](std::int64_t s, int) { copy(x.shard(s) + begin, y.shard(s), y.floats()); })}, ""};
}

PreparedKernel slice_grad(KernelContext& c) {
  const Lanes dy = in(c, 0), dx = out(c, 0);
  const std::int64_t begin = int_attr(c.step.attrs, "begin") * dx.pixels() * shard_samples;
  return {{per_shard(c,
                     [=](std::int64_t s, int) {
                       std::fill_n(dx.shard(s), begin, 0.0f);
                       copy(dy.shard(s), dx.shard(s) + begin, dy.floats());
                       std::fill(dx.shard(s) + begin + dy.floats(), dx.shard(s) + dx.floats(), 0.0f);
                     })},
          ""};
}

PreparedKernel transpose(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  // the floats from one element to the next along each dimension of y, where the element is read in x
  std::int64_t steps[] = {x.pixels() * shard_samples, x.width * shard_samples, shard_samples};
  std::swap(steps[int_attr(c.step.attrs, "first") - 1], steps[int_attr(c.step.attrs, "second") - 1]);
  const std::int64_t channel = steps[0], row = steps[1], column = steps[2];
  return {{per_shard(c,
                     [=](std::int64_t s, int) {
                       float* to = y.shard(s);
                       for (std::int64_t ch = 0; ch < y.channels; ++ch)
                         for (std::int64_t iy = 0; iy < y.height; ++iy)
                           for (std::int64_t ix = 0; ix < y.width; ++ix, to += shard_samples)
                             copy(x.shard(s) + ch * channel + iy * row + ix * column, to, shard_samples);
                     })},
          ""};
}

PreparedKernel channel_shuffle(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const std::int64_t groups = int_attr(c.step.attrs, "groups"), each = x.channels / groups,
                     plane = x.pixels() * shard_samples;
  return {{per_shard(c,
                     [=](std::int64_t s, int) {
                       for (std::int64_t ch = 0; ch < x.channels; ++ch)
                         copy(x.shard(s) + ch * plane, y.shard(s) + (ch % each * groups + ch / each) * plane, plane);
                     })},
          ""};
}

// Runs only where the plan has not made the output a view.
PreparedKernel reshape(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  return {{per_shard(c, [=](std::int64_t s, int) { copy(x.shard(s), y.shard(s), y.floats()); })}, ""};
}

}  // namespace

KernelTable shape_kernels() {
  return {{"concat", concat},         {"slice", slice},
          {"slice_grad", slice_grad}, {"flatten", reshape},
          {"reshape", reshape},       {"flatten_grad", reshape},
          {"transpose", transpose},   {"channel_shuffle", channel_shuffle}};
}

}  // namespace nw::cpu
