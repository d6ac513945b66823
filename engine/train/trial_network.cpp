// SPDX-License-Identifier: Apache-2.0
#include "engine/train/trial_network.hpp"

#include "engine/train/checkpoint.hpp"
#include "engine/train/knob_changes.hpp"
#include "engine/train/replicas.hpp"

namespace nw {

TrialNetwork::~TrialNetwork() = default;

Result<std::unique_ptr<TrialNetwork>> TrialNetwork::open(TrialSource source) {
  std::unique_ptr<TrialNetwork> t(new TrialNetwork);
  t->source_ = std::move(source);
  TrialSource& s = t->source_;
  if (!s.run.empty()) {
    NW_ASSIGN(const CheckpointName latest, latest_checkpoint(s.run));
    NW_ASSIGN(const LoadedCheckpoint c, open_checkpoint(s.run, latest.name, weight_bytes_of(s.definition)));
    NW_TRY(apply_runtime_settings(s.definition, c.progress));
    t->step_ = c.progress.step;
  }
  NW_ASSIGN(t->data_, open_training_data(s.definition, true, !s.run.empty()));
  NW_ASSIGN(t->devices_, resolve_devices(t->settings().devices, t->settings().threads, s.backend));
  return t;
}

Result<std::unique_ptr<Replicas>> TrialNetwork::make(std::uint64_t seed) const {
  NW_ASSIGN(auto made, Replicas::make(source_.definition.doc, data_.facts, devices_));
  NW_TRY(made->start_weights(seed));
  if (source_.run.empty()) return made;
  NW_ASSIGN(const LoadedCheckpoint c,
            open_checkpoint(source_.run, checkpoint_name(step_), weight_bytes_of(source_.definition)));
  NW_TRY(made->restore(c.model, c.optimizer));
  return made;
}

}  // namespace nw
