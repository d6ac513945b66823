// SPDX-License-Identifier: Apache-2.0
// Layers that are frozen in the first epochs only. Private to engine/train.
#pragma once
#include "engine/train/mending.hpp"

namespace nw {

/// The state is at the start of an epoch in which a layer is trained that was frozen in the one before.
bool unfreezing_is_due(const TrainingState&);
/// In `epoch` more layers are trained than in the first one.
bool unfrozen_since_start(const GraphDoc&, std::int64_t epoch);

/// Replaces the state's network by one of its document that trains the layers of its epoch, with the same weights,
/// statistics and optimizer's state. Waits where there is no memory for it; after an error there is no network.
Status make_network_anew(TrainingState&, Mending&);
/// What is trained from the state's epoch on, for the run's events.
Text unfrozen_note(const TrainingState&);

}  // namespace nw
