// SPDX-License-Identifier: Apache-2.0
#include "engine/train/knob_changes.hpp"

#include <algorithm>
#include <utility>

#include "engine/train/evaluator.hpp"
#include "engine/train/knobs.hpp"

namespace nw {

KnobChanges::KnobChanges(TrainingState& state, RunReport& report, CheckpointSaver& saver, Observers& observers,
                         Mending& mending)
    : state_(state), report_(report), saver_(saver), observers_(observers), mending_(mending) {}

bool KnobChanges::is_due(const Knob& k) const {
  if (k.step > state_.progress.step) return false;
  return k.name != "accumulate" || state_.progress.batch == 0;
}

std::int64_t KnobChanges::steps_until_due() const {
  std::int64_t steps = most_epochs;
  for (const Knob& k : state_.knobs_to_come)
    if (k.step > state_.progress.step) steps = std::min(steps, k.step - state_.progress.step);
  return std::max<std::int64_t>(1, steps);
}

Result<KnobChanges::Done> KnobChanges::apply() {
  Done done;
  std::deque<Knob>& waiting = state_.knobs_to_come;
  if (!state_.request.processes && state_.control.knobs_asked())
    state_.agreed_knobs = state_.control.take_requested_settings();
  for (auto& [name, value] : std::exchange(state_.agreed_knobs, {})) {
    std::erase_if(waiting, [&, &named = name](const Knob& k) { return k.step >= 0 && k.name == named; });
    waiting.push_back({name, value, -1});
  }
  for (auto it = waiting.begin(); it != waiting.end();) {
    if (!is_due(*it)) {
      ++it;
      continue;
    }
    const Knob due = *it;
    it = waiting.erase(it);
    NW_TRY(change(due, done));
  }
  return done;
}

void KnobChanges::set_rate(const Knob& k) {
  Progress& p = state_.progress;
  p.learning_rate = k.scheduled ? -1 : k.value;
  report_.post(Knob{rate_knob, k.scheduled ? state_.scheduled_rate() : k.value, p.step, k.scheduled});
}

// A change that the network does not allow was refused when it was asked for; one of a foreign recipe is refused here.
Status KnobChanges::change(const Knob& k, Done& done) {
  Progress& p = state_.progress;
  saver_.outdate();
  if (k.name == rate_knob) {
    set_rate(k);
    return {};
  }
  NW_ASSIGN(GraphDoc doc, with_knob(state_.request.definition.doc, k.name, k.value));
  NW_TRY(can_be_trained(doc, state_.data.facts));
  if (k.name == "augment_strength") {
    state_.data.train->set_strength(k.value);
    state_.request.definition.doc = std::move(doc);
  } else {
    NW_TRY(remake(std::move(doc)));
    done.network = true;
  }
  if (k.name == "accumulate") {
    state_.steps_per_epoch = batches_per_epoch(batches_of(state_, *state_.data.train, true));
    done.batches = true;
  }
  p.knobs[k.name] = k.value;
  report_.post(Knob{k.name, k.value, p.step});
  return {};
}

/// Another plan with the same weights, statistics and state of the optimizer.
Status KnobChanges::remake(GraphDoc doc) {
  observers_.forget_network();
  state_.request.definition.doc = std::move(doc);
  return make_network_anew(state_, mending_);
}

Status apply_runtime_settings(RunDefinition& definition, const Progress& p) {
  for (const auto& [name, value] : p.knobs) { NW_ASSIGN(definition.doc, with_knob(definition.doc, name, value)); }
  return {};
}

}  // namespace nw
