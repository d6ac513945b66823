// SPDX-License-Identifier: Apache-2.0
// What a study prints.
#include <algorithm>

#include "app/cli/study_process.hpp"

namespace nw::cli {
namespace {

std::string values_text(const search::StudyDefinition& d, const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{} {:.6g}", i == 0 ? "" : ", ", d.objectives[i].metric, values[i]);
  return text;
}

std::string point_text(const search::Space& space, const search::Point& point) {
  std::string text;
  const Json json = search::point_to_json(space, point);  // must outlive its items()
  for (const auto& [name, value] : json.items())
    text += (text.empty() ? "" : ", ") + name + " " +
            (value.is_number_float() ? fmt::format("{:.4g}", value.get<double>())
             : value.is_string()     ? value.get<std::string>()
                                     : value.dump());
  return text;
}

/// The value of a trial, of a paused or pruned one its last report.
double value_of(const search::Trial& t) { return t.values.empty() ? search::last_report(t)->value : t.values.front(); }

Json trial_json(const search::StudyDefinition& d, const search::Trial& t, const fs::path& folder) {
  Json j{
      {"trial", t.number}, {"parameters", search::point_to_json(d.space, t.point)}, {"run", (folder / t.run).string()}};
  if (d.objectives.size() == 1)
    j["value"] = value_of(t);
  else
    j["values"] = t.values;
  return j;
}

}  // namespace

std::string StudyProcess::line_of(const search::Trial& t) const {
  const search::StudyDefinition& d = study().definition();
  const std::string head = fmt::format("trial {} {}: ", t.number, name_of(t.state));
  const std::string point = "  (" + point_text(d.space, t.point) + ")";
  if (!t.values.empty()) return head + values_text(d, t.values) + point;
  if (!t.message.empty()) return head + t.message + point;
  const auto report = search::last_report(t);
  return head +
         (report ? fmt::format("{} {:.6g} after epoch {}", d.objectives.front().metric, report->value, report->epoch)
                 : "no value") +
         point;
}

void StudyProcess::say(const search::Record& record) const {
  if (output_.json) return print(search::record_line(record, study().definition().space));
  if (output_.quiet) return;
  if (const auto* closed = std::get_if<search::Closed>(&record)) note(line_of(trial(closed->trial)));
  if (const auto* repeat = std::get_if<search::Repeated>(&record))
    note(fmt::format(
        "trial {} with seed {}: {}", repeat->trial, repeat->seed,
        repeat->values.empty() ? "failed: " + repeat->message : values_text(study().definition(), repeat->values)));
  if (const auto* paused = std::get_if<search::Paused>(&record)) note(line_of(trial(paused->trial)));
}

void StudyProcess::print_result(const std::string& how) const {
  const search::StudyDefinition& d = study().definition();
  const search::Trial* best = study().best();
  const auto front = search::pareto_front(study().trials(), d.objectives);
  if (output_.json) {
    Json j{{"type", "ended"}, {"how", how}, {"trials", study().trials().size()}, {"best", nullptr}};
    for (const search::TrialState s :
         {search::TrialState::running, search::TrialState::paused, search::TrialState::complete,
          search::TrialState::pruned, search::TrialState::failed})
      j[std::string(name_of(s))] = std::count_if(study().trials().begin(), study().trials().end(),
                                                 [&](const search::Trial& t) { return t.state == s; });
    if (best) j["best"] = trial_json(d, *best, journal_.folder());
    if (const auto s = search::spread_of(study().repeats(), best ? best->number : -1); s.runs > 0)
      j["repeats"] = {{"runs", s.runs}, {"mean", s.mean}, {"deviation", s.deviation}, {"low", s.low}, {"high", s.high}};
    for (const search::Trial* t : front) j["front"].push_back(trial_json(d, *t, journal_.folder()));
    return print(j.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  std::vector<std::vector<std::string>> rows;
  if (best)
    rows.push_back({"best trial " + std::to_string(best->number),
                    fmt::format("{} {:.6g}", d.objectives.front().metric, value_of(*best)),
                    point_text(d.space, best->point), (journal_.folder() / best->run).string()});
  for (const search::Trial* t : front)
    rows.push_back({"trial " + std::to_string(t->number), values_text(d, t->values), point_text(d.space, t->point),
                    (journal_.folder() / t->run).string()});
  if (!rows.empty()) print_lines(table(rows));
  if (const std::string spread = best ? spread_text(best->number) : ""; !spread.empty()) print(spread);
}

}  // namespace nw::cli
