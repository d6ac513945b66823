// SPDX-License-Identifier: Apache-2.0
#include "engine/search/apply.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/design/layer_type.hpp"
#include "engine/design/project_file.hpp"

namespace nw::search {
namespace {

/// Settings that belong to the study or to the computer.
constexpr std::string_view not_searched[] = {"epochs",     "devices",           "threads",
                                             "transforms", "checkpoint_epochs", "keep_checkpoints"};

Error no_field(const std::string& target) {
  return fail(Errc::bad_input, NW_TR("the project has no field \"{0}\" to search"), target);
}
Error wrong_value(const std::string& target, const Json& value) {
  return fail(Errc::bad_input, NW_TR("\"{0}\" cannot be {1}"), target, value.dump().substr(0, 80));
}

Status put_setting(GraphDoc& doc, const std::string& target, const std::string& key, const Json& value) {
  if (!is_searched_setting(key))
    return fail(Errc::bad_input, NW_TR("\"{0}\" is no field that a search can change"), target);
  const Json known = known_settings(doc.settings());
  if (!known.contains(key)) return no_field(target);
  Json json = to_json(doc.settings());
  json[key] = value;
  NW_ASSIGN(const TrainSettings settings, settings_from_json(json, "\"" + target + "\""));
  NW_ASSIGN(const Edit undo, doc.apply({PutSettings{settings}}));
  (void)undo;
  return {};
}

/// Where a target is: "scope/node.field".
struct Place {
  std::string scope, field;
  NodeId id = 0;
};

std::optional<Place> place_of(const GraphDoc& doc, const std::string& target) {
  Place place;
  std::string name = target;
  if (const auto slash = name.find('/'); slash != name.npos) {
    place.scope = name.substr(0, slash);
    name.erase(0, slash + 1);
  }
  const auto dot = name.rfind('.');
  if (dot == name.npos || !doc.has_scope(place.scope)) return std::nullopt;
  place.field = name.substr(dot + 1);
  name.resize(dot);
  for (const auto& [id, node] : doc.graph(place.scope).nodes)
    if (node.name == name) place.id = id;
  return place.id == 0 ? std::nullopt : std::optional(place);
}

std::optional<Attr> attr_from(const Field& f, const Json& v) {
  Attr attr;
  switch (f.kind) {
    case Field::Kind::integer:
      if (v.is_string() && v.get_ref<const std::string&>().starts_with('$')) return Attr(v.get<std::string>());
      if (!v.is_number_integer()) return std::nullopt;
      attr = v.get<std::int64_t>();
      break;
    case Field::Kind::real:
      if (!v.is_number()) return std::nullopt;
      attr = v.get<double>();
      break;
    case Field::Kind::boolean:
      if (!v.is_boolean()) return std::nullopt;
      attr = v.get<bool>();
      break;
    case Field::Kind::choice:
    case Field::Kind::text:
      if (!v.is_string()) return std::nullopt;
      attr = v.get<std::string>();
      break;
    case Field::Kind::pair:
      if (v.is_number_integer()) {
        attr = std::vector<std::int64_t>(2, v.get<std::int64_t>());
        break;
      }
      [[fallthrough]];
    case Field::Kind::sizes:
      if (!v.is_array()) return std::nullopt;
      attr = v.get<std::vector<std::int64_t>>();
      break;
  }
  return in_range(f, attr) ? std::optional(attr) : std::nullopt;
}

bool is_whole(const Json& v, std::int64_t lo, std::int64_t hi) {
  return v.is_number_integer() && v.get<std::int64_t>() >= lo && v.get<std::int64_t>() <= hi;
}

/// Fields of every node. False: `field` is none of them; `good`: whether the value is possible.
bool put_common(Node& node, const std::string& field, const Json& v, bool& good) {
  if (field == "frozen" || field == "bypassed") {
    good = v.is_boolean();
    if (good) (field == "frozen" ? node.frozen : node.bypassed) = v.get<bool>();
  } else if (field == "frozen_epochs") {
    good = is_whole(v, 0, most_frozen_epochs);
    if (good) node.frozen_epochs = v.get<std::int64_t>();
  } else if (field == "lr_scale") {
    good = v.is_number() && v.get<double>() >= 0 && v.get<double>() <= largest_lr_scale;
    if (good) node.lr_scale = v.get<double>();
  } else if (field == "type" && node.type != "Block") {
    const LayerType* type = v.is_string() ? find_layer(v.get<std::string>()) : nullptr;
    const LayerType* before = find_layer(node.type);
    good = type && before && type->inputs == before->inputs && type->outputs == before->outputs;
    if (good && node.type != type->name) {
      node.type = type->name;
      node.attrs.clear();
    }
  } else {
    return false;
  }
  return true;
}

/// As put_common(), of an instance of a block.
bool put_instance(const GraphDoc& doc, Node& node, const std::string& field, const Json& v, bool& good) {
  if (field == "repeat") {
    good = is_whole(v, 1, 10'000);
    if (good) node.attrs["repeat"] = v.get<std::int64_t>();
    return true;
  }
  if (field == "block") {
    good = v.is_string() && doc.blocks().contains(v.get<std::string>());
    if (good) node.attrs["block"] = v.get<std::string>();
    return true;
  }
  const auto* name = node.attrs.contains("block") ? std::get_if<std::string>(&node.attrs.at("block")) : nullptr;
  const auto block = name ? doc.blocks().find(*name) : doc.blocks().end();
  if (block == doc.blocks().end()) return false;
  const auto& parameters = block->second.parameters;
  if (std::none_of(parameters.begin(), parameters.end(), [&](const BlockParameter& p) { return p.name == field; }))
    return false;
  good = is_whole(v, -(std::int64_t{1} << 40), std::int64_t{1} << 40);
  if (good) node.attrs[field] = v.get<std::int64_t>();
  return true;
}

Status put_node(GraphDoc& doc, const Place& place, const std::string& target, const Json& value) {
  Node node = doc.graph(place.scope).nodes.at(place.id);
  bool good = false;
  bool known = put_common(node, place.field, value, good);
  if (!known && node.type == "Block") known = put_instance(doc, node, place.field, value, good);
  const LayerType* type = find_layer(node.type);
  for (const Field& f : type ? type->fields : std::vector<Field>{}) {
    if (known || f.name != place.field) continue;
    known = true;
    const auto attr = attr_from(f, value);
    good = attr.has_value();
    if (good) node.attrs[f.name] = *attr;
  }
  if (!known) return no_field(target);
  if (!good) return wrong_value(target, value);
  NW_ASSIGN(const Edit undo, doc.apply({PutNode{place.scope, place.id, std::move(node)}}));
  (void)undo;
  return {};
}

Status put(GraphDoc& doc, const std::string& target, const Json& value) {
  if (target.find('.') == target.npos) return put_setting(doc, target, target, value);
  if (const auto place = place_of(doc, target)) return put_node(doc, *place, target, value);
  if (target.starts_with("optimizer.")) return put_setting(doc, target, target.substr(10), value);
  return no_field(target);
}

/// A setting that is a whole number is written as one: the reader of settings takes no 8.0.
Json value_for(const Parameter& p, double value) {
  if (p.kind == Parameter::Kind::choice) return p.values[static_cast<std::size_t>(value)];
  if (p.kind == Parameter::Kind::integer) return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace

bool is_searched_setting(std::string_view name) {
  return std::find(std::begin(not_searched), std::end(not_searched), name) == std::end(not_searched);
}

// The optimizer, block definitions and types of layers come first: other values may be of their fields.
Result<GraphDoc> apply_point(const GraphDoc& doc, const Space& space, const Point& point) {
  GraphDoc applied = doc;
  const auto is_first = [](const std::string& target) {
    return target == "optimizer" || target.ends_with(".type") || target.ends_with(".block");
  };
  for (const bool first : {true, false})
    for (std::size_t i = 0; i < point.size(); ++i)
      for (const std::string& target : space.parameters[i].sets)
        if (!std::isnan(point[i]) && is_first(target) == first)
          NW_TRY(put(applied, target, value_for(space.parameters[i], point[i])));
  return applied;
}

// Each value is tried on the document in which its condition holds.
Status check_space(const GraphDoc& doc, const Space& space) {
  for (std::size_t i = 0; i < space.parameters.size(); ++i) {
    const Parameter& p = space.parameters[i];
    Point point(space.parameters.size(), std::numeric_limits<double>::quiet_NaN());
    for (int at = static_cast<int>(i); space.parameters[static_cast<std::size_t>(at)].parent >= 0;) {
      const Parameter& of = space.parameters[static_cast<std::size_t>(at)];
      at = of.parent;
      point[static_cast<std::size_t>(at)] = static_cast<double>(of.when.front());
    }
    const bool choice = p.kind == Parameter::Kind::choice;
    const std::size_t tries = choice ? p.values.size() : 2;
    for (std::size_t t = 0; t < tries; ++t) {
      point[i] = choice ? static_cast<double>(t) : t == 0 ? p.low : p.high;
      const auto applied = apply_point(doc, space, point);
      if (!applied) return applied.error();
    }
  }
  return {};
}

}  // namespace nw::search
