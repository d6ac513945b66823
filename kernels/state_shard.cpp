// SPDX-License-Identifier: Apache-2.0
#include "kernels/state_shard.hpp"

#include <algorithm>
#include <set>

#include "kernels/rank_communicator.hpp"
#include "kernels/summed_metrics.hpp"
#include "kernels/update_blocks.hpp"

namespace nw {
namespace {

using Bounds = std::vector<std::int64_t>;

std::vector<WeightSpan> spans_of(const Plan& plan) {
  std::vector<WeightSpan> spans;
  for (const Value& v : plan.values)
    if (v.role == Role::weight) spans.push_back({v.offset_bytes / 4, v.shape.elements(), v.decay, v.lr_scale});
  std::sort(spans.begin(), spans.end(), [](const WeightSpan& a, const WeightSpan& b) { return a.offset < b.offset; });
  return spans;
}

}  // namespace

std::pair<std::int64_t, std::int64_t> StateShard::part_of(const Value& state) const {
  const std::int64_t at = state.offset_bytes / 4, count = state.shape.elements();
  const std::int64_t first = std::clamp<std::int64_t>(begin() - at, 0, count);
  return {first, std::clamp(end() - at, first, count)};
}

std::optional<StateShard> state_shard(const Plan& plan) {
  for (const Step& s : plan.steps)
    if (s.kernel == "all_gather")
      return StateShard{std::get<Bounds>(s.attrs.at("bounds")),
                        static_cast<int>(std::get<std::int64_t>(s.attrs.at("rank")))};
  return std::nullopt;
}

int replicas_of(const Plan& plan) {
  const auto shard = state_shard(plan);
  return shard ? static_cast<int>(shard->bounds.size()) - 1 : plan.world;
}

Bounds shard_bounds(const Plan& plan, int world) {
  Bounds starts, bounds = {0};
  for (const WeightSpan& block : update_blocks(spans_of(plan), Blocks::of_one_weight)) starts.push_back(block.offset);
  starts.push_back(plan.weight_elements);
  for (int r = 1; r < world; ++r) {
    const std::int64_t wanted = plan.weight_elements * r / world;
    auto at = std::lower_bound(starts.begin(), starts.end(), wanted);
    if (at != starts.begin() && wanted - *(at - 1) < *at - wanted) --at;
    bounds.push_back(std::max(bounds.back(), *at));
  }
  bounds.push_back(plan.weight_elements);
  return bounds;
}

std::int64_t state_bytes_elsewhere(const Plan& plan, std::int64_t begin, std::int64_t end) {
  std::set<std::string> kinds;
  for (const Value& v : plan.values)
    if (v.role == Role::optimizer) kinds.insert(v.name.substr(0, v.name.find(' ')));
  return 4 * (plan.weight_elements - (end - begin)) * static_cast<std::int64_t>(kinds.size());
}

PreparedKernel prepare_reduce_scatter(KernelContext& c) {
  RunState& s = c.state;
  auto* ranks = dynamic_cast<RankCommunicator*>(s.communicator);
  float* grads = c.storage.weight_grads();
  const Bounds bounds = std::get<Bounds>(c.step.attrs.at("bounds"));
  return {{{1, false,
            [&s, ranks, grads, bounds](std::int64_t, int) {
              sum_metrics(s, [&](double* m) {
                return ranks && (!grads || ranks->reduce_scatter_sum(grads, bounds)) && ranks->all_reduce_sum(m, 3);
              });
            }}},
          ""};
}

PreparedKernel prepare_all_gather(KernelContext& c) {
  RunState& s = c.state;
  auto* ranks = dynamic_cast<RankCommunicator*>(s.communicator);
  auto* weights = reinterpret_cast<std::byte*>(c.storage.weights());
  Bounds bytes = std::get<Bounds>(c.step.attrs.at("bounds"));
  for (std::int64_t& b : bytes) b *= 4;
  return {{{1, false,
            [&s, ranks, weights, bytes](std::int64_t, int) {
              if (!ranks || !ranks->all_gather(weights, bytes)) s.failed = true;
            }}},
          ""};
}

}  // namespace nw
