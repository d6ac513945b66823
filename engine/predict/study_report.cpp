// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/predict/report_parts.hpp"
#include "engine/predict/report_training.hpp"
#include "engine/search/journal.hpp"

namespace nw::predicting {
namespace {

using StudyRows = std::vector<std::vector<std::string>>;

constexpr std::size_t most_trial_rows = 1000;

std::string json_text(const Json& value) {
  return escaped(value.is_string() ? value.get<std::string>()
                                   : value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string objectives_text(const search::StudyDefinition& d) {
  std::string all;
  for (const search::Objective& o : d.objectives) all += (all.empty() ? "" : ", ") + escaped(search::to_text(o));
  return all;
}

/// The first objective of a trial: its own, or that of its last report; NaN: none.
double value_of(const search::Trial& t) {
  if (!t.values.empty()) return t.values.front();
  const auto last = search::last_report(t);
  return last ? last->value : std::numeric_limits<double>::quiet_NaN();
}

std::string number_text(double v) { return std::isfinite(v) ? fmt::format("{:.6g}", v) : "–"; }

std::string origin_table(const search::Study& s) {
  const search::StudyDefinition& d = s.definition();
  return table_of({{words("Project"), escaped(d.name)},
                   {words("Objectives"), objectives_text(d)},
                   {words("Sampler"), escaped(d.sampler)},
                   {words("Pruner"), escaped(d.pruner)},
                   {words("Epochs of a trial"), std::to_string(d.epochs)},
                   {words("Seed"), std::to_string(d.seed)},
                   {words("Trials"), fmt::format("{} / {}", s.trials().size(), s.wanted())},
                   {words("Hash of the project"), hex(d.project)}},
                  "origin");
}

std::string space_table(const search::Space& space) {
  StudyRows rows{{words("Field"), words("Range")}};
  for (const search::Parameter& p : space.parameters) {
    std::string range = fmt::format("{:g} – {:g}{}", p.low, p.high, p.log ? " (log)" : "");
    if (p.kind == search::Parameter::Kind::choice) {
      range.clear();
      for (const Json& value : p.values) range += (range.empty() ? "" : ", ") + json_text(value);
    }
    rows.push_back({escaped(p.name), range});
  }
  return fmt::format("<h2>{}</h2>\n", words("Searched fields")) + table_of(rows, "settings");
}

/// The best value after each trial; empty where the study has no single best one.
std::string best_curve(const search::Study& s) {
  if (s.definition().objectives.size() != 1) return {};
  const search::Objective& o = s.definition().objectives.front();
  DrawnCurve each{.name = "Trial", .colour = 1, .translated = true}, best{.name = "Best so far", .translated = true};
  double found = std::numeric_limits<double>::quiet_NaN();
  for (const search::Trial& t : s.trials()) {
    const double value = value_of(t);
    if (!std::isfinite(value)) continue;
    if (!std::isfinite(found) || search::as_loss(o, value) < search::as_loss(o, found)) found = value;
    best.x.push_back(static_cast<double>(t.number));
    best.y.push_back(found);
    each.x.push_back(static_cast<double>(t.number));
    each.y.push_back(value);
  }
  if (best.x.empty()) return {};
  const auto [low, high] = std::minmax_element(each.y.begin(), each.y.end());
  const AxisRange x{0, std::max(1.0, best.x.back())}, y{*low, *high > *low ? *high : *low + 1};
  each.dashed = true;
  return fmt::format("<h2>{}</h2>\n<div class=\"drawings\">", words("Search")) +
         drawing("Best so far", "Trial", o.metric, {each, best}, x, y) + "</div>\n";
}

/// The best trials first; trials without a value last.
std::string trial_table(const search::Study& s) {
  const search::StudyDefinition& d = s.definition();
  std::vector<const search::Trial*> order;
  for (const search::Trial& t : s.trials()) order.push_back(&t);
  const auto loss = [&](const search::Trial* t) {
    const double value = value_of(*t);
    return std::isfinite(value) ? search::as_loss(d.objectives.front(), value)
                                : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(order.begin(), order.end(), [&](auto* a, auto* b) { return loss(a) < loss(b); });
  StudyRows rows{{words("Trial"), words("Status")}};
  for (const search::Objective& o : d.objectives) rows[0].push_back(escaped(o.metric));
  for (const search::Parameter& p : d.space.parameters) rows[0].push_back(escaped(p.name));
  for (const search::Trial* t : order) {
    if (rows.size() > most_trial_rows) break;
    std::vector<std::string> row{std::to_string(t->number), words(name_of(t->state))};
    for (std::size_t i = 0; i < d.objectives.size(); ++i)
      row.push_back(i < t->values.size() ? number_text(t->values[i]) : i == 0 ? number_text(value_of(*t)) : "–");
    const Json point = search::point_to_json(d.space, t->point);
    for (const search::Parameter& p : d.space.parameters)
      row.push_back(point.contains(p.name) ? json_text(point[p.name]) : "–");
    rows.push_back(std::move(row));
  }
  return fmt::format("<h2>{}</h2>\n", words("Trials")) + table_of(rows, "trials");
}

/// Of the best trial: what it found, the spread over seeds, its network and its settings.
std::string best_part(const search::Study& s, const fs::path& folder) {
  const search::Trial* best = s.best();
  if (!best) return {};
  std::string out = fmt::format("<h2>{} {}</h2>\n<p><b>{}</b></p>\n", words("Best trial"), best->number,
                                number_text(value_of(*best)));
  if (const search::Spread spread = search::spread_of(s.repeats(), best->number); spread.runs > 0)
    out += fmt::format("<p>{}: {:.6g} ± {:.2g} ({:.6g} – {:.6g})</p>\n", words("With other seeds"), spread.mean,
                       spread.deviation, spread.low, spread.high);
  const auto run = read_run_definition(folder / best->run);
  return run ? out + network_drawing(*run) + data_table(*run) + settings_table(*run) : out;
}

}  // namespace

Result<std::string> study_page(const fs::path& folder, PageLanguage language) {
  NW_ASSIGN(const search::Study study, search::read_study(folder));
  const std::string title = folder.filename().string();
  return page_head(title, language == PageLanguage::chinese) +
         fmt::format("<h1>{}</h1>\n<p class=\"muted\">{}</p>\n", escaped(title), words("Report of a study")) +
         origin_table(study) + best_curve(study) + space_table(study.definition().space) + trial_table(study) +
         best_part(study, folder) + "</main>\n</body>\n</html>\n";
}

}  // namespace nw::predicting
