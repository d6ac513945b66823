// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/data/transforms/transform_text.hpp"

namespace nw {
namespace {

std::string known_transforms() {
  std::string names;
  for (const TransformType& type : all_transforms()) names += (names.empty() ? "" : ", ") + std::string(type.name);
  return names;
}

std::string known_fields(const TransformType& type) {
  std::string names;
  for (const TransformField& f : type.fields) names += (names.empty() ? "" : ", ") + std::string(f.name);
  return names;
}

Status set_field(Transform& t, const TransformType& type, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals),
                         number = equals == assignment.npos ? std::string_view() : assignment.substr(equals + 1);
  const auto field =
      std::find_if(type.fields.begin(), type.fields.end(), [&](const TransformField& f) { return name == f.name; });
  if (field == type.fields.end())
    return fail(Errc::usage, NW_TR("{0} has no \"{1}\"; it has {2}"), type.name, name, known_fields(type));
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool fits = error == std::errc{} && end == number.data() + number.size() && value >= field->lo &&
                    value <= field->hi && (!field->whole || value == std::floor(value));
  if (!fits)
    return fail(Errc::usage, NW_TR("{0}: {1} must be a number from {2} to {3}, not \"{4}\""), type.name, name,
                field->lo, field->hi, number);
  t.values[static_cast<std::size_t>(field - type.fields.begin())] = value;
  return {};
}

}  // namespace

Result<Transform> transform_from_text(std::string_view words) {
  const std::size_t colon = words.find(':');
  const std::string_view name = words.substr(0, colon);
  const TransformType* type = find_transform(name);
  if (!type) return fail(Errc::usage, NW_TR("There is no transform \"{0}\"; use one of {1}"), name, known_transforms());
  Transform t = default_transform(*type);
  std::string_view rest = colon == words.npos ? std::string_view() : words.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    NW_TRY(set_field(t, *type, rest.substr(0, comma)));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return t;
}

}  // namespace nw
