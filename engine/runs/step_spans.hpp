// SPDX-License-Identifier: Apache-2.0
// The parts of one step of a device in events, and what they say about its communication.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/json.hpp"
#include "kernels/step_timeline.hpp"

namespace nw {

inline constexpr std::size_t most_spans = 128;  // of a device

/// "forward", "backward", …
std::string_view name_of(StepPart);

/// [{"part", "bucket" where there is one, "begin_s", "end_s"}], at most `most_spans`.
Json to_json(std::span<const StepSpan>);
/// Parses one record's `spans`, which may be absent. Problems are recorded in the reader.
std::vector<StepSpan> spans_from(JsonReader&);

/// The share of the time in which buckets of gradients were on their way that the device spent in computing: what the
/// exchange did not cost it. nullopt: there are none.
std::optional<double> hidden_share(std::span<const StepSpan>);

}  // namespace nw
