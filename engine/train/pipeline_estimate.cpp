// SPDX-License-Identifier: Apache-2.0
#include "engine/train/pipeline_estimate.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace nw {
namespace {

constexpr std::int64_t bytes_of_number = 4;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Of one sample.
std::int64_t output_bytes(const PlacedLayer& l) {
  return l.output.rank() == 0 ? 0 : bytes_of_number * l.output.per_sample();
}

/// Of the largest micro-batch.
std::int64_t micro_batch(const PipelineQuestion& q) { return (q.batch + q.micro_batches - 1) / q.micro_batches; }

void add_layer(StageEstimate& stage, const PlacedLayer& l, const PipelineQuestion& q, std::int64_t kept) {
  const double samples = static_cast<double>(q.batch) / static_cast<double>(q.micro_batches);
  stage.cost.forward += l.forward_cost * samples;
  stage.cost.backward += l.backward_cost * samples;
  stage.memory.weights += l.parameters * bytes_of_number * (1 + q.states);
  stage.memory.gradients += l.parameters * bytes_of_number;
  stage.memory.activations += kept * micro_batch(q) * output_bytes(l);
  ++stage.layers;
}

/// A value is sent once to each stage that reads it.
std::vector<StageCrossing> crossings(std::span<const PlacedLayer> layers, const PipelineQuestion& q) {
  std::vector<StageCrossing> all;
  std::map<std::pair<std::size_t, int>, bool> known;
  for (std::size_t to = 0; to < layers.size(); ++to)
    for (const std::size_t from : layers[to].inputs)
      if (layers[from].stage != layers[to].stage && !std::exchange(known[{from, layers[to].stage}], true))
        all.push_back({from, to, micro_batch(q) * output_bytes(layers[from])});
  return all;
}

}  // namespace

PipelineEstimate estimate_pipeline(std::span<const PlacedLayer> layers, const PipelineQuestion& q) {
  PipelineEstimate e;
  e.stages.resize(at(q.stages));
  for (const PlacedLayer& l : layers)
    add_layer(e.stages[at(l.stage)], l, q, parts_in_flight(q.schedule, q.stages, l.stage, q.micro_batches));
  std::vector<StageCost> costs;
  for (const StageEstimate& s : e.stages) costs.push_back(s.cost);
  e.timeline = pipeline_timeline(q.schedule, costs, q.micro_batches);
  const double parts = static_cast<double>(q.micro_batches), end = e.timeline.end;
  for (StageEstimate& s : e.stages) s.idle = end > 0 ? 1 - parts * (s.cost.forward + s.cost.backward) / end : 0;
  e.one_device = e.timeline.busy;
  if (end > 0) e.bubble = 1 - e.timeline.busy / (end * q.stages);
  e.crossings = crossings(layers, q);
  for (const StageCrossing& c : e.crossings) e.moved_bytes += 2 * q.batch * output_bytes(layers[c.from]);
  return e;
}

Status check_stage_devices(const std::vector<std::string>& devices) {
  const auto is_gpu = [](const std::string& d) { return d.starts_with("cuda"); };
  if (std::any_of(devices.begin(), devices.end(), is_gpu) && !std::all_of(devices.begin(), devices.end(), is_gpu))
    return fail(Errc::usage, NW_TR("the stages of a pipeline run on devices of one kind: GPUs (--device cuda:0,cuda:1) "
                                   "or processors (--device cpu:0,cpu:1)"));
  return {};
}

Status check_division(std::int64_t batch, std::int64_t parts) {
  if (batch < parts)
    return fail(Errc::usage, NW_TR("a batch of {0} cannot be divided into {1} micro-batches; make it larger"), batch,
                parts);
  return {};
}

std::size_t slowest_stage(const PipelineEstimate& e) {
  const auto slower = [](const StageEstimate& a, const StageEstimate& b) {
    return a.cost.forward + a.cost.backward < b.cost.forward + b.cost.backward;
  };
  return static_cast<std::size_t>(std::max_element(e.stages.begin(), e.stages.end(), slower) - e.stages.begin());
}

}  // namespace nw
