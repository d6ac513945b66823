// SPDX-License-Identifier: Apache-2.0
// Numbers in events, which JSON cannot hold when they are not finite. Private to engine/runs.
#pragma once
#include <cmath>
#include <limits>
#include <string_view>

#include "engine/core/is_text.hpp"

namespace nw {

/// JSON has neither NaN nor infinity: they are written as text.
inline Json number(double v) {
  if (std::isfinite(v)) return v;
  return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
}
inline double number_of(JsonReader& r, std::string_view key) {
  const auto it = r.json().find(key);
  if (it != r.json().end() && it->is_string()) {
    if (is_text(*it, "nan")) return std::numeric_limits<double>::quiet_NaN();
    if (is_text(*it, "inf")) return std::numeric_limits<double>::infinity();
    if (is_text(*it, "-inf")) return -std::numeric_limits<double>::infinity();
  }
  return r.real(key);
}
/// -1 (unknown) in runs of versions that did not measure this.
inline double number_or(JsonReader& r, std::string_view key) { return r.json().contains(key) ? number_of(r, key) : -1; }

}  // namespace nw
