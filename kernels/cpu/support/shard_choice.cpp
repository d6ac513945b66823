// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue.hpp"
#include "kernels/cpu/support/kernels.hpp"

namespace nw::cpu {
namespace {

// limits up to which each worker reads all weights, which costs less than two barriers
constexpr std::int64_t own_weights = 1 << 15, own_shards = 8;
// the limits where tiles multiply, which pack the weights once a step; the second one for large batches
constexpr std::int64_t own_tile_weights = 1 << 16;
constexpr std::int64_t own_tile_weights_of_many = 1 << 14;

}  // namespace

bool taken_by_shard(const Plan& plan, const Step& s) {
  if (!s.kernel.starts_with("linear") || s.kernel == "linear_grad_weight") return false;
  if (is_linear_of_pixels(plan, s)) return true;
  const std::int64_t weights = plan.values[static_cast<std::size_t>(s.inputs[1])].shape.elements();
  const bool few = shards_for(plan.batch) <= own_shards;
  if (rounds_operands(s)) return weights <= (few ? own_tile_weights : own_tile_weights_of_many);
  return few && weights <= own_weights;
}

}  // namespace nw::cpu
