// SPDX-License-Identifier: Apache-2.0
#include "engine/train/pipeline_schedule.hpp"

#include <algorithm>
#include <utility>

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
      : costs_(costs), arrival_(arrival), free_(costs.size()) {
    line_.stages.resize(costs.size());
    const auto stages = static_cast<int>(costs.size());
    for (int s = 0; s < stages; ++s) actions_.push_back(pipeline_actions(schedule, stages, s, parts));
    const std::vector<double> none(static_cast<std::size_t>(parts), -1);
    forward_.assign(costs.size(), none);
    backward_.assign(costs.size(), none);
  }

  PipelineTimeline run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t s = 0; s < costs_.size(); ++s) moved = advance(s) || moved;
    }
    if (!free_.empty()) line_.end = *std::max_element(free_.begin(), free_.end());
    return std::move(line_);
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
    std::vector<PipelineSpan>& done = line_.stages[s];
    if (done.size() == actions_[s].size()) return false;
    const PipelineAction& a = actions_[s][done.size()];
    const double ready = ready_at(s, a);
    if (ready < 0) return false;
    const double takes = a.backward ? costs_[s].backward : costs_[s].forward, begin = std::max(free_[s], ready);
    free_[s] = (a.backward ? backward_ : forward_)[s][static_cast<std::size_t>(a.part)] = begin + takes;
    done.push_back({a, begin, free_[s]});
    line_.busy += takes;
    return true;
  }

  const std::span<const StageCost> costs_, arrival_;
  std::vector<std::vector<PipelineAction>> actions_;
  std::vector<std::vector<double>> forward_, backward_;  // when each pass ends; below 0: not yet computed
  std::vector<double> free_;
  PipelineTimeline line_;
};

}  // namespace

PipelineTimeline pipeline_timeline(PipelineSchedule schedule, std::span<const StageCost> costs, std::int64_t parts,
                                   std::span<const StageCost> arrival) {
  return Simulation(schedule, costs, parts, arrival).run();
}

double predicted_bubble(PipelineSchedule schedule, std::span<const StageCost> costs, std::int64_t parts,
                        std::span<const StageCost> arrival) {
  const PipelineTimeline line = pipeline_timeline(schedule, costs, parts, arrival);
  return line.end > 0 ? 1 - line.busy / (static_cast<double>(costs.size()) * line.end) : 0;
}

}  // namespace nw
