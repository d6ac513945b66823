// SPDX-License-Identifier: Apache-2.0
// Records of a journal as lines of JSON.
#include <cstdlib>

#include "engine/core/json_part.hpp"
#include "engine/core/newer_format.hpp"
#include "engine/search/journal.hpp"
#include "engine/search/metrics.hpp"

namespace nw::search {
namespace {

constexpr std::int64_t most_epochs = 1'000'000;
constexpr std::size_t longest_message = 2000;

Json json_of(const Began& b, const Space&) {
  const StudyDefinition& d = b.definition;
  Json j{{"type", "study"},
         {"name", d.name},
         {"project", hex(d.project)},
         {"space", to_json(d.space)},
         {"objectives", Json::array()},
         {"sampler", d.sampler},
         {"pruner", d.pruner},
         {"seed", d.seed},
         {"epochs", d.epochs},
         {"first_rung", d.first_rung},
         {"reduction", d.reduction},
         {"time", b.time}};
  for (const Objective& o : d.objectives) list_in(j, "objectives").push_back(to_text(o));
  return j;
}
Json json_of(const WentOn& w, const Space&) { return {{"type", "process"}, {"trials", w.trials}, {"time", w.time}}; }
Json json_of(const Proposed& p, const Space& space) {
  return {{"type", "trial"},        {"trial", p.trial},       {"parameters", point_to_json(space, p.point)},
          {"run", run_of(p.trial)}, {"to_epoch", p.to_epoch}, {"time", p.time}};
}
Json json_of(const Promoted& p, const Space&) {
  return {{"type", "promoted"}, {"trial", p.trial}, {"to_epoch", p.to_epoch}, {"time", p.time}};
}
Json json_of(const Reported& r, const Space&) {
  return {{"type", "report"}, {"trial", r.trial}, {"epoch", r.epoch}, {"value", r.value}};
}
Json json_of(const Paused& p, const Space&) { return {{"type", "paused"}, {"trial", p.trial}, {"time", p.time}}; }
Json json_of(const Closed& c, const Space&) {
  Json j{{"type", "trial_ended"}, {"trial", c.trial}, {"state", name_of(c.state)}, {"time", c.time}};
  if (!c.values.empty()) j["values"] = c.values;
  if (!c.message.empty()) j["message"] = c.message.substr(0, longest_message);
  return j;
}
Json json_of(const Repeated& r, const Space&) {
  Json j{{"type", "repeat"}, {"trial", r.trial}, {"seed", r.seed}, {"run", run_of(r.trial, r.seed)}, {"time", r.time}};
  if (!r.values.empty()) j["values"] = r.values;
  if (!r.message.empty()) j["message"] = r.message.substr(0, longest_message);
  return j;
}
Json json_of(const Stopped& s, const Space&) { return {{"type", "process_ended"}, {"how", s.how}, {"time", s.time}}; }
Json json_of(const Held& h, const Space&) { return {{"type", "held"}, {"on", h.on}, {"time", h.time}}; }

Result<Record> study_record(JsonReader& r, std::string_view where) {
  StudyDefinition d;
  d.name = r.string("name");
  d.project = std::strtoull(r.string("project").c_str(), nullptr, 16);
  d.sampler = r.string("sampler");
  d.pruner = r.string("pruner");
  d.epochs = r.integer("epochs", 1, most_epochs);
  d.first_rung = r.integer("first_rung", 1, most_epochs);
  d.reduction = r.integer("reduction", 2, 1000);
  const double time = r.real_or("time", 0);
  const Json* objectives = r.child("objectives", Json::value_t::array);
  const Json* space = r.child("space", Json::value_t::object);
  NW_TRY(r.status());
  if (!objectives || !space || objectives->size() > most_objectives ||
      !r.json().value("seed", Json()).is_number_unsigned())
    return fail(Errc::bad_input, NW_TR("{0} has no objectives, no space or no seed"), where);
  d.seed = r.json()["seed"].get<std::uint64_t>();
  NW_ASSIGN(d.space, space_from_json(*space, std::string(where) + ".space"));
  for (const Json& o : *objectives) {
    if (!o.is_string()) return fail(Errc::bad_input, NW_TR("{0} has an objective that is no word"), where);
    NW_ASSIGN(Objective objective, objective_from_text(o.get_ref<const std::string&>()));
    d.objectives.push_back(std::move(objective));
  }
  return Record(Began{std::move(d), time});
}

Result<Record> trial_record(JsonReader& r, const Space& space, std::string_view where) {
  Proposed p{.trial = r.integer("trial", 0, most_trials),
             .point = {},
             .to_epoch = r.integer("to_epoch", 1, most_epochs),
             .time = r.real_or("time", 0)};
  const Json* parameters = r.child("parameters", Json::value_t::object);
  if (!parameters) r.problem(text(NW_TR("has no parameters")));
  NW_TRY(r.status());
  NW_ASSIGN(p.point, point_from_json(space, *parameters, where));
  return Record(std::move(p));
}

Status read_values(JsonReader& r, std::vector<double>& into) {
  const Json* values = r.has("values") ? r.child("values", Json::value_t::array) : nullptr;
  for (const Json& v : values ? *values : Json::array()) {
    if (!v.is_number() || into.size() >= most_objectives) r.problem(text(NW_TR("has values that are no numbers")));
    NW_TRY(r.status());
    into.push_back(v.get<double>());
  }
  return r.status();
}

Result<Record> closed_record(JsonReader& r) {
  Closed c{.trial = r.integer("trial", 0, most_trials),
           .state = TrialState::complete,
           .values = {},
           .message = r.string_or("message", ""),
           .time = r.real_or("time", 0)};
  const std::string state = r.string("state");
  for (const TrialState s : {TrialState::complete, TrialState::pruned, TrialState::failed, TrialState::running})
    if (name_of(c.state = s) == state) break;
  NW_TRY(read_values(r, c.values));
  return Record(std::move(c));
}

Result<Record> repeat_record(JsonReader& r) {
  Repeated repeat{.trial = r.integer("trial", 0, most_trials),
                  .seed = 0,
                  .values = {},
                  .message = r.string_or("message", ""),
                  .time = r.real_or("time", 0)};
  if (!r.json().value("seed", Json()).is_number_unsigned()) r.problem(text(NW_TR("has no seed")));
  NW_TRY(read_values(r, repeat.values));
  repeat.seed = r.json()["seed"].get<std::uint64_t>();
  return Record(std::move(repeat));
}

}  // namespace

Result<Objective> objective_from_text(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const MetricRow* row = find_metric(name);
  if (!row) {
    std::string names;
    for (const MetricRow& m : all_metrics()) names += (names.empty() ? "" : ", ") + std::string(m.name);
    return fail(Errc::usage, NW_TR("\"{0}\" is no objective; there are {1}"), name.substr(0, 80), names);
  }
  const std::string_view way = colon == text.npos ? row->maximize ? "max" : "min" : text.substr(colon + 1);
  if (way != "max" && way != "min")
    return fail(Errc::usage, NW_TR("an objective is maximized or minimized: \"{0}:max\" or \"{0}:min\""), name);
  return Objective{std::string(name), way == "max"};
}

std::string to_text(const Objective& o) { return o.metric + (o.maximize ? ":max" : ":min"); }

std::string record_line(const Record& record, const Space& space) {
  Json j = std::visit([&](const auto& what) { return json_of(what, space); }, record);
  j["schema"] = 1;
  return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<std::optional<Record>> record_from_line(std::string_view line, const Space& space) {
  constexpr std::string_view where = "record";
  NW_ASSIGN(const Json json, parse_json(line, where, {.bytes = std::size_t{8} << 20}));
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("the line is no object"));
  JsonReader r(json, std::string(where));
  const std::int64_t schema = r.integer("schema", 1, std::int64_t{1} << 31);
  const std::string type = r.string("type");
  NW_TRY(r.status());
  // What is added to a study may be left out; a study of which not even the definition can be read is refused.
  if (schema > 1 && type == "study") return newer_format(json, "the study", schema, 1);
  if (schema > 1) return std::optional<Record>();
  Result<Record> record = [&]() -> Result<Record> {
    const auto trial = [&] { return r.integer("trial", 0, most_trials); };
    const auto time = [&] { return r.real_or("time", 0); };
    if (type == "study") return study_record(r, where);
    if (type == "trial") return trial_record(r, space, where);
    if (type == "trial_ended") return closed_record(r);
    if (type == "repeat") return repeat_record(r);
    if (type == "process") return Record(WentOn{r.integer("trials", 1, most_trials), time()});
    if (type == "promoted") return Record(Promoted{trial(), r.integer("to_epoch", 1, most_epochs), time()});
    if (type == "report") return Record(Reported{trial(), r.integer("epoch", 1, most_epochs), r.real("value")});
    if (type == "paused") return Record(Paused{trial(), time()});
    if (type == "held") return Record(Held{r.boolean_or("on", false), time()});
    if (type == "process_ended") return Record(Stopped{r.string("how"), time()});
    return fail(Errc::unsupported, NW_TR("a record of a newer version"));
  }();
  if (!record && record.error().code == Errc::unsupported) return std::optional<Record>();
  if (!record) return record.error();
  NW_TRY(r.status());
  return std::optional(*std::move(record));
}

}  // namespace nw::search
