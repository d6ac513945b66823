// SPDX-License-Identifier: Apache-2.0
#include "engine/train/observers.hpp"

#include <algorithm>
#include <utility>

namespace nw {

Observers::Observers(TrainingState& state, RunReport& report) : state_(state), report_(report) {
  const TrainRequest& request = state.request;
  if (state.replicas->is_spread()) return;  // no process has the weights of all layers
  if (request.statistics_steps > 0 || (request.statistics_steps < 0 && !request.run.empty()))
    layers_ = std::make_unique<LayerRecorder>(request.definition.doc, state.data.facts, *state.data.train,
                                              request.statistics_steps);
}

Status Observers::open_tracked_samples() {
  const TrainRequest& request = state_.request;
  if (request.run.empty()) return {};
  NW_ASSIGN(probes_,
            TrackedSamples::open(request.run, state_.data, request.definition, *state_.replicas, request.probes,
                                 state_.steps_per_epoch * state_.settings().epochs, state_.progress.step));
  return {};
}

// An epoch's last step is run separately: its layers are measured.
std::int64_t Observers::steps_at_once(std::int64_t wanted, std::int64_t left) const {
  const std::int64_t unmeasured = layers_ && left > 1 ? left - 1 : left;
  const std::int64_t count = statistics_due() ? 1 : std::min(wanted, unmeasured);
  return probes_ ? std::min(count, probes_->steps_until_due(state_.progress.step)) : count;
}

bool Observers::statistics_due() const {
  const Progress& p = state_.progress;
  const bool edge = p.batch + 1 == state_.steps_per_epoch;
  const bool outer = p.epoch == 0 || p.epoch + 1 == state_.settings().epochs;
  return layers_ &&
         layers_->due({.step = p.step + 1, .edge = edge, .outer_edge = edge && outer, .seconds = state_.seconds()});
}

void Observers::before_steps(std::int64_t count) {
  measuring_ = count == 1 && statistics_due();
  if (measuring_) layers_->before(*state_.replicas, state_.seconds());
}

// A failed measurement does not end a run: it is reported, and no further measurement is made.
void Observers::after_steps(bool skipped) {
  post_failure();
  if (!measuring_ || skipped) return;
  const Progress& p = state_.progress;
  const double epoch =
      static_cast<double>(p.epoch) + static_cast<double>(p.batch) / static_cast<double>(state_.steps_per_epoch);
  auto measured = measure_layers(p.step, epoch);
  if (measured) return report_.post(*std::move(measured));
  failure_ = text(NW_TR("The layer statistics could not be recorded: {0}"), measured.error().str());
  layers_.reset();
}

Result<LayerStatistics> Observers::measure_layers(std::int64_t step, double epoch) {
  NW_TRY(state_.replicas->copy_trained_weights());
  return layers_->after(*state_.replicas, step, epoch);
}

void Observers::forget_network() {
  if (layers_) layers_->forget_network();
}

void Observers::post_failure() {
  if (failure_) report_.post(Health{HealthLevel::warning, *failure_, state_.progress.step});
  failure_.reset();
}

bool Observers::probes_are_due() const { return probes_ && probes_->due(state_.progress.step); }

Status Observers::read_due_probes() { return probes_are_due() ? read_probes() : Status(); }

Status Observers::read_probes() {
  if (!probes_) return {};
  report_.recorder().set_training(false);
  Status read = probes_->look(*state_.replicas, state_.progress.step);
  if (read || read.error().code != Errc::disk) return read;
  if (!std::exchange(full_disk_posted_, true))
    report_.post(Health{HealthLevel::warning, read.error().what, state_.progress.step});
  return {};
}

}  // namespace nw
