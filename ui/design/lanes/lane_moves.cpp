// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/lane_moves.hpp"

#include <algorithm>
#include <limits>

#include "engine/compile/balance.hpp"

namespace nw::ui {
namespace {

/// The pairs of layers or blocks of which the second reads the first.
std::set<std::pair<NodeId, NodeId>> readsOf(const std::vector<PlacedLayer>& layers) {
  std::set<std::pair<NodeId, NodeId>> reads;
  for (const PlacedLayer& l : layers)
    for (const std::size_t from : l.inputs)
      if (layers[from].node != l.node) reads.insert({layers[from].node, l.node});
  return reads;
}

/// Once per layer at most, for each pass moves at least one.
void follow(const std::set<std::pair<NodeId, NodeId>>& reads, const std::set<NodeId>& moved, int to, Lanes& lanes) {
  std::set<NodeId> behind = moved, before = moved;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [from, by] : reads) {
      if (behind.contains(from) && behind.insert(by).second) more = true;
      if (before.contains(by) && before.insert(from).second) more = true;
    }
  }
  for (const NodeId id : behind) lanes[id] = std::max(lanes[id], to);
  for (const NodeId id : before) lanes[id] = std::min(lanes[id], to);
  for (const NodeId id : moved) lanes[id] = to;
}

}  // namespace

Lanes lanesOf(const std::vector<PlacedLayer>& layers) {
  Lanes lanes;
  for (const PlacedLayer& l : layers) lanes[l.node] = std::max(lanes[l.node], l.stage);
  return lanes;
}

std::vector<NodeId> cardsOf(const std::vector<PlacedLayer>& layers) {
  std::vector<NodeId> order;
  std::set<NodeId> seen;
  for (auto l = layers.rbegin(); l != layers.rend(); ++l)
    if (seen.insert(l->node).second) order.push_back(l->node);
  std::reverse(order.begin(), order.end());
  return order;
}

Lanes movedLanes(const std::vector<PlacedLayer>& layers, const Lanes& lanes, const std::set<NodeId>& moved, int to) {
  Lanes next = lanes;
  follow(readsOf(layers), moved, to, next);
  return next;
}

std::vector<PlacedLayer> placedOn(std::vector<PlacedLayer> layers, const Lanes& lanes) {
  for (PlacedLayer& l : layers)
    if (const auto lane = lanes.find(l.node); lane != lanes.end()) l.stage = lane->second;
  return layers;
}

Lanes balancedLanes(const std::vector<PlacedLayer>& layers, int lanes) {
  const std::vector<NodeId> cards = cardsOf(layers);
  std::map<NodeId, std::size_t> place;
  for (std::size_t i = 0; i < cards.size(); ++i) place[cards[i]] = i;
  std::vector<LayerLoad> loads(cards.size());
  std::vector<std::size_t> lastRead(layers.size());
  for (const PlacedLayer& l : layers) {
    loads[place[l.node]].cost += l.forward_cost + l.backward_cost;
    for (const std::size_t from : l.inputs) lastRead[from] = std::max(lastRead[from], place[l.node]);
  }
  for (std::size_t i = 0; i < layers.size(); ++i)
    for (std::size_t cut = place[layers[i].node]; cut < lastRead[i]; ++cut)
      loads[cut].crossing_bytes += layers[i].output.rank() == 0 ? 0 : layers[i].output.per_sample();
  const std::vector<std::size_t> first =
      balanced_stages(loads, static_cast<std::size_t>(lanes), std::numeric_limits<std::int64_t>::max());
  Lanes all;
  for (std::size_t i = 0, lane = 0; i < cards.size() && !first.empty(); ++i) {
    while (lane + 1 < first.size() && first[lane + 1] <= i) ++lane;
    all[cards[i]] = static_cast<int>(lane);
  }
  return all;
}

int emptyLane(const Lanes& lanes, int count) {
  for (int lane = 0; lane < count; ++lane)
    if (std::none_of(lanes.begin(), lanes.end(), [&](const auto& one) { return one.second == lane; })) return lane;
  return -1;
}

Edit laneEdit(const GraphDoc& doc, const Lanes& lanes) {
  Edit edit;
  for (const auto& [id, lane] : lanes) {
    const auto found = doc.graph().nodes.find(id);
    if (found == doc.graph().nodes.end() || found->second.pipeline_stage == lane) continue;
    Node node = found->second;
    node.pipeline_stage = lane;
    edit.push_back(PutNode{"", id, node});
  }
  return edit;
}

std::optional<BestMove> bestMove(const std::vector<PlacedLayer>& layers, const PipelineQuestion& q) {
  const PipelineEstimate now = estimate_pipeline(layers, q);
  const int slowest = static_cast<int>(slowest_stage(now));
  const Lanes lanes = lanesOf(layers);
  BestMove best{.before = now.timeline.end, .after = now.timeline.end};
  for (const auto& [id, lane] : lanes)
    for (const int to : {slowest - 1, slowest + 1}) {
      if (lane != slowest || to < 0 || to >= q.stages) continue;
      const Lanes next = movedLanes(layers, lanes, {id}, to);
      if (emptyLane(next, q.stages) >= 0) continue;
      const double after = estimate_pipeline(placedOn(layers, next), q).timeline.end;
      if (after < best.after) best = {id, to, best.before, after};
    }
  return best.node > 0 ? std::optional(best) : std::nullopt;
}

}  // namespace nw::ui
