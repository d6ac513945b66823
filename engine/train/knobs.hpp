// SPDX-License-Identifier: Apache-2.0
// Run-time settings: what may change while a run trains. Each change is an event `knob` with the step after which it
// holds, so a recipe of changes replays a run.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/design/data_facts.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw {

inline constexpr const char* rate_knob = "learning_rate";
inline constexpr std::string_view frozen_knob = "frozen.";  // and a layer's name: 1 frozen, 0 trained

/// The names that the document offers beside the learning rate: fields of the chosen optimizer, penalties, clipping,
/// accumulate, augment_strength, ema_decay where weights are averaged, and "frozen.conv1" for each layer.
std::vector<std::string> knob_names(const GraphDoc&);

/// The document with this value. Errc::usage: there is no such run-time setting, or the value is outside of its limits,
/// which are those of files.
Result<GraphDoc> with_knob(const GraphDoc&, std::string_view name, double value);
/// Errc::usage: the network cannot be trained like this; the message is that of its first error.
Status can_be_trained(const GraphDoc&, const DataFacts&);

/// A text of the form "NAME=VALUE" as a change of any training setting by its name in files, of a run-time setting, or
/// of a field of the loss (label_smoothing, class_weights).
/// Values are JSON, or a word. Errc::usage: no such setting, or outside of its limits.
Result<GraphDoc> with_setting(const GraphDoc&, std::string_view text);

}  // namespace nw
