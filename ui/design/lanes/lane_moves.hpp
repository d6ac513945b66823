// SPDX-License-Identifier: GPL-3.0-or-later
// Which lane (stage of a pipeline) each layer of the network is on, and what moving layers to other lanes makes of it.
// Pure functions.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/design/graph_doc.hpp"
#include "engine/train/pipeline_estimate.hpp"

namespace nw::ui {

/// By layer or block instance of the network.
using Lanes = std::map<NodeId, int>;

/// A block whose layers are on several stages is on the last of them, so that lanes follow the network's direction.
Lanes lanesOf(const std::vector<PlacedLayer>&);
/// The layers and block instances in an order in which each is behind all that it reads.
std::vector<NodeId> cardsOf(const std::vector<PlacedLayer>&);

/// `moved` on lane `to`. Layers behind them that would be on an earlier lane come along, as do those before them that
/// would be on a later one: values are sent in one direction only.
Lanes movedLanes(const std::vector<PlacedLayer>&, const Lanes&, const std::set<NodeId>& moved, int to);
/// The layers as they are on these lanes; a block's layers are all on its lane.
std::vector<PlacedLayer> placedOn(std::vector<PlacedLayer>, const Lanes&);
/// Blocks stay whole, and the slowest lane is as fast as possible. Empty: fewer layers than lanes have a cost.
Lanes balancedLanes(const std::vector<PlacedLayer>&, int lanes);
/// The first lane without a layer; -1: each has some.
int emptyLane(const Lanes&, int lanes);

/// Writes the lanes into the document. Empty: it has them already.
Edit laneEdit(const GraphDoc&, const Lanes&);

/// One layer or block of the slowest lane, moved to a lane beside it.
struct BestMove {
  NodeId node = 0;
  int to = 0;
  double before = 0, after = 0;  // an update, in the unit of the layers' costs
};
/// The move that shortens an update most; nullopt: none does.
std::optional<BestMove> bestMove(const std::vector<PlacedLayer>&, const PipelineQuestion&);

}  // namespace nw::ui
