// SPDX-License-Identifier: Apache-2.0
// The order in which the stages of a pipeline compute the micro-batches of an update, and how long they wait for each
// other. Pure functions.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/design/settings.hpp"

namespace nw {

/// One pass of one micro-batch on a stage.
struct PipelineAction {
  bool backward = false;
  std::int64_t part = 0;  // number of the micro-batch
  bool operator==(const PipelineAction&) const = default;
};

/// All passes of `stage` (0-based) in order. Backward passes are always in the order of the micro-batches, so that sums
/// of gradients do not depend on the schedule.
std::vector<PipelineAction> pipeline_actions(PipelineSchedule, int stages, int stage, std::int64_t parts);

/// The largest number of micro-batches between their forward and their backward pass on this stage.
std::int64_t parts_in_flight(PipelineSchedule, int stages, int stage, std::int64_t parts);

/// Of one micro-batch, in any unit of time.
struct StageCost {
  double forward = 0, backward = 0;
};

/// When a stage computes one pass, from the beginning of the update.
struct PipelineSpan {
  PipelineAction action;
  double begin = 0, end = 0;
};

/// An update, if passes take exactly these times.
struct PipelineTimeline {
  std::vector<std::vector<PipelineSpan>> stages;  // the passes of each in order
  double end = 0;                                 // of the last pass
  double busy = 0;                                // sum of all passes
};
/// `arrival`: what the values that a stage reads take on their way, from the stage before it and from the one after it;
/// empty: none.
PipelineTimeline pipeline_timeline(PipelineSchedule, std::span<const StageCost>, std::int64_t parts,
                                   std::span<const StageCost> arrival = {});

/// The share of the stages' time in which they wait, of such an update: if values are sent in no time, (P - 1) /
/// (M + P - 1) for equal stages (Huang et al., "GPipe", 2019).
double predicted_bubble(PipelineSchedule, std::span<const StageCost>, std::int64_t parts,
                        std::span<const StageCost> arrival = {});

}  // namespace nw
