// SPDX-License-Identifier: Apache-2.0
// What is done before a job runs elsewhere, told while it is done.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>

#include "engine/core/json.hpp"

namespace nw::submit {

/// In this order. An error ends the step that was begun last.
enum class Step : std::uint8_t { commands, program, data, copy, start };
std::string_view name_of(Step);

struct StepReport {
  Step step = Step::commands;
  bool done = false;                            // else it has begun, or goes on
  Text sentence = {};                           // what was found; empty: nothing to say
  std::uint64_t done_bytes = 0, all_bytes = 0;  // of the copy
  double seconds_left = -1;                     // of the copy; < 0: not known
};
/// {"type": "step", …}, a line of `submit --json`.
Json to_json(const StepReport&);
using Report = std::function<void(const StepReport&)>;

}  // namespace nw::submit
