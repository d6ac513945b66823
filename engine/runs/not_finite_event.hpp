// SPDX-License-Identifier: Apache-2.0
// Where a training step stopped being finite: the member `not_finite` of the event `health`.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/json.hpp"

namespace nw {

enum class Pass : std::uint8_t { forward, backward, update };
/// The first tensor of a step that is not finite.
struct NotFinite {
  Pass pass = Pass::forward;
  std::string layer;   // dotted name; "images"
  std::string tensor;  // "conv2": an output, or backward the gradient of it; "conv2.weight", backward its gradient
  std::string kernel;  // that computed it; empty: no kernel of the step
  bool reached_weights = false;  // an earlier update wrote it into the weights
  bool operator==(const NotFinite&) const = default;
};

std::string_view name_of(Pass);  // "forward", "backward", "update"
Json to_json(const NotFinite&);
/// Problems are recorded in the reader.
NotFinite not_finite_from(JsonReader&);

}  // namespace nw
