// SPDX-License-Identifier: Apache-2.0
#include "engine/compile/balance.hpp"

#include <algorithm>
#include <limits>

namespace nw {
namespace {

struct Division {
  double worst = std::numeric_limits<double>::infinity();  // cost of the most expensive stage
  std::int64_t crossing_bytes = 0;
  std::size_t last_begins = 0;
  bool better_than(const Division& other) const {
    return worst != other.worst ? worst < other.worst : crossing_bytes < other.crossing_bytes;
  }
};

/// By dynamic programming over the number of stages and the layers they cover.
class Divider {
 public:
  Divider(std::span<const LayerLoad> layers, std::int64_t limit_bytes) : layers_(layers), limit_(limit_bytes) {}

  std::vector<std::size_t> divide(std::size_t stages) {
    best_.assign(stages, std::vector<Division>(layers_.size() + 1));
    for (std::size_t end = 1; end <= layers_.size(); ++end) best_[0][end] = alone(end);
    for (std::size_t s = 1; s < stages; ++s)
      for (std::size_t end = s + 1; end <= layers_.size(); ++end) best_[s][end] = with_last_stage(s, end);
    std::vector<std::size_t> first;
    if (best_.back().back().worst == std::numeric_limits<double>::infinity()) return first;
    std::size_t end = layers_.size();
    for (std::size_t s = stages; s-- > 0; end = first.back()) first.push_back(best_[s][end].last_begins);
    std::reverse(first.begin(), first.end());
    return first;
  }

 private:
  Division alone(std::size_t end) const {
    Division d{.worst = 0};
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < end; ++i) d.worst += layers_[i].cost, bytes += layers_[i].memory_bytes;
    return d.worst > 0 && bytes <= limit_ ? d : Division{};
  }
  /// The last stage grows backwards until it alone is worse than the best division found.
  Division with_last_stage(std::size_t s, std::size_t end) const {
    Division best;
    double cost = 0;
    std::int64_t bytes = 0;
    for (std::size_t begin = end; begin-- > s && cost <= best.worst;) {
      cost += layers_[begin].cost;
      bytes += layers_[begin].memory_bytes;
      if (bytes > limit_) break;
      const Division& before = best_[s - 1][begin];
      const Division d{std::max(before.worst, cost), before.crossing_bytes + layers_[begin - 1].crossing_bytes, begin};
      if (cost > 0 && d.better_than(best)) best = d;
    }
    return best;
  }

  std::span<const LayerLoad> layers_;
  const std::int64_t limit_;
  std::vector<std::vector<Division>> best_;  // of the first layers, by number of stages less one and of layers
};

}  // namespace

std::vector<std::size_t> balanced_stages(std::span<const LayerLoad> layers, std::size_t stages,
                                         std::int64_t limit_bytes) {
  if (stages == 0 || layers.size() < stages) return {};
  std::vector<std::size_t> first = Divider(layers, limit_bytes).divide(stages);
  if (first.empty()) first = Divider(layers, std::numeric_limits<std::int64_t>::max()).divide(stages);
  return first;
}

}  // namespace nw
