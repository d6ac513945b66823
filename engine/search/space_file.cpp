// SPDX-License-Identifier: Apache-2.0
// The JSON form of a space, read strictly: an unknown member is an error, because a misspelt one would be ignored.
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/json_part.hpp"
#include "engine/core/newer_format.hpp"
#include "engine/search/space.hpp"

namespace nw::search {
namespace {

constexpr std::size_t longest_name = 400;

/// A reader that remembers which members were asked for.
class Members {
 public:
  Members(const Json& json, std::string where) : reader(json, std::move(where)) {}
  JsonReader* operator->() { return &reader; }
  Status all_known(std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : reader.json().items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        reader.problem(text(NW_TR("has an unknown member \"{0}\""), key.substr(0, 80)));
    return reader.status();
  }
  JsonReader reader;
};

bool is_value(const Json& v) {
  if (v.is_string()) return v.get_ref<const std::string&>().size() <= longest_name;
  if (v.is_number()) return std::isfinite(v.get<double>());
  const auto whole = [](const Json& n) { return n.is_number_integer(); };
  return v.is_boolean() || (v.is_array() && !v.empty() && v.size() <= 3 && std::all_of(v.begin(), v.end(), whole));
}

Status read_values(Members& r, Parameter& p) {
  const Json* list = r->child("values", Json::value_t::array);
  if (!list && r->status()) r->problem(text(NW_TR("is a choice and has no values")));
  if (!list) return r->status();
  if (list->empty() || list->size() > most_values) r->problem(text(NW_TR("must have 1 to {0} values"), most_values));
  for (const Json& v : *list) {
    if (!is_value(v)) r->problem(text(NW_TR("has a value that is no number, word, true, false or list of sizes")));
    if (std::find(p.values.begin(), p.values.end(), v) != p.values.end())
      r->problem(text(NW_TR("has the value {0} twice"), v.dump().substr(0, 80)));
    NW_TRY(r->status());
    p.values.push_back(v);
  }
  return {};
}

Status read_range(Members& r, Parameter& p) {
  const bool whole = p.kind == Parameter::Kind::integer;
  p.low = r->real("low");
  p.high = r->real("high");
  p.step = r->real_or("step", whole ? 1 : 0);
  p.log = r->boolean_or("log", false);
  NW_TRY(r->status());
  constexpr double most = 1e15;
  if (!(std::abs(p.low) <= most && std::abs(p.high) <= most))
    r->problem(text(NW_TR("has a limit beyond ±{0}"), most));
  else if (!(p.low <= p.high))
    r->problem(text(NW_TR("has a low value of {0}, above the high one of {1}"), p.low, p.high));
  else if (p.log && !(p.low > 0))
    r->problem(text(NW_TR("is logarithmic, so its low value must be above 0")));
  else if (!(p.step >= 0) || (whole && p.step < 1) || (p.step > 0 && (p.high - p.low) / p.step > 1e9))
    r->problem(text(NW_TR("has a step of {0}, which does not fit its range"), p.step));
  else if (whole && (p.low != std::floor(p.low) || p.high != std::floor(p.high) || p.step != std::floor(p.step)))
    r->problem(text(NW_TR("is a whole number, so its limits and its step must be")));
  else if (p.log && p.step > 0 && !(p.low > p.step / 2))
    r->problem(text(NW_TR("is logarithmic, so its low value must be above half its step")));
  NW_TRY(r->status());
  p.high = p.step > 0 ? nearest_value(p, p.high) : p.high;
  return {};
}

Status read_condition(Members& r, Parameter& p, const Space& earlier) {
  if (!r->has("when")) return {};
  const Json* when = r->child("when", Json::value_t::object);
  if (!when) return r->status();
  if (when->size() != 1) {
    r->problem(text(NW_TR("must have one member in \"when\": an earlier choice and a list of its values")));
    return r->status();
  }
  const std::string& name = when->begin().key();
  const Json& list = when->begin().value();
  for (std::size_t i = 0; i < earlier.parameters.size(); ++i)
    if (earlier.parameters[i].name == name && earlier.parameters[i].kind == Parameter::Kind::choice)
      p.parent = static_cast<int>(i);
  if (p.parent < 0) r->problem(text(NW_TR("depends on \"{0}\", which is no earlier choice"), name.substr(0, 80)));
  if (!list.is_array() || list.empty() || list.size() > most_values)
    r->problem(text(NW_TR("must have a list of values in \"when\"")));
  NW_TRY(r->status());
  const auto& values = earlier.parameters[static_cast<std::size_t>(p.parent)].values;
  for (const Json& v : list) {
    const auto it = std::find(values.begin(), values.end(), v);
    if (it == values.end())
      r->problem(text(NW_TR("depends on {0} being {1}, which is none of its values"), name, v.dump().substr(0, 80)));
    NW_TRY(r->status());
    p.when.push_back(static_cast<std::size_t>(it - values.begin()));
  }
  std::sort(p.when.begin(), p.when.end());
  p.when.erase(std::unique(p.when.begin(), p.when.end()), p.when.end());
  return {};
}

Status read_targets(Members& r, Parameter& p) {
  if (!r->has("sets")) {
    p.sets = {p.name};
    return {};
  }
  const Json* list = r->child("sets", Json::value_t::array);
  if (!list) return r->status();
  if (list->empty() || list->size() > most_targets) r->problem(text(NW_TR("must set 1 to {0} fields"), most_targets));
  for (const Json& v : *list) {
    if (!v.is_string() || v.get_ref<const std::string&>().empty() ||
        v.get_ref<const std::string&>().size() > longest_name)
      r->problem(text(NW_TR("must name each field that it sets")));
    NW_TRY(r->status());
    p.sets.push_back(v.get<std::string>());
  }
  return {};
}

Result<Parameter> read_parameter(const Json& json, const std::string& where, const Space& earlier) {
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("{0} is not an object"), where);
  Members r(json, where);
  Parameter p;
  p.name = r->string("name");
  const std::string kind = r->string("type");
  NW_TRY(r->status());
  if (p.name.empty() || p.name.size() > longest_name)
    r->problem(text(NW_TR("has no name of 1 to {0} bytes"), longest_name));
  for (const Parameter& other : earlier.parameters)
    if (other.name == p.name) r->problem(text(NW_TR("has the name \"{0}\" of another parameter"), p.name));
  if (kind != "real" && kind != "int" && kind != "choice")
    r->problem(text(NW_TR("has the type \"{0}\"; there are real, int and choice"), kind.substr(0, 80)));
  NW_TRY(r->status());
  p.kind = kind == "real" ? Parameter::Kind::real : kind == "int" ? Parameter::Kind::integer : Parameter::Kind::choice;
  if (p.kind == Parameter::Kind::choice) {
    NW_TRY(r.all_known({"name", "type", "sets", "when", "values"}));
    NW_TRY(read_values(r, p));
  } else {
    NW_TRY(r.all_known({"name", "type", "sets", "when", "low", "high", "step", "log"}));
    NW_TRY(read_range(r, p));
  }
  NW_TRY(read_condition(r, p, earlier));
  NW_TRY(read_targets(r, p));
  NW_TRY(r->status());
  return p;
}

Json to_json(const Parameter& p, const Space& space) {
  Json j{{"name", p.name}, {"type", name_of(p.kind)}};
  if (p.sets != std::vector<std::string>{p.name}) j["sets"] = p.sets;
  if (p.kind == Parameter::Kind::choice) {
    j["values"] = p.values;
  } else {
    j["low"] = p.low;
    j["high"] = p.high;
    if (p.step > 0) j["step"] = p.step;
    if (p.log) j["log"] = true;
  }
  if (p.parent < 0) return j;
  const Parameter& parent = space.parameters[static_cast<std::size_t>(p.parent)];
  for (const std::size_t value : p.when) list_in(object_in(j, "when"), parent.name).push_back(parent.values[value]);
  return j;
}

}  // namespace

Result<Space> space_from_json(const Json& json, std::string_view where) {
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("{0} is not a search space"), where);
  Members r(json, std::string(where));
  if (const std::int64_t format = r->integer_or("format", 1, 1, std::int64_t{1} << 31); format > 1)
    return newer_format(json, where, format, 1);
  NW_TRY(r.all_known({"format", "parameters"}));
  const Json* list = r->child("parameters", Json::value_t::array);
  NW_TRY(r->status());
  if (!list || list->empty() || list->size() > most_parameters)
    return fail(Errc::bad_input, NW_TR("{0} must have a list \"parameters\" of 1 to {1}"), where, most_parameters);
  Space space;
  for (const Json& one : *list) {
    const std::string place = std::string(where) + ".parameters[" + std::to_string(space.parameters.size()) + "]";
    NW_ASSIGN(Parameter p, read_parameter(one, place, space));
    space.parameters.push_back(std::move(p));
  }
  return space;
}

Result<Space> parse_space(std::string_view text, std::string_view where) {
  NW_ASSIGN(const Json json, parse_json(text, where, {.bytes = std::size_t{4} << 20}));
  return space_from_json(json, where);
}

Json to_json(const Space& space) {
  Json list = Json::array();
  for (const Parameter& p : space.parameters) list.push_back(to_json(p, space));
  return {{"format", 1}, {"parameters", std::move(list)}};
}

}  // namespace nw::search
