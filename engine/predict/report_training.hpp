// SPDX-License-Identifier: Apache-2.0
// The parts of a report that describe how a network was trained: its drawing, the curves of the training, the data and
// the settings. Private to engine/predict.
#pragma once
#include <span>
#include <string>

#include "engine/runs/run_folder.hpp"

namespace nw::predicting {

/// The nodes of the canvas as boxes with name, type, shape and parameters, as SVG. Empty without nodes.
std::string network_drawing(const RunDefinition&);
/// Loss and accuracy on the training and validation set after each epoch, as SVG, and the best epoch. Empty without
/// epochs.
std::string training_curves(std::span<const EpochEnd>, TargetKind);
/// The data choice, and the hashes by which the data and its split are recognized.
std::string data_table(const RunDefinition&);
std::string settings_table(const RunDefinition&);

}  // namespace nw::predicting
