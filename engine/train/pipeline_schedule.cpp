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

PipelineTimeline pipeline_timeline(PipelineSchedule schedule, std::span<const StageCost> costs, std::int64_t parts,
                                   double message) {
  const auto stages = static_cast<int>(costs.size());
  const auto count = costs.size();
  std::vector<std::vector<PipelineAction>> actions;
  for (int s = 0; s < stages; ++s) actions.push_back(pipeline_actions(schedule, stages, s, parts));
  // when each pass ends; below 0: not yet computed
  const std::vector<double> none(static_cast<std::size_t>(parts), -1);
  std::vector<std::vector<double>> forward(count, none), backward(count, none);
  std::vector<double> free(count);
  PipelineTimeline line;
  line.stages.resize(count);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t s = 0; s < count; ++s) {
      const std::size_t next = line.stages[s].size();
      if (next == actions[s].size()) continue;
      const PipelineAction& a = actions[s][next];
      const auto part = static_cast<std::size_t>(a.part);
      const double ready = !a.backward ? (s == 0 ? 0 : forward[s - 1][part])
                                       : (s + 1 == count ? forward[s][part] : backward[s + 1][part]);
      if (ready < 0) continue;
      const bool sent = a.backward ? s + 1 < count : s > 0;
      const double takes = a.backward ? costs[s].backward : costs[s].forward,
                   begin = std::max(free[s], ready + (sent ? message : 0));
      free[s] = (a.backward ? backward : forward)[s][part] = begin + takes;
      line.stages[s].push_back({a, begin, free[s]});
      line.busy += takes;
      moved = true;
    }
  }
  line.end = count == 0 ? 0 : *std::max_element(free.begin(), free.end());
  return line;
}

double predicted_bubble(PipelineSchedule schedule, std::span<const StageCost> costs, std::int64_t parts,
                        double message) {
  const PipelineTimeline line = pipeline_timeline(schedule, costs, parts, message);
  return line.end > 0 ? 1 - line.busy / (static_cast<double>(costs.size()) * line.end) : 0;
}

}  // namespace nw
