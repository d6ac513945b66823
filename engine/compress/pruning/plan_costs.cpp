// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/pruning/plan_costs.hpp"

#include <algorithm>
#include <cmath>

#include "engine/exchange/weights.hpp"

namespace nw::compress {
namespace {

/// By weight and dimension: the indices that go.
using Missing = std::map<std::pair<std::string, int>, std::int64_t>;

Missing missing_of(const ChannelGroups& groups, const std::vector<std::int64_t>& kept) {
  Missing all;
  for (std::size_t g = 0; g < groups.groups.size(); ++g)
    for (const ChannelAxis& axis : groups.groups[g].axes)
      all[{axis.weight, axis.dim}] += (groups.groups[g].channels - kept[g]) * axis.each;
  return all;
}

std::vector<std::int64_t> sizes_left(const std::string& weight, const Shape& shape, const Missing& missing) {
  std::vector<std::int64_t> sizes = exchange::sizes_of(shape);
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (const auto found = missing.find({weight, static_cast<int>(d)}); found != missing.end())
      sizes[d] -= found->second;
  return sizes;
}

void add_weight(const Weight& w, const std::vector<std::int64_t>& sizes, PlanCosts& to) {
  std::int64_t elements = 1;
  for (const std::int64_t s : sizes) elements *= s;
  if (!w.buffer) to.parameters += elements;
  to.bytes += sizes.empty() ? 8 : 4 * elements;                    // a counter has 64 bits
  if (sizes.size() > 1) to.int8_bytes += elements + 8 * sizes[0];  // norms are folded into these
}

}  // namespace

std::int64_t channels_left(std::int64_t channels, double removed) {
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(channels) * (1 - removed)));
}

Result<PlanCostTable> PlanCostTable::of(const GraphDoc& doc) {
  PlanCostTable table;
  NW_ASSIGN(table.network_, flatten(doc, {.training = false, .batch = 1}));
  table.groups_ = find_channel_groups(table.network_);
  std::vector<std::pair<int, std::size_t>> order;  // first producer, group
  for (std::size_t g = 0; g < table.groups_.groups.size(); ++g) {
    const auto& makers = table.groups_.groups[g].producers;
    if (!makers.empty() && makers.front() != table.network_.input)
      order.emplace_back(*std::min_element(makers.begin(), makers.end()), g);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [first, g] : order) {
    const ChannelGroup& group = table.groups_.groups[g];
    PlannedLayer layer{.name = "", .type = "", .layers = {}, .channels = group.channels, .fixed = group.fixed};
    std::vector<int> makers = group.producers;
    std::sort(makers.begin(), makers.end());
    for (const int p : makers) layer.layers.push_back(table.network_.layers[static_cast<std::size_t>(p)].name);
    layer.name = layer.layers.front();
    layer.type = table.network_.layers[static_cast<std::size_t>(first)].type->name;
    table.layers_.push_back(std::move(layer));
    table.group_.push_back(g);
  }
  return table;
}

PlanCosts PlanCostTable::costs(const std::map<std::string, double>& removed) const {
  std::vector<std::int64_t> kept;
  for (const ChannelGroup& g : groups_.groups) kept.push_back(g.channels);
  for (std::size_t i = 0; i < layers_.size(); ++i)
    if (const auto share = removed.find(layers_[i].name); share != removed.end() && !layers_[i].fixed)
      kept[group_[i]] = channels_left(layers_[i].channels, share->second);
  const Missing missing = missing_of(groups_, kept);
  PlanCosts costs{.multiply_adds = multiply_adds(network_, groups_, kept)};
  for (const FlatLayer& l : network_.layers)
    for (const Weight& w : l.weights)
      add_weight(w, sizes_left(exchange::weight_name(l.name, w.name), w.shape, missing), costs);
  return costs;
}

}  // namespace nw::compress
