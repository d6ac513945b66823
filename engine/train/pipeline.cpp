// SPDX-License-Identifier: Apache-2.0
#include "engine/train/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/parallel/team.hpp"
#include "engine/train/first_failure.hpp"
#include "engine/train/pipeline_stage.hpp"
#include "engine/train/without_throwing.hpp"

namespace nw {
namespace {

/// Of the stage's weights and what belongs to them, if no other stage shares their memory.
std::int64_t own_weights_bytes(const PipelineSetup& setup, int stage) {
  const Executable* const update = setup.updates[static_cast<std::size_t>(stage - setup.first)];
  const bool shared = std::count(setup.updates.begin(), setup.updates.end(), update) > 1;
  return shared ? 0 : update->memory_bytes();
}

std::size_t elements(const Value& v) { return static_cast<std::size_t>(v.shape.elements()); }

}  // namespace

void add_scaled(std::span<float> sum, std::span<const float> part, float by) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += by * part[i];
}

Pipeline::~Pipeline() = default;

Result<std::unique_ptr<Pipeline>> Pipeline::make(PipelineSetup setup) {
  std::unique_ptr<Pipeline> made(new Pipeline);
  made->transfers_ = setup.plan.transfers;
  made->link_ = std::move(setup.link);
  made->processes_ = setup.processes;
  made->doing_ = setup.doing;
  made->schedule_ = setup.schedule;
  made->parts_ = setup.parts;
  made->describe(setup.plan, setup.names);
  NW_ASSIGN(made->threads_, start_team(static_cast<int>(setup.devices.size())));
  for (std::size_t i = 0; i < setup.devices.size(); ++i) NW_TRY(made->add_stage(setup, i));
  std::vector<double> bytes(made->facts_.size());
  for (const auto& s : made->stages_)
    bytes[static_cast<std::size_t>(s->number)] =
        static_cast<double>(made->memory_bytes_of(s->number) + own_weights_bytes(setup, s->number));
  NW_TRY(made->share(bytes));
  for (std::size_t s = 0; s < bytes.size(); ++s) made->facts_[s].memory_bytes = static_cast<std::int64_t>(bytes[s]);
  return made;
}

void Pipeline::describe(const StagedPlan& plan, const std::vector<std::string>& devices) {
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    const StagePlan& one = plan.stages[s];
    facts_.push_back(
        {.device = devices[s],
         .first = one.layers.front(),
         .last = one.layers.back(),
         .layers = std::ssize(one.layers),
         .multiply_adds = one.multiply_adds,
         .parameters = one.parameters,
         .kept = parts_in_flight(schedule_, static_cast<int>(plan.stages.size()), static_cast<int>(s), parts_)});
    costs_.push_back({one.forward_cost, one.backward_cost});
  }
}

Status Pipeline::add_stage(PipelineSetup& setup, std::size_t index) {
  auto stage = std::make_unique<Stage>();
  const ResolvedDevice& device = setup.devices[index];
  stage->number = setup.first + static_cast<int>(index);
  stage->plan = std::move(setup.plan.stages[static_cast<std::size_t>(stage->number)]);
  stage->replicas = setup.replicas.empty() ? nullptr : setup.replicas[index];
  NW_ASSIGN(stage->team, start_team(device.threads));
  for (std::int64_t k = 0; k < facts_[static_cast<std::size_t>(stage->number)].kept; ++k) {
    NW_ASSIGN(auto forward, device.device->prepare(stage->plan.forward, {.team = stage->team.get(),
                                                                         .communicator = stage->replicas,
                                                                         .weights_from = setup.updates[index]}));
    NW_ASSIGN(auto backward, device.device->prepare(stage->plan.backward, {.team = stage->team.get(),
                                                                           .communicator = stage->replicas,
                                                                           .weights_from = forward.get(),
                                                                           .takes_turns = true}));
    stage->forward.push_back(std::move(forward));
    stage->backward.push_back(std::move(backward));
  }
  for (std::size_t i = 0; i < stage->plan.backward.values.size(); ++i) {
    const Value& v = stage->plan.backward.values[i];
    if (v.role != Role::weight_grad) continue;
    stage->gradients.emplace_back(static_cast<std::size_t>(setup.plan.update.plan.find(v.name)), static_cast<int>(i));
  }
  stages_.push_back(std::move(stage));
  return {};
}

// A stage that fails ends the waiting of the others; theirs is not the first error.
Status Pipeline::on_stages(const std::function<Status(Stage&)>& work) {
  std::vector<Status> done(stages_.size());
  link_->reset();
  threads_->run([&](int s) {
    const auto i = static_cast<std::size_t>(s);
    done[i] = without_throwing([&] { return work(*stages_[i]); });
    if (done[i]) return;
    link_->abort();
    for (const auto& stage : stages_)
      if (stage->replicas) stage->replicas->abort();
  });
  return first_failure(done);
}

Result<std::vector<StepMetrics>> Pipeline::run(const std::vector<Part>& parts, Sums& sums) {
  for (auto& stage : stages_)
    for (const auto& [value, own] : stage->gradients)
      sums[value].resize(elements(stage->plan.backward.values[static_cast<std::size_t>(own)]));
  std::vector<std::vector<StepMetrics>> metrics(stages_.size(), std::vector<StepMetrics>(parts.size()));
  {
    const Timed whole(times_.seconds);
    NW_TRY(on_stages([&](Stage& stage) {
      return run_stage(stage, parts, sums, metrics[static_cast<std::size_t>(stage.number - stages_.front()->number)]);
    }));
  }
  // the loss is computed on one stage; the others have none
  for (std::size_t s = 1; s < metrics.size(); ++s)
    for (std::size_t p = 0; p < parts.size(); ++p) {
      metrics[0][p].loss_sum += metrics[s][p].loss_sum;
      metrics[0][p].correct += metrics[s][p].correct;
      metrics[0][p].samples += metrics[s][p].samples;
      metrics[0][p].finite = metrics[0][p].finite && metrics[s][p].finite;
    }
  return metrics[0];
}

Status Pipeline::run_stage(Stage& stage, const std::vector<Part>& parts, Sums& sums,
                           std::vector<StepMetrics>& metrics) {
  for (const PipelineAction& a : pipeline_actions(schedule_, stages(), stage.number, std::ssize(parts)))
    NW_TRY(run_action(stage, a, parts[static_cast<std::size_t>(a.part)], sums, metrics));
  return {};
}

void Pipeline::say(const Stage& stage, const PipelineAction& a) const {
  if (!doing_) return;
  const PipelineStage& of = facts_[static_cast<std::size_t>(stage.number)];
  doing_(fmt::format("the {} pass of stage {} ({} to {})", a.backward ? "backward" : "forward", stage.number, of.first,
                     of.last));
}

Status Pipeline::run_action(Stage& stage, const PipelineAction& a, const Part& part, Sums& sums,
                            std::vector<StepMetrics>& metrics) {
  auto& executables = a.backward ? stage.backward : stage.forward;
  Executable& e = *executables[static_cast<std::size_t>(a.part) % executables.size()];
  const Plan& plan = a.backward ? stage.plan.backward : stage.plan.forward;
  say(stage, a);
  NW_TRY(exchange(stage, e, plan, a, false));
  {
    const Timed compute(stage.seconds.compute_s);
    if (!plan.steps.empty()) NW_TRY(e.run(part.args));
    if (a.backward)
      add_gradients(stage, e, part.share, sums);
    else
      metrics[static_cast<std::size_t>(a.part)] = e.metrics();
  }
  return exchange(stage, e, plan, a, true);
}

Status Pipeline::exchange(Stage& stage, Executable& e, const Plan& plan, const PipelineAction& a, bool sends) {
  for (std::size_t t = 0; t < transfers_.size(); ++t) {
    const StageTransfer& transfer = transfers_[t];
    if (transfer.backward != a.backward || (sends ? transfer.from : transfer.to) != stage.number) continue;
    stage.message.resize(static_cast<std::size_t>(transfer.bytes));
    const int value = plan.find(transfer.value);
    if (sends) {
      const Timed copy(stage.seconds.transfer_s);
      e.read(value, stage.message);
      stage.bytes += transfer.bytes;
    }
    {
      const Timed wait(stage.seconds.wait_s);
      const bool there = sends ? link_->send(t, a.part, stage.message) : link_->receive(t, a.part, stage.message);
      if (!there)
        return fail(Errc::stopped, NW_TR("another device of this run is lost or was stopped; the step was abandoned"));
    }
    if (!sends) {
      const Timed copy(stage.seconds.transfer_s);
      e.write(value, stage.message);
    }
  }
  return e.health();
}

// As on one device: part after part, so that the sums have the same bytes.
void Pipeline::add_gradients(Stage& stage, Executable& e, float share, Sums& sums) {
  for (const auto& [value, own] : stage.gradients) {
    stage.gradient.resize(elements(stage.plan.backward.values[static_cast<std::size_t>(own)]));
    e.read(own, std::as_writable_bytes(std::span(stage.gradient)));
    add_scaled(sums.find(value)->second, stage.gradient, share);
  }
}

std::int64_t Pipeline::memory_bytes_of(int stage) const {
  std::int64_t bytes = 0;
  for (const auto& s : stages_)
    for (const auto* list : {&s->forward, &s->backward})
      for (const auto& e : *list) bytes += s->number == stage ? e->memory_bytes() : 0;
  return bytes;
}

std::vector<std::string> Pipeline::choices() const {
  std::vector<std::string> all;
  for (const auto& stage : stages_)
    for (const auto* list : {&stage->forward, &stage->backward})
      for (const std::string& one : list->front()->choices())
        if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  return all;
}

int Pipeline::threads() const {
  int sum = 0;
  for (const auto& stage : stages_) sum += stage->team->size();
  return sum;
}

}  // namespace nw
