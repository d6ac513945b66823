// SPDX-License-Identifier: Apache-2.0
#include "engine/design/layer_type.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace nw {
namespace {

const Attr& value_of(const AttrMap& values, std::string_view name) {
  const auto it = values.find(name);
  assert(it != values.end() && "a layer asked for an attribute that it has no field for");
  return it->second;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Levenshtein distance, ignoring case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

Field field(std::string name, Field::Kind kind, Text label, Attr otherwise, double lo, double hi, Text help) {
  return {.name = std::move(name),
          .kind = kind,
          .otherwise = std::move(otherwise),
          .lo = lo,
          .hi = hi,
          .label = std::move(label),
          .help = std::move(help)};
}

}  // namespace

std::int64_t Attrs::integer(std::string_view name) const { return std::get<std::int64_t>(value_of(values_, name)); }
double Attrs::real(std::string_view name) const { return std::get<double>(value_of(values_, name)); }
bool Attrs::boolean(std::string_view name) const { return std::get<bool>(value_of(values_, name)); }
std::string Attrs::choice(std::string_view name) const { return std::get<std::string>(value_of(values_, name)); }
std::pair<std::int64_t, std::int64_t> Attrs::pair(std::string_view name) const {
  const auto& both = std::get<std::vector<std::int64_t>>(value_of(values_, name));
  assert(both.size() == 2);
  return {both[0], both[1]};
}

std::vector<std::int64_t> Attrs::sizes(std::string_view name) const {
  return std::get<std::vector<std::int64_t>>(value_of(values_, name));
}

const LayerType* find_layer(std::string_view name) {
  static const std::unordered_map<std::string_view, const LayerType*> by_name = [] {
    std::unordered_map<std::string_view, const LayerType*> map;
    for (const LayerType* layer : all_layers()) map.emplace(layer->name, layer);
    return map;
  }();
  const auto it = by_name.find(name);
  return it == by_name.end() ? nullptr : it->second;
}

std::string nearest_layer(std::string_view name) {
  const std::string_view asked = name.substr(0, 64);  // limits the time spent on names from untrusted files
  const auto nearer = [&](const LayerType* a, const LayerType* b) {
    return distance(a->name, asked) < distance(b->name, asked);
  };
  const auto layers = all_layers();
  return std::string((*std::min_element(layers.begin(), layers.end(), nearer))->name);
}

Field integer_field(std::string name, Text label, std::int64_t otherwise, std::int64_t lo, std::int64_t hi, Text help,
                    std::string unit) {
  Field f = field(std::move(name), Field::Kind::integer, std::move(label), otherwise, static_cast<double>(lo),
                  static_cast<double>(hi), std::move(help));
  f.unit = std::move(unit);
  return f;
}

Field real_field(std::string name, Text label, double otherwise, double lo, double hi, Text help) {
  return field(std::move(name), Field::Kind::real, std::move(label), otherwise, lo, hi, std::move(help));
}

Field boolean_field(std::string name, Text label, bool otherwise, Text help) {
  return field(std::move(name), Field::Kind::boolean, std::move(label), otherwise, 0, 1, std::move(help));
}

Field pair_field(std::string name, Text label, std::int64_t otherwise, std::int64_t lo, std::int64_t hi, Text help,
                 std::string unit) {
  Field f = field(std::move(name), Field::Kind::pair, std::move(label), std::vector<std::int64_t>{otherwise, otherwise},
                  static_cast<double>(lo), static_cast<double>(hi), std::move(help));
  f.unit = std::move(unit);
  return f;
}

bool in_range(const Field& f, const Attr& value) {
  const auto fits = [&](double v) { return v >= f.lo && v <= f.hi; };
  if (value.index() != f.otherwise.index()) return false;
  if (const auto* i = std::get_if<std::int64_t>(&value)) return fits(static_cast<double>(*i));
  if (const auto* d = std::get_if<double>(&value)) return fits(*d);
  if (const auto* s = std::get_if<std::string>(&value))
    return f.kind == Field::Kind::text ? fits(static_cast<double>(s->size()))
                                       : std::find(f.choices.begin(), f.choices.end(), *s) != f.choices.end();
  if (const auto* l = std::get_if<std::vector<std::int64_t>>(&value))
    return (f.kind == Field::Kind::sizes ? l->size() <= 3 : l->size() == 2) &&
           std::all_of(l->begin(), l->end(), [&](std::int64_t v) { return fits(static_cast<double>(v)); });
  return true;
}

Field text_field(std::string name, Text label, std::int64_t longest, Text help) {
  return field(std::move(name), Field::Kind::text, std::move(label), std::string(), 0, static_cast<double>(longest),
               std::move(help));
}

Field sizes_field(std::string name, Text label, std::int64_t lo, std::int64_t hi, Text help) {
  return field(std::move(name), Field::Kind::sizes, std::move(label), std::vector<std::int64_t>{},
               static_cast<double>(lo), static_cast<double>(hi), std::move(help));
}

Field choice_field(std::string name, Text label, std::string otherwise, std::vector<std::string> choices, Text help) {
  Field f = field(std::move(name), Field::Kind::choice, std::move(label), std::move(otherwise), 0, 0, std::move(help));
  f.choices = std::move(choices);
  return f;
}

}  // namespace nw
