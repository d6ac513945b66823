// SPDX-License-Identifier: Apache-2.0
// Questions to the command-line program beside this one, for processes that must not load a driver. Private to
// engine/backend.
#pragma once
#include <string>
#include <vector>

#include "engine/core/json.hpp"

namespace nw {

/// The JSON lines that `netwright-cli ARGUMENTS…` in this program's folder prints; other lines are dropped. It is given
/// at most 20 s, because a driver may hang. Empty: it cannot be started.
std::vector<Json> lines_of_command_line(const std::vector<std::string>& arguments);

}  // namespace nw
