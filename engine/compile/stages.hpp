// SPDX-License-Identifier: Apache-2.0
// Model parallelism: the plan of a training step, cut into stages that different devices compute, with the values that
// they send each other.
#pragma once
#include <string>
#include <vector>

#include "engine/compile/compile.hpp"

namespace nw {

/// A value that one stage computes and another reads. Sent after the sender's forward pass of a micro-batch, or after
/// its backward pass; received before the receiver's.
struct StageTransfer {
  std::string value;  // Value::name, in the plans of both stages
  int from = 0, to = 0;
  bool backward = false;
  std::int64_t bytes = 0;  // in host layout
};

/// The part of a step that one device computes. Both plans have the same arena: the backward pass reads what the
/// forward pass of the same micro-batch has left there.
struct StagePlan {
  Plan forward, backward;
  // the update of its own weights, for a device that holds no others: as StagedPlan::update, where sums over all
  // weights are exchanged with the other stages
  Plan update;
  std::vector<std::string> layers;  // in the order of computation
  std::int64_t multiply_adds = 0;   // forward, one sample
  std::int64_t parameters = 0;
  double forward_cost = 0, backward_cost = 0;  // in one unit
};

struct StagedPlan {
  // weights, their gradients and states, buffers, and the steps of the update; no forward and no backward steps
  Compiled update;
  std::vector<StagePlan> stages;
  std::vector<StageTransfer> transfers;
};

/// The plan for `stages` devices of the target's kind. Stages are the document's (Node::pipeline_stage); a document
/// without any is balanced by cost and memory, of which a stage's device has `limit_bytes`. Errc::bad_input: the
/// network has problems, or stages that do not follow its direction. Target::batch: samples of a micro-batch.
Result<StagedPlan> compile_stages(const GraphDoc&, const Target&, int stages, std::int64_t limit_bytes);

/// A layer that a stage computes, in the order of computation.
struct PlacedLayer {
  std::string name;  // dotted
  // of the network itself: the layer, or the block instance that contains it
  NodeId node = 0;
  int stage = 0;
  double forward_cost = 0, backward_cost = 0;  // of one sample, in one unit
  std::int64_t parameters = 0;                 // learned elements
  Shape output;                                // with N = 1 first
  std::vector<std::size_t> inputs;             // places of its producers in the list
};

/// The stage of each layer as compile_stages() chooses it, without a plan; fails as it does. Uses no device.
Result<std::vector<PlacedLayer>> place_layers(const GraphDoc&, const Target&, int stages, std::int64_t limit_bytes);

}  // namespace nw
