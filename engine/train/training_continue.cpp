// SPDX-License-Identifier: Apache-2.0
// What a run that goes on needs beside its checkpoint: its data, and the settings that were changed after it; and the
// way back to the checkpoint within a process.
#include <algorithm>
#include <system_error>

#include "engine/core/path_text.hpp"
#include "engine/runs/began.hpp"
#include "engine/train/knob_changes.hpp"
#include "engine/train/knobs.hpp"
#include "engine/train/replay.hpp"
#include "engine/train/training.hpp"

namespace nw {
namespace {

void take(const Knob& k, Progress& p) {
  if (k.name == rate_knob)
    p.learning_rate = k.scheduled ? -1 : k.value;
  else
    p.knobs[k.name] = k.value;
}

bool holds(const std::deque<Knob>& all, const Knob& k) {
  return std::any_of(all.begin(), all.end(), [&](const Knob& o) { return o.name == k.name && o.step == k.step; });
}

}  // namespace

// A run that goes on waits for its data: a drive may not be connected yet. A new one was given a wrong place.
Status Training::open_data() {
  const TrainRequest& request = state_.request;
  const bool known = request.resume && !request.other_data;
  const std::string& folder = request.definition.data_dir;
  const fs::path place = folder.empty() ? request.definition.doc.data().path : text_to_path(folder);
  const auto open = [&]() -> Status {
    std::error_code ignored;
    if (known && !place.empty() && !fs::exists(place, ignored))
      return fail(Errc::disk, NW_TR("the data of this run, {0}, is not there"), place.string());
    NW_ASSIGN(state_.data, open_training_data(state_.request.definition, request.allow_synthetic, known));
    return {};
  };
  const Status done = known ? mending_.retry(open) : open();
  if (done || done.error().code != Errc::disk || !known || fs::exists(place)) return done;
  if (state_.control.stopping() != 0) return Error{Errc::stopped, stopped_before_training()};
  return Error{Errc::bad_input, done.error().what};
}

// Settings that were changed at the checkpoint's step may be missing in it; those that were changed later are changed
// again after the same steps. So a run that was killed ends with the bytes of one that was not.
Status Training::plan_knobs() {
  Progress& p = state_.progress;
  const TrainRequest& request = state_.request;
  const auto read = recorded_knobs(request.source());
  const RecordedKnobs recorded = read ? *read : RecordedKnobs();
  const Progress before = p;
  for (const Knob& k : recorded.done)
    if (k.step == p.step && k.name != epochs_knob) take(k, p);
  if (!(p == before)) saver_.outdate();
  std::deque<Knob>& later = state_.knobs_to_come;
  later.clear();
  for (const Knob& k : request.replay)
    if (k.step >= p.step) later.push_back(k);
  for (const auto* knobs : {&recorded.done, &recorded.taken_back})
    for (const Knob& k : *knobs)
      if (k.step > p.step && k.name != epochs_knob && !holds(later, k)) later.push_back(k);
  std::stable_sort(later.begin(), later.end(), [](const Knob& a, const Knob& b) { return a.step < b.step; });
  return apply_runtime_settings(state_.request.definition, p);
}

// Takes the state of the last checkpoint, or of the start, as a new process would: what a lack of memory has left
// behind is not known.
Status Training::go_back() {
  if (state_.request.processes)
    return fail(Errc::out_of_memory, NW_TR("there is not enough memory; resume the run once there is some again"));
  loop_.reset();
  observers_.reset();
  state_.replicas.reset();
  if (report_.is_open()) NW_TRY(report_.flush());
  TrainRequest& request = state_.request;
  request.definition.doc = doc_without_knobs_;
  request.resume = request.resume || static_cast<bool>(latest_checkpoint(request.run));
  state_.progress = {};
  state_.step_done = state_.epoch_done = 0;
  saver_.outdate();
  if (request.resume) NW_TRY(saver_.restore_progress());
  NW_TRY(plan_knobs());
  state_.data.train->set_strength(settings().augment_strength);
  NW_TRY(open_network());
  NW_TRY(open_weights());
  NW_TRY(report_.go_back());
  NW_TRY(observers_->open_tracked_samples());
  commands_.allow_knobs(request.definition.doc, state_.data.facts);
  loop_.emplace(EpochLoop::Parts{state_, report_, commands_, saver_, *observers_, mending_}, started_.device);
  watch_machine();
  return {};
}

}  // namespace nw
