// SPDX-License-Identifier: Apache-2.0
// What a run records of its pipeline: the stages as planned, and the times that they were measured to take.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/json.hpp"

namespace nw {

/// The layers of a network that one device computes.
struct PipelineStage {
  std::string device, first, last;                             // dotted names of layers, in the order of computation
  std::int64_t layers = 0, multiply_adds = 0, parameters = 0;  // multiply-adds: forward, one sample
  std::int64_t memory_bytes = 0;
  std::int64_t kept = 0;  // micro-batches whose activations it keeps at once
  bool operator==(const PipelineStage&) const = default;
};

/// A value that one stage computes and another reads; sent once for each micro-batch.
struct PipelineTransfer {
  std::string value;  // of the plan: a layer's output, "grad conv2 from pool1"
  int from = 0, to = 0;
  bool backward = false;  // sent in the backward pass
  std::int64_t bytes = 0;
  bool operator==(const PipelineTransfer&) const = default;
};

/// Posted once, when the run begins.
struct PipelinePlan {
  std::string schedule;                             // "1f1b", "gpipe"
  std::int64_t micro_batch = 0, micro_batches = 0;  // samples; number in an update
  std::vector<PipelineStage> stages;
  std::vector<PipelineTransfer> transfers;
  // share of the devices' time in which they wait for each other, from multiply-adds and sizes of values
  double predicted_bubble = 0;
  bool statistics_per_micro_batch = false;  // the network has batch norm
  bool operator==(const PipelinePlan&) const = default;
};

struct StageSeconds {
  double compute_s = 0, transfer_s = 0, wait_s = 0;
  bool operator==(const StageSeconds&) const = default;
};

/// Sums over the updates of an epoch; an update's own time (the optimizer's) is not in it.
struct PipelineTimes {
  std::int64_t epoch = 0, step = 0;  // epoch: 1-based
  double seconds = 0;
  double bubble = 0;       // share of the devices' time in which they neither computed nor copied
  std::int64_t bytes = 0;  // sent between stages
  std::vector<StageSeconds> stages;
  bool operator==(const PipelineTimes&) const = default;
};

Json to_json(const PipelinePlan&);
Json to_json(const PipelineTimes&);
/// Parse one record. Problems are recorded in the reader.
PipelinePlan pipeline_plan_from(JsonReader&);
PipelineTimes pipeline_times_from(JsonReader&);

}  // namespace nw
