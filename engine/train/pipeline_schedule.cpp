// SPDX-License-Identifier: Apache-2.0
#include "engine/train/pipeline_schedule.hpp"

#include <algorithm>

namespace nw {

std::int64_t parts_in_flight(PipelineSchedule schedule, int stages, int stage, std::int64_t parts) {
  switch (schedule) {
    case PipelineSchedule::gpipe:
      return parts;
    case PipelineSchedule::one_forward_one_backward:
      return std::min<std::int64_t>(parts, stages - stage);
  }
  return parts;
}

std::vector<PipelineAction> pipeline_actions(PipelineSchedule schedule, int stages, int stage, std::int64_t parts) {
  const std::int64_t ahead = parts_in_flight(schedule, stages, stage, parts);
  std::vector<PipelineAction> all;
  for (std::int64_t part = 0; part < ahead; ++part) all.push_back({false, part});
  for (std::int64_t part = 0; part < parts; ++part) {
    all.push_back({true, part});
    if (part + ahead < parts) all.push_back({false, part + ahead});
  }
  return all;
}

namespace {

/// Computes each pass as soon as its stage is free and what it reads is there.
class Simulation {
 public:
  Simulation(PipelineSchedule schedule, std::span<const StageCost> costs, std::int64_t parts,
             std::span<const StageCost> arrival)
      : costs_(costs), arrival_(arrival), next_(costs.size()), free_(costs.size()) {
    const auto stages = static_cast<int>(costs.size());
    for (int s = 0; s < stages; ++s) actions_.push_back(pipeline_actions(schedule, stages, s, parts));
    const std::vector<double> none(static_cast<std::size_t>(parts), -1);
    forward_.assign(costs.size(), none);
    backward_.assign(costs.size(), none);
  }

  PipelineSpan run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t s = 0; s < costs_.size(); ++s) moved = advance(s) || moved;
    }
    if (!free_.empty()) span_.whole = *std::max_element(free_.begin(), free_.end());
    return span_;
  }

 private:
  /// Below 0: not yet.
  double ready_at(std::size_t s, const PipelineAction& a) const {
    const auto part = static_cast<std::size_t>(a.part);
    const bool last = s + 1 == costs_.size();
    if (a.backward && last) return forward_[s][part];
    if (!a.backward && s == 0) return 0;
    const double sent = a.backward ? backward_[s + 1][part] : forward_[s - 1][part];
    if (sent < 0 || arrival_.empty()) return sent;
    return sent + (a.backward ? arrival_[s].backward : arrival_[s].forward);
  }
  bool advance(std::size_t s) {
    if (next_[s] == actions_[s].size()) return false;
    const PipelineAction& a = actions_[s][next_[s]];
    const double ready = ready_at(s, a);
    if (ready < 0) return false;
    const double takes = a.backward ? costs_[s].backward : costs_[s].forward;
    free_[s] = std::max(free_[s], ready) + takes;
    (a.backward ? backward_ : forward_)[s][static_cast<std::size_t>(a.part)] = free_[s];
    span_.busy += takes;
    ++next_[s];
    return true;
  }

  const std::span<const StageCost> costs_, arrival_;
  std::vector<std::vector<PipelineAction>> actions_;
  std::vector<std::vector<double>> forward_, backward_;  // when each pass ends; below 0: not yet computed
  std::vector<std::size_t> next_;
  std::vector<double> free_;
  PipelineSpan span_;
};

}  // namespace

PipelineSpan simulated(PipelineSchedule schedule, std::span<const StageCost> costs, std::int64_t parts,
                       std::span<const StageCost> arrival) {
  return Simulation(schedule, costs, parts, arrival).run();
}

double predicted_bubble(PipelineSchedule schedule, std::span<const StageCost> costs, std::int64_t parts) {
  const PipelineSpan span = simulated(schedule, costs, parts);
  return span.whole > 0 ? 1 - span.busy / (static_cast<double>(costs.size()) * span.whole) : 0;
}

}  // namespace nw
