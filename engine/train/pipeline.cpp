// SPDX-License-Identifier: Apache-2.0
#include "engine/train/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/parallel/team.hpp"
#include "engine/train/without_throwing.hpp"

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;

/// Adds the time of its own life.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds) {}
  ~Timed() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& seconds_;
  const Clock::time_point begin_ = Clock::now();
};

std::size_t elements(const Value& v) { return static_cast<std::size_t>(v.shape.elements()); }

}  // namespace

void add_scaled(std::span<float> sum, std::span<const float> part, float by) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += by * part[i];
}

struct Pipeline::Stage {
  int number = 0;
  std::string device;
  std::unique_ptr<Team> team;
  StagePlan plan;
  // of the micro-batches that are between their passes: micro-batch m has those of m modulo their number
  std::vector<std::unique_ptr<Executable>> forward, backward;
  std::vector<std::pair<std::size_t, int>> gradients;  // index in the update's plan, and in plan.backward
  StageSeconds seconds;
  std::int64_t bytes = 0;
  std::vector<std::byte> message;
  std::vector<float> gradient;
};

Pipeline::~Pipeline() = default;

Result<std::unique_ptr<Pipeline>> Pipeline::make(StagedPlan staged, const std::vector<ResolvedDevice>& devices,
                                                 PipelineSchedule schedule, std::int64_t parts, Executable& update) {
  std::unique_ptr<Pipeline> made(new Pipeline);
  made->transfers_ = std::move(staged.transfers);
  made->link_ = make_local_link();
  made->schedule_ = schedule;
  made->parts_ = parts;
  NW_ASSIGN(made->threads_, start_team(static_cast<int>(devices.size())));
  for (std::size_t s = 0; s < devices.size(); ++s) {
    auto stage = std::make_unique<Stage>();
    stage->number = static_cast<int>(s);
    stage->device = devices[s].name;
    stage->plan = std::move(staged.stages[s]);
    NW_ASSIGN(stage->team, start_team(devices[s].threads));
    const std::int64_t kept = parts_in_flight(schedule, static_cast<int>(devices.size()), stage->number, parts);
    for (std::int64_t k = 0; k < kept; ++k) {
      NW_ASSIGN(auto forward,
                devices[s].device->prepare(stage->plan.forward, {.team = stage->team.get(), .weights_from = &update}));
      NW_ASSIGN(auto backward, devices[s].device->prepare(
                                   stage->plan.backward,
                                   {.team = stage->team.get(), .weights_from = forward.get(), .takes_turns = true}));
      stage->forward.push_back(std::move(forward));
      stage->backward.push_back(std::move(backward));
    }
    for (std::size_t i = 0; i < stage->plan.backward.values.size(); ++i) {
      const Value& v = stage->plan.backward.values[i];
      if (v.role != Role::weight_grad) continue;
      stage->gradients.emplace_back(static_cast<std::size_t>(staged.update.plan.find(v.name)), static_cast<int>(i));
    }
    made->stages_.push_back(std::move(stage));
  }
  return made;
}

// A stage that fails ends the waiting of the others; theirs is not the first error.
Result<std::vector<StepMetrics>> Pipeline::run(const std::vector<Part>& parts, Sums& sums) {
  for (auto& stage : stages_)
    for (const auto& [value, own] : stage->gradients)
      sums[value].resize(elements(stage->plan.backward.values[static_cast<std::size_t>(own)]));
  std::vector<std::vector<StepMetrics>> metrics(stages_.size(), std::vector<StepMetrics>(parts.size()));
  std::vector<Status> done(stages_.size());
  link_->reset();
  {
    const Timed whole(times_.seconds);
    threads_->run([&](int s) {
      const auto i = static_cast<std::size_t>(s);
      done[i] = without_throwing([&] { return run_stage(*stages_[i], parts, sums, metrics[i]); });
      if (!done[i]) link_->abort();
    });
  }
  const Status* failure = nullptr;
  for (const Status& s : done)
    if (!s && (!failure || failure->error().code == Errc::stopped)) failure = &s;
  if (failure) return failure->error();
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

Status Pipeline::run_action(Stage& stage, const PipelineAction& a, const Part& part, Sums& sums,
                            std::vector<StepMetrics>& metrics) {
  auto& executables = a.backward ? stage.backward : stage.forward;
  Executable& e = *executables[static_cast<std::size_t>(a.part) % executables.size()];
  const Plan& plan = a.backward ? stage.plan.backward : stage.plan.forward;
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
  const Stage& s = *stages_[static_cast<std::size_t>(stage)];
  for (const auto* list : {&s.forward, &s.backward})
    for (const auto& e : *list) bytes += e->memory_bytes();
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

PipelinePlan Pipeline::plan() const {
  PipelinePlan p{.schedule = std::string(name_of(schedule_)), .micro_batches = parts_, .stages = {}, .transfers = {}};
  std::vector<StageCost> costs;
  for (const auto& stage : stages_) {
    const StagePlan& s = stage->plan;
    PipelineStage one{.device = stage->device,
                      .first = s.layers.front(),
                      .last = s.layers.back(),
                      .layers = std::ssize(s.layers),
                      .multiply_adds = s.multiply_adds,
                      .parameters = s.parameters,
                      .memory_bytes = memory_bytes_of(stage->number),
                      .kept = std::ssize(stage->forward)};
    p.stages.push_back(std::move(one));
    costs.push_back({s.forward_cost, s.backward_cost});
  }
  for (const StageTransfer& t : transfers_) p.transfers.push_back({t.value, t.from, t.to, t.backward, t.bytes});
  p.predicted_bubble = predicted_bubble(schedule_, costs, parts_);
  return p;
}

PipelineTimes Pipeline::take_times() {
  PipelineTimes t = std::exchange(times_, {});
  double busy = 0;
  for (auto& stage : stages_) {
    t.stages.push_back(std::exchange(stage->seconds, {}));
    t.bytes += std::exchange(stage->bytes, 0);
    busy += t.stages.back().compute_s + t.stages.back().transfer_s;
  }
  if (t.seconds > 0) t.bubble = 1 - busy / (t.seconds * static_cast<double>(stages_.size()));
  return t;
}

}  // namespace nw
