// SPDX-License-Identifier: Apache-2.0
// Every device computes a stage of the network.
#include <algorithm>

#include "engine/compile/stages.hpp"
#include "engine/scaling/predict.hpp"
#include "engine/train/pipeline_schedule.hpp"

namespace nw::scaling {
namespace {

constexpr std::int64_t parts_for_each_device = 4;  // of Huang et al., "GPipe", 2019: bubbles are small from there on

std::int64_t parts_of(const TrainSettings& s, const Setup& setup, std::int64_t batch, std::int64_t devices) {
  const std::int64_t own = s.micro_batches * s.accumulate;
  const std::int64_t wanted = setup.micro_batches > 0 ? setup.micro_batches
                              : own > 1               ? own
                                                      : parts_for_each_device * devices;
  return std::min(wanted, batch);
}

double states_for_each_weight(const Plan& update) {
  double states = 0, weights = 0;
  for (const Value& v : update.values) {
    const auto count = static_cast<double>(v.shape.elements());
    if (v.role == Role::optimizer) states += count;
    if (v.role == Role::weight) weights += count;
  }
  return weights > 0 ? states / weights : 0;
}

struct Stages {
  std::vector<StageCost> costs, arrival;
  WorkTime work;  // of all stages, one micro-batch
  double sent_s = 0;
  std::int64_t most_parameters = 0, parameters = 0, memory_bytes = 0;
};

Stages stages_of(const StagedPlan& staged, const Setup& setup, PipelineSchedule schedule, std::int64_t parts) {
  Stages all;
  all.arrival.resize(staged.stages.size());
  const double states = states_for_each_weight(staged.update.plan);
  const auto count = static_cast<int>(staged.stages.size());
  for (int s = 0; s < count; ++s) {
    const StagePlan& stage = staged.stages[static_cast<std::size_t>(s)];
    const WorkTime forward = time_of(stage.forward, Phase::forward, setup),
                   backward = time_of(stage.backward, Phase::backward, setup);
    all.costs.push_back({forward.total_s(), backward.total_s()});
    all.work += forward;
    all.work += backward;
    all.parameters += stage.parameters;
    all.most_parameters = std::max(all.most_parameters, stage.parameters);
    // weight, gradient, state
    const auto weights = static_cast<std::int64_t>(4 * (2 + states) * static_cast<double>(stage.parameters));
    all.memory_bytes =
        std::max(all.memory_bytes, weights + stage.forward.arena_bytes * parts_in_flight(schedule, count, s, parts));
  }
  const bool halves = setup.compiled_for->stored_as(staged.update.plan.compute) != DType::f32;
  for (const StageTransfer& t : staged.transfers) {
    const double takes = message_s(setup.link, static_cast<double>(t.bytes) / (halves ? 2 : 1));
    StageCost& to = all.arrival[static_cast<std::size_t>(t.to)];
    (t.backward ? to.backward : to.forward) += takes;
    all.sent_s += takes;
  }
  return all;
}

}  // namespace

Result<Prediction> predict_stages(const GraphDoc& doc, const DataFacts& facts, const Setup& setup,
                                  std::int64_t devices) {
  const TrainSettings& s = doc.settings();
  const std::int64_t batch = setup.batch_of_device > 0 ? setup.batch_of_device * devices : s.samples_per_update();
  const std::int64_t parts = parts_of(s, setup, batch, devices);
  const std::int64_t memory = setup.device.memory_bytes / (setup.device.shares_memory ? devices : 1);
  NW_ASSIGN(const StagedPlan staged,
            compile_stages(doc, {.batch = (batch + parts - 1) / parts, .device = setup.compiled_for, .data = facts},
                           static_cast<int>(devices), memory));
  const Stages stages = stages_of(staged, setup, s.pipeline, parts);
  const double n = static_cast<double>(devices), m = static_cast<double>(parts);
  const PipelineTimeline with_link = pipeline_timeline(s.pipeline, stages.costs, parts, stages.arrival),
                         without = pipeline_timeline(s.pipeline, stages.costs, parts);
  const WorkTime update = time_of(staged.update.plan, Phase::update, setup);
  const double largest =
      stages.parameters > 0 ? static_cast<double>(stages.most_parameters) / static_cast<double>(stages.parameters) : 0;

  Prediction p{.devices = devices, .batch = batch, .micro_batches = parts};
  p.work = stages.work * (m / n);
  p.work += update * (1 / n);
  p.link_s = with_link.end - without.end;
  p.waiting_s = without.end - without.busy / n + update.total_s() * (largest - 1 / n);
  p.exchange_s = stages.sent_s * m / n;
  p.bubble = with_link.end > 0 ? 1 - with_link.busy / (n * with_link.end) : 0;
  p.memory_bytes = stages.memory_bytes;
  finish(p, setup);
  return p;
}

}  // namespace nw::scaling
