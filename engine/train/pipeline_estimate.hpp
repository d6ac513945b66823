// SPDX-License-Identifier: Apache-2.0
// What a division of a network into stages costs, before it is trained: pure functions of the layers' costs and sizes.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/compile/stages.hpp"
#include "engine/train/pipeline_schedule.hpp"

namespace nw {

struct PipelineQuestion {
  int stages = 1;
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  std::int64_t batch = 1, micro_batches = 1;  // samples of an update; its parts
  std::int64_t states = 0;                    // tensors that the optimizer stores for each weight
};

/// Memory that a stage needs, in bytes.
struct StageMemory {
  std::int64_t weights = 0;      // with the optimizer's states
  std::int64_t gradients = 0;    // of the weights
  std::int64_t activations = 0;  // outputs of the layers, of all micro-batches between their passes
  std::int64_t workspace = 0;    // what a plan needs beside them; 0: not known
  std::int64_t sum() const { return weights + gradients + activations + workspace; }
};

struct StageEstimate {
  StageCost cost;   // of one micro-batch, in the unit of the layers' costs
  double idle = 0;  // share of the update in which it waits
  StageMemory memory;
  std::size_t layers = 0;
};

/// The output of a layer that another stage reads. Its gradient comes back.
struct StageCrossing {
  std::size_t from = 0, to = 0;  // places of the producer, and of the first reader on that stage, in the list of layers
  std::int64_t bytes = 0;        // of one micro-batch, in one direction
};

struct PipelineEstimate {
  std::vector<StageEstimate> stages;
  std::vector<StageCrossing> crossings;
  PipelineTimeline timeline;
  double one_device = 0;         // the same update on one of the devices
  double bubble = 0;             // share of the devices' time in which they wait
  std::int64_t moved_bytes = 0;  // between the stages, in one update, both directions
};

/// Stages of layers must be below question.stages; a stage may have no layers. The optimizer's own time is not in it.
PipelineEstimate estimate_pipeline(std::span<const PlacedLayer>, const PipelineQuestion&);

/// Errc::usage: these devices compute no stages of a pipeline.
Status check_stage_devices(const std::vector<std::string>& devices);

/// Errc::usage: so many samples are not enough for so many parts.
Status check_division(std::int64_t batch, std::int64_t parts);

/// The number of the stage whose passes take longest.
std::size_t slowest_stage(const PipelineEstimate&);

}  // namespace nw
