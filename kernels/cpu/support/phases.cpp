// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cpu/support/kernels.hpp"

namespace nw::cpu {

Lanes lanes_of(float* data, const Value& v) {
  const Shape& s = v.shape;
  return {data, s.rank() > 1 ? s[1] : 1, s.rank() > 2 ? s[2] : 1, s.rank() > 3 ? s[3] : 1};
}

KernelPhase per_shard(const KernelContext& c, std::function<void(std::int64_t, int)> run) {
  return {shards_for(c.plan.batch), true, std::move(run)};
}

KernelPhase per_shard(const KernelContext& c, double cycles, std::function<void(std::int64_t, Part, int)> run) {
  constexpr double worth_meeting = 100'000;
  KernelPhase p{shards_for(c.plan.batch), true, [run](std::int64_t s, int worker) { run(s, {}, worker); }};
  p.parts = static_cast<std::int64_t>(std::clamp(cycles / worth_meeting, 1.0, 64.0));
  p.run_part = std::move(run);
  return p;
}

KernelPhase per_channel(const KernelContext& c, const Lanes& x, std::function<void(std::int64_t, Part, int)> run) {
  // images up to this size stay in the L2 cache without a division by channels
  constexpr std::int64_t stays_bytes = 512 << 10;
  KernelPhase p = per_shard(c, passing_cycles(x), std::move(run));
  p.channels = x.floats() * 4 > stays_bytes ? x.channels : 0;
  return p;
}

KernelPhase serial(std::function<void()> run) {
  return {1, false, [run = std::move(run)](std::int64_t, int) { run(); }};
}

}  // namespace nw::cpu
