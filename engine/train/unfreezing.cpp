// SPDX-License-Identifier: Apache-2.0
#include "engine/train/unfreezing.hpp"

#include <algorithm>

namespace nw {
namespace {

/// A layer or block is frozen in between `first` and `last` epochs, not for ever.
bool any_frozen_for(const Graph& graph, std::int64_t first, std::int64_t last) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& n) {
    return !n.second.frozen && n.second.frozen_epochs >= first && n.second.frozen_epochs <= last;
  });
}

bool any_frozen_for(const GraphDoc& doc, std::int64_t first, std::int64_t last) {
  const auto& blocks = doc.blocks();
  return any_frozen_for(doc.graph(), first, last) || std::any_of(blocks.begin(), blocks.end(), [&](const auto& b) {
           return any_frozen_for(b.second.graph, first, last);
         });
}

}  // namespace

bool unfrozen_since_start(const GraphDoc& doc, std::int64_t epoch) { return any_frozen_for(doc, 1, epoch); }

bool unfreezing_is_due(const TrainingState& state) {
  const std::int64_t epoch = state.progress.epoch;
  return epoch > 0 && state.progress.batch == 0 && any_frozen_for(state.request.definition.doc, epoch, epoch);
}

Text unfrozen_note(const TrainingState& state) {
  std::int64_t count = 0;
  std::string first;
  for (const auto& [id, node] : state.request.definition.doc.graph().nodes) {
    if (node.frozen || node.frozen_epochs != state.progress.epoch) continue;
    if (++count == 1) first = node.name;
  }
  if (count == 0) return text(NW_TR("Layers inside blocks are trained from now on."));
  return text(NW_TR("{0} of the network and {1} more are trained from now on."), first, count - 1);
}

Status make_network_anew(TrainingState& state, Mending& mending) {
  Replicas::Copy kept;
  NW_TRY(mending.retry([&]() -> Status {
    NW_TRY(state.replicas->gather_state());
    kept = state.replicas->copy();
    return {};
  }));
  state.replicas.reset();  // a device may lack the memory for both
  NW_TRY(mending.retry([&]() -> Status {
    NW_ASSIGN(state.replicas, state.make_replicas(state.progress.epoch));
    return {};
  }));
  state.replicas->put(kept);
  return {};
}

}  // namespace nw
