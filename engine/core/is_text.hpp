// SPDX-License-Identifier: Apache-2.0
// Comparing a JSON value with a text where there may be no memory.
#pragma once
#include <string>
#include <string_view>

#include "engine/core/json.hpp"

namespace nw {

/// Whether a value is this text. The library's == makes a value of the text first, in a function that may not throw: a
/// lack of memory there ends the process.
inline bool is_text(const Json& json, std::string_view text) {
  return json.is_string() && json.get_ref<const std::string&>() == text;
}

}  // namespace nw
