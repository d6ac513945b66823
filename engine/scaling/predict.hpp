// SPDX-License-Identifier: Apache-2.0
// The two ways in which devices share a step. Private to engine/scaling.
#pragma once
#include "engine/scaling/prediction.hpp"

namespace nw::scaling {

/// Parts of a batch on each device.
Result<Prediction> predict_replicas(const GraphDoc&, const DataFacts&, const Setup&, std::int64_t devices);
/// Stages of the network; at least two devices.
Result<Prediction> predict_stages(const GraphDoc&, const DataFacts&, const Setup&, std::int64_t devices);

/// The steps of one phase; those that the device does not run, because their result is where their input is, take no
/// time.
WorkTime time_of(const Plan&, Phase, const Setup&);
/// Sets what follows from the others.
void finish(Prediction&, const Setup&);

}  // namespace nw::scaling
