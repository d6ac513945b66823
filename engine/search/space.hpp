// SPDX-License-Identifier: Apache-2.0
// The space of a study: which fields of a project vary, and within which limits. Its file is a small JSON object:
// docs/search.md.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json.hpp"

namespace nw::search {

inline constexpr std::size_t most_parameters = 256, most_values = 1000, most_targets = 64;

/// One thing that varies. Numbers are between `low` and `high`, both included; with `step` they are low, low + step, …;
/// with `log` they are drawn by their logarithm. A choice is one of `values`.
struct Parameter {
  enum class Kind : std::uint8_t { real, integer, choice };
  std::string name;               // of the parameter; without `sets` also the field that it sets
  std::vector<std::string> sets;  // fields of the project, see apply_point(); never empty
  Kind kind = Kind::real;
  double low = 0, high = 0, step = 0;  // step 0: continuous, of reals only
  bool log = false;
  std::vector<Json> values;  // of a choice: numbers, words, true/false, lists of whole numbers
  // The parameter exists only where the earlier choice `parent` has one of the values `when` (indices); -1: always.
  int parent = -1;
  std::vector<std::size_t> when;
  bool operator==(const Parameter&) const = default;
};
std::string_view name_of(Parameter::Kind);  // "real", "int", "choice"

struct Space {
  std::vector<Parameter> parameters;
  bool operator==(const Space&) const = default;
};

/// A value for each parameter of a space: a number, or the index of a choice; NaN where the parameter does not exist.
using Point = std::vector<double>;

/// Whether parameter `i` exists at this point, whose earlier parameters are set.
bool exists_at(const Space&, const Point&, std::size_t i);
/// The number of values of a parameter; 0: infinitely many.
std::int64_t values_of(const Parameter&);
/// The nearest value that the parameter can have.
double nearest_value(const Parameter&, double);
/// Whether every parameter that exists has one of its values, and every other one is NaN.
bool is_point(const Space&, const Point&);

/// Errc::bad_input: one sentence with the place ("space.json.parameters[2]") and the reason.
Result<Space> space_from_json(const Json&, std::string_view where);
Result<Space> parse_space(std::string_view text, std::string_view where);
Json to_json(const Space&);

/// {"learning_rate":0.01,"optimizer":"sgd"}: the parameters that exist.
Json point_to_json(const Space&, const Point&);
/// Errc::bad_input: a value that the space does not have, or one that is missing.
Result<Point> point_from_json(const Space&, const Json&, std::string_view where);

}  // namespace nw::search
