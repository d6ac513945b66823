// SPDX-License-Identifier: Apache-2.0
#include "engine/train/replay.hpp"

#include <algorithm>

#include "engine/design/start_from.hpp"

namespace nw {
namespace {

/// The changes that the weights depend on: those after a step that the run was resumed from have been taken back.
Result<std::vector<Knob>> recorded_knobs(const fs::path& run) {
  EventTail tail(run);
  std::vector<Knob> knobs;
  for (bool more = true; more;) {
    std::vector<Event> events;
    NW_ASSIGN(more, tail.poll(events));
    for (const Event& e : events) {
      if (const auto* knob = std::get_if<Knob>(&e.what)) knobs.push_back(*knob);
      if (const auto* resumed = std::get_if<Resumed>(&e.what))
        std::erase_if(knobs, [&](const Knob& k) { return k.step > resumed->from_step; });
    }
  }
  return knobs;
}

}  // namespace

Result<TrainRequest> replay_request(const fs::path& run) {
  TrainRequest request;
  RunDefinition& d = request.definition;
  NW_ASSIGN(d, read_run_definition(run));
  if (d.parent_step >= 0)
    return fail(Errc::usage, NW_TR("{0} is a branch of {1} from step {2}: replay {1}, then branch it there"),
                run.string(), d.parent, d.parent_step);
  NW_ASSIGN(request.replay, recorded_knobs(run));
  if (std::any_of(request.replay.begin(), request.replay.end(), [](const Knob& k) { return k.name == epochs_knob; }))
    return fail(Errc::usage, NW_TR("{0} was trained further than it was started for: it cannot be replayed"),
                run.string());
  request.weights = d.weights;
  request.weights_sha256 = d.weights_sha256;
  NW_ASSIGN(const StartFrom from, start_from(d.doc));
  if (!from.weights.empty() && from.sha256 == d.weights_sha256) request.fresh = from.fresh;
  d.version.clear();
  d.created = 0;
  return request;
}

}  // namespace nw
