// SPDX-License-Identifier: Apache-2.0
#include "engine/train/replay.hpp"

#include <algorithm>
#include <iterator>

#include "engine/design/start_from.hpp"

namespace nw {

Result<RecordedKnobs> recorded_knobs(const fs::path& run) {
  RecordedKnobs all;
  EventTail tail(run);
  for (bool more = true; more;) {
    std::vector<Event> events;
    NW_ASSIGN(more, tail.poll(events));
    for (const Event& e : events) {
      if (const auto* knob = std::get_if<Knob>(&e.what)) all.take(*knob);
      if (const auto* resumed = std::get_if<Resumed>(&e.what)) all.take_back(resumed->from_step);
    }
  }
  return all;
}

void RecordedKnobs::take(const Knob& k) {
  const auto again = std::find_if(taken_back.begin(), taken_back.end(), [&](const Knob& o) {
    return o.name == k.name && o.step == k.step && o.scheduled == k.scheduled && (k.scheduled || o.value == k.value);
  });
  if (again != taken_back.end())
    taken_back.erase(again);
  else
    std::erase_if(taken_back, [&](const Knob& o) { return o.name == k.name; });
  done.push_back(k);
}

void RecordedKnobs::take_back(std::int64_t after_step) {
  std::copy_if(done.begin(), done.end(), std::back_inserter(taken_back),
               [&](const Knob& k) { return k.step > after_step; });
  std::erase_if(done, [&](const Knob& k) { return k.step > after_step; });
}

Result<TrainRequest> replay_request(const fs::path& run) {
  TrainRequest request;
  RunDefinition& d = request.definition;
  NW_ASSIGN(d, read_run_definition(run));
  if (d.parent_step >= 0)
    return fail(Errc::usage, NW_TR("{0} is a branch of {1} from step {2}: replay {1}, then branch it there"),
                run.string(), d.parent, d.parent_step);
  NW_ASSIGN(const RecordedKnobs recorded, recorded_knobs(run));
  request.replay = recorded.done;
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
