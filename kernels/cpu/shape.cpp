// SPDX-License-Identifier: Apache-2.0
// Channels are contiguous within a shard, so concatenating and slicing are copies; flattening is a view and never runs.
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

// Runs only where the plan has not made the output a view.
PreparedKernel flatten(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  return {{per_shard(c, [=](std::int64_t s, int) { copy(x.shard(s), y.shard(s), y.floats()); })}, ""};
}

}  // namespace

KernelTable shape_kernels() {
  return {{"concat", concat}, {"slice", slice}, {"flatten", flatten}, {"flatten_grad", flatten}};
}

}  // namespace nw::cpu
