// SPDX-License-Identifier: Apache-2.0
// How long the stages of a pipeline take: measured before the run for the predicted bubble, and in the run.
#include <algorithm>

#include "engine/parallel/message_time.hpp"
#include "engine/train/pipeline_stage.hpp"

namespace nw {
namespace {

constexpr double measured_multiply_adds = 2e9;  // about the work after which a measurement ends
constexpr int fewest_rounds = 3, most_rounds = 30;

/// Of the numbers but the first, of which there are at least two.
double median_after_first(std::vector<double> numbers) {
  numbers.erase(numbers.begin());
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace

/// Adds the numbers of the other processes, which are zero where this one's are not.
Status Pipeline::share(std::vector<double>& numbers) const {
  if (!processes_ || processes_->all_reduce_sum(numbers.data(), std::ssize(numbers))) return {};
  return fail(Errc::stopped, NW_TR("another device of this run is lost or was stopped; the step was abandoned"));
}

// The number of rounds depends on the network alone, so that replicas exchange the same statistics of batch norm.
Status Pipeline::measure(const Part& part) {
  double work = 0;
  for (const PipelineStage& s : facts_) work += 3 * static_cast<double>(s.multiply_adds);
  work *= static_cast<double>(std::max<std::int64_t>(1, part.args.global_valid));
  const int rounds =
      std::clamp(static_cast<int>(measured_multiply_adds / std::max(work, 1.0)), fewest_rounds, most_rounds);
  costs_.assign(facts_.size(), {});
  NW_TRY(on_stages([&](Stage& stage) { return measure_stage(stage, part, rounds); }));
  NW_TRY(measure_messages());
  std::vector<double> all;
  for (const StageCost& c : costs_) all.insert(all.end(), {c.forward, c.backward});
  all.push_back(message_s_);
  NW_TRY(share(all));
  for (std::size_t s = 0; s < costs_.size(); ++s) costs_[s] = {all[2 * s], all[2 * s + 1]};
  message_s_ = all.back();
  return {};
}

/// What a pass copies from (`sends`) or to its executable, without the messages.
Status Pipeline::copy_of(Stage& stage, Executable& e, const Plan& plan, bool backward, bool sends) {
  for (const StageTransfer& t : transfers_) {
    if (t.backward != backward || (sends ? t.from : t.to) != stage.number) continue;
    stage.message.resize(static_cast<std::size_t>(t.bytes));
    if (sends)
      e.read(plan.find(t.value), stage.message);
    else
      e.write(plan.find(t.value), stage.message);
  }
  return e.health();
}

/// The first round does not count: memory is touched for the first time.
Status Pipeline::measure_stage(Stage& stage, const Part& part, int rounds) {
  Sums sums;
  for (const auto& [value, own] : stage.gradients)
    sums[value].resize(
        static_cast<std::size_t>(stage.plan.backward.values[static_cast<std::size_t>(own)].shape.elements()));
  std::vector<double> seconds[2];
  for (int round = 0; round <= rounds; ++round)
    for (const bool backward : {false, true}) {
      Executable& e = *(backward ? stage.backward : stage.forward).front();
      const Plan& plan = backward ? stage.plan.backward : stage.plan.forward;
      double& took = seconds[backward ? 1 : 0].emplace_back(0.0);
      const Timed pass(took);
      NW_TRY(copy_of(stage, e, plan, backward, false));
      if (!plan.steps.empty()) NW_TRY(e.run(part.args));
      if (backward) add_gradients(stage, e, part.share, sums);
      NW_TRY(copy_of(stage, e, plan, backward, true));
    }
  costs_[static_cast<std::size_t>(stage.number)] = {median_after_first(seconds[0]), median_after_first(seconds[1])};
  return {};
}

/// Between the first two stages.
Status Pipeline::measure_messages() {
  const auto way = [&](int from, int to) -> std::optional<MessageWay> {
    for (std::size_t i = 0; i < transfers_.size(); ++i)
      if (transfers_[i].from == from && transfers_[i].to == to) return MessageWay{i, transfers_[i].bytes};
    return {};
  };
  const auto there = way(0, 1), back = way(1, 0);
  message_s_ = 0;
  if (!there || !back) return {};
  return on_stages([&](Stage& stage) -> Status {
    if (stage.number > 1) return {};
    const auto seconds = message_seconds(*link_, *there, *back, stage.number == 0);
    if (seconds && stage.number == 0) message_s_ = *seconds;
    if (seconds) return {};
    return fail(Errc::stopped, NW_TR("another device of this run is lost or was stopped; the step was abandoned"));
  });
}

PipelinePlan Pipeline::plan() const {
  PipelinePlan p{
      .schedule = std::string(name_of(schedule_)), .micro_batches = parts_, .stages = facts_, .transfers = {}};
  for (const StageTransfer& t : transfers_) p.transfers.push_back({t.value, t.from, t.to, t.backward, t.bytes});
  const std::vector<StageCost> arrival(costs_.size(), {message_s_, message_s_});
  p.predicted_bubble = predicted_bubble(schedule_, costs_, parts_, arrival);
  return p;
}

// The time is that of the slowest process: one that began later waited for less.
Result<PipelineTimes> Pipeline::take_times() {
  PipelineTimes t = std::exchange(times_, {});
  const std::size_t count = facts_.size();
  std::vector<double> all(5 * count);
  for (auto& stage : stages_) {
    const StageSeconds s = std::exchange(stage->seconds, {});
    double* const of = all.data() + 5 * static_cast<std::size_t>(stage->number);
    of[0] = s.compute_s, of[1] = s.transfer_s, of[2] = s.wait_s, of[3] = t.seconds;
    of[4] = static_cast<double>(std::exchange(stage->bytes, 0));
  }
  NW_TRY(share(all));
  double busy = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const double* const of = all.data() + 5 * s;
    t.stages.push_back({of[0], of[1], of[2]});
    t.seconds = std::max(t.seconds, of[3]);
    t.bytes += static_cast<std::int64_t>(of[4]);
    busy += of[0] + of[1];
  }
  if (t.seconds > 0) t.bubble = 1 - busy / (t.seconds * static_cast<double>(count));
  return t;
}

}  // namespace nw
