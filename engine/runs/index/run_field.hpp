// SPDX-License-Identifier: Apache-2.0
// The quantities of a run by which runs are listed, sorted, filtered and exported: one record each. A name that is none
// of them is a setting ("learning_rate", "data.kind").
#pragma once
#include <span>
#include <string_view>

#include "engine/runs/index/run_record.hpp"
#include "kernels/variant.hpp"

namespace nw {

/// A number, a text, or nothing: unknown or undefined in this run.
using FieldValue = Variant<std::monostate, double, std::string>;

struct RunField {
  enum class Best : std::uint8_t { none, highest, lowest };
  enum class Unit : std::uint8_t { none, fraction, seconds, date, count, joules };  // how a number is written
  std::string_view name, help;
  FieldValue (*value)(const RunRecord&);
  Unit unit = Unit::none;
  Best best = Best::none;
};

std::span<const RunField> run_fields();
const RunField* find_run_field(std::string_view name);
/// The field or setting of that name; numbers and "true", "false" among the settings are numbers (1, 0). Nothing: the
/// run has no such value.
FieldValue field_value(const RunRecord&, std::string_view name);
/// Orders values: unknown last, numbers before texts.
bool is_before(const FieldValue& a, const FieldValue& b);

}  // namespace nw
