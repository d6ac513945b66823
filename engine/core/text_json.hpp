// SPDX-License-Identifier: Apache-2.0
// A sentence as JSON, {"source": …, "args": […]}: its reader can translate it.
#pragma once
#include "engine/core/json.hpp"

namespace nw {

Json to_json(const Text& text);
/// At most ten arguments are read. Empty: `json` is no such object.
Text text_in(const Json& json);

}  // namespace nw
