// SPDX-License-Identifier: Apache-2.0
#include "engine/search/space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nw::search {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

Json value_json(const Parameter& p, double value) {
  switch (p.kind) {
    case Parameter::Kind::real:
      return value;
    case Parameter::Kind::integer:
      return static_cast<std::int64_t>(value);
    case Parameter::Kind::choice:
      return p.values[static_cast<std::size_t>(value)];
  }
  return {};
}

/// NaN: no value of the parameter.
double value_from_json(const Parameter& p, const Json& json) {
  if (p.kind == Parameter::Kind::choice) {
    const auto it = std::find(p.values.begin(), p.values.end(), json);
    return it == p.values.end() ? nothing : static_cast<double>(it - p.values.begin());
  }
  if (!json.is_number()) return nothing;
  const auto value = json.get<double>();
  return value >= p.low && value <= p.high && nearest_value(p, value) == value ? value : nothing;
}

}  // namespace

std::string_view name_of(Parameter::Kind kind) {
  switch (kind) {
    case Parameter::Kind::real:
      return "real";
    case Parameter::Kind::integer:
      return "int";
    case Parameter::Kind::choice:
      return "choice";
  }
  return "";
}

bool exists_at(const Space& space, const Point& point, std::size_t i) {
  const Parameter& p = space.parameters[i];
  if (p.parent < 0) return true;
  const double chosen = point[static_cast<std::size_t>(p.parent)];
  return !std::isnan(chosen) &&
         std::find(p.when.begin(), p.when.end(), static_cast<std::size_t>(chosen)) != p.when.end();
}

std::int64_t values_of(const Parameter& p) {
  if (p.kind == Parameter::Kind::choice) return static_cast<std::int64_t>(p.values.size());
  if (p.low == p.high) return 1;
  return p.step > 0 ? static_cast<std::int64_t>(std::floor((p.high - p.low) / p.step + 1e-9)) + 1 : 0;
}

double nearest_value(const Parameter& p, double value) {
  if (p.kind == Parameter::Kind::choice)
    return std::clamp(std::round(value), 0.0, static_cast<double>(p.values.size()) - 1);
  if (!(p.step > 0)) return std::clamp(value, p.low, p.high);
  const double last = static_cast<double>(values_of(p) - 1);
  return p.low + std::clamp(std::round((value - p.low) / p.step), 0.0, last) * p.step;
}

bool is_point(const Space& space, const Point& point) {
  if (point.size() != space.parameters.size()) return false;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const Parameter& p = space.parameters[i];
    if (!exists_at(space, point, i)) {
      if (!std::isnan(point[i])) return false;
    } else if (!std::isfinite(point[i]) || nearest_value(p, point[i]) != point[i]) {
      return false;
    }
  }
  return true;
}

Json point_to_json(const Space& space, const Point& point) {
  Json json = Json::object();
  for (std::size_t i = 0; i < point.size(); ++i)
    if (!std::isnan(point[i])) json[space.parameters[i].name] = value_json(space.parameters[i], point[i]);
  return json;
}

Result<Point> point_from_json(const Space& space, const Json& json, std::string_view where) {
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("{0} is not an object"), where);
  Point point(space.parameters.size(), nothing);
  std::size_t used = 0;
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (!exists_at(space, point, i)) continue;
    const Parameter& p = space.parameters[i];
    const auto it = json.find(p.name);
    if (it == json.end()) return fail(Errc::bad_input, NW_TR("{0} has no value of {1}"), where, p.name);
    point[i] = value_from_json(p, *it);
    if (std::isnan(point[i]))
      return fail(Errc::bad_input, NW_TR("{0}: {1} cannot be {2} in this space"), where, p.name,
                  it->dump().substr(0, 80));
    ++used;
  }
  if (used != json.size()) return fail(Errc::bad_input, NW_TR("{0} has values of parameters that do not exist"), where);
  return point;
}

}  // namespace nw::search
