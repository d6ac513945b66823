// SPDX-License-Identifier: Apache-2.0
// The optimizer's state where each replica keeps a part of it.
#include <algorithm>

#include "engine/compile/shard_update.hpp"
#include "engine/train/replicas_rank.hpp"
#include "kernels/state_shard.hpp"

namespace nw {

Status Replicas::allow_sharding(const TrainSettings& s) {
  if (s.parallel == Parallelism::sharded && s.stages > 0)
    return fail(Errc::usage,
                NW_TR("the optimizer's state is divided among devices that each compute the whole network: --stages is "
                      "of --parallel model, whose stages keep the state of their own weights"));
  return {};
}

void Replicas::shard_plan(Rank& r) {
  if (!sharded_) return;
  shard_update(r.training.plan, r.rank, world_);
  const StateShard shard = *state_shard(r.training.plan);
  r.saved_bytes = state_bytes_elsewhere(r.training.plan, shard.begin(), shard.end());
}

std::int64_t Replicas::saved_bytes_of(int rank) const {
  return pipeline() ? 0 : ranks_[static_cast<std::size_t>(rank)]->saved_bytes;
}

std::int64_t Replicas::state_bytes() const { return state_bytes_elsewhere(ranks_.front()->training.plan, 0, 0); }

// Each device of this process writes the part that it keeps; that of other processes was gathered before.
void Replicas::read_state(int value, std::span<std::byte> bytes) const {
  if (const auto known = gathered_.find(value); known != gathered_.end()) {
    std::copy(known->second.begin(), known->second.end(), bytes.begin());
    return;
  }
  const Value& v = ranks_.front()->training.plan.values[static_cast<std::size_t>(value)];
  for (const auto& r : ranks_) {
    r->holder(v).read(value, bytes);
    if (!sharded_) return;
  }
}

// Not twice for a step: the others would not take part.
Status Replicas::gather_state() {
  if (!sharded_ || !processes_ || !gathered_.empty()) return {};
  return on_all([&](Rank& r) -> Status {
    const StateShard shard = *state_shard(r.training.plan);
    for (std::size_t i = 0; i < r.training.plan.values.size(); ++i) {
      const Value& v = r.training.plan.values[i];
      if (v.role != Role::optimizer) continue;
      std::vector<std::byte>& bytes = gathered_[static_cast<int>(i)];
      bytes.resize(bytes_of(v));
      r.holder(v).read(static_cast<int>(i), bytes);
      std::vector<std::int64_t> bounds = {0};
      for (std::size_t rank = 1; rank < shard.bounds.size(); ++rank)
        bounds.push_back(std::clamp<std::int64_t>(4 * shard.bounds[rank] - v.offset_bytes, 0, std::ssize(bytes)));
      if (!communicators_[r.index]->all_gather(bytes.data(), bounds)) return lost_device();
    }
    return r.train->health();
  });
}

}  // namespace nw
