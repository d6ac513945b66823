// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>

#include "app/cli/runs_commands.hpp"
#include "engine/core/what_is_there.hpp"

namespace nw::cli {
namespace {

std::string date_text(double unix_seconds) {
  const std::time_t seconds = static_cast<std::time_t>(unix_seconds);
  std::tm local{};
  if (!localtime_r(&seconds, &local)) return "";
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local));
}

std::string number_text(const RunRecord& run, const RunField* field, double v) {
  switch (field ? field->unit : RunField::Unit::none) {
    case RunField::Unit::fraction:
      return run.summary.metric == Metric::r2 ? fmt::format("R² {:.4f}", v) : percent(v);
    case RunField::Unit::seconds:
      return duration_text(v);
    case RunField::Unit::date:
      return date_text(v);
    case RunField::Unit::count:
      return with_thousands(static_cast<std::int64_t>(v));
    case RunField::Unit::joules:
      return fmt::format("{:.0f} J", v);
    case RunField::Unit::none:
      break;
  }
  return fmt::format("{:.6g}", v);
}

/// Whether the highest value comes first.
Result<bool> descends(const std::string& direction, const RunField* field) {
  if (direction == "asc") return false;
  if (direction == "desc") return true;
  if (!direction.empty())
    return fail(Errc::usage, NW_TR("--sort takes FIELD, FIELD:asc or FIELD:desc, not \"{0}\""),
                direction.substr(0, 80));
  return field && (field->best == RunField::Best::highest || field->unit == RunField::Unit::date);
}

}  // namespace

void RunChoice::add_to(CLI::App& command) {
  command.add_option("DIR", folder, "Folder of runs; default: NETWRIGHT_RUNS, else the user's data folder");
  command.add_option("--where", where,
                     "Only runs that meet a condition: \"best_accuracy > 98% and status = finished\"; a word alone is "
                     "searched in name, project, notes and tags");
}

Result<std::vector<RunRecord>> RunChoice::runs() const {
  if (!folder.empty()) NW_TRY(check_folder(folder));
  NW_ASSIGN(const RunQuery query, RunQuery::parse(where));
  std::vector<RunRecord> all = indexed_runs(folder.empty() ? runs_folder() : fs::path(folder));
  NW_TRY(query.check(settings_of(all)));
  std::erase_if(all, [&](const RunRecord& r) { return !query.matches(r); });
  return all;
}

Result<RunRecord> record_in(const std::string& folder) {
  NW_TRY(check_folder(folder));
  std::error_code error;
  const fs::path run = fs::canonical(folder, error);
  NW_TRY(read_run_definition(folder));  // its problem is the command's error
  return read_run_record(error ? fs::path(folder) : run);
}

Status sort_runs(std::vector<RunRecord>& runs, const std::string& by) {
  const std::size_t colon = by.find(':');
  const std::string name = by.substr(0, colon);
  NW_TRY(check_field_name(name, settings_of(runs)));
  NW_ASSIGN(const bool descending, descends(colon == by.npos ? "" : by.substr(colon + 1), find_run_field(name)));
  std::stable_sort(runs.begin(), runs.end(), [&](const RunRecord& a, const RunRecord& b) {
    const FieldValue x = field_value(a, name), y = field_value(b, name);
    if (x.index() == 0 || y.index() == 0) return x.index() != 0 && y.index() == 0;
    return descending ? is_before(y, x) : is_before(x, y);
  });
  return {};
}

std::string value_text(const RunRecord& run, std::string_view field) {
  const FieldValue value = field_value(run, field);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto* number = std::get_if<double>(&value);
  return number ? number_text(run, find_run_field(field), *number) : "";
}

Json value_json(const RunRecord& run, std::string_view field) {
  const FieldValue value = field_value(run, field);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto* number = std::get_if<double>(&value);
  return number ? Json(*number) : Json();
}

}  // namespace nw::cli
