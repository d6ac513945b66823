// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include "app/cli/runs_commands.hpp"

namespace nw::cli {
namespace {

struct ListOptions {
  RunChoice choice;
  std::string sort;
  std::vector<std::string> columns;
  std::size_t limit = 0;
  bool json = false, fields = false;
};

std::string share(const RunSummary& r, double v) {
  return std::isnan(v) ? "" : r.metric == Metric::r2 ? fmt::format("R² {:.4f}", v) : percent(v);
}

Json json_of(const RunRecord& record) {
  const RunSummary& r = record.summary;
  return {{"folder", r.folder.string()},
          {"name", r.name},
          {"title", record.title()},
          {"tags", record.notes.tags},
          {"parent", record.parent},
          {"device", r.device},
          {"status", name_of(r.status)},
          {"created", r.created},
          {"wall_s", r.wall_s},
          {"epochs", r.epochs},
          {"epochs_done", r.epochs_done},
          {"steps", r.steps},
          {"parameters", r.parameters},
          {"metric", name_of(r.metric)},
          {"best_accuracy", r.best_accuracy},
          {"last_loss", r.last_loss},
          {"test_accuracy", r.test_accuracy},
          {"can_resume", r.can_resume}};
}

Json chosen_values(const RunRecord& record, const std::vector<std::string>& columns) {
  Json object = {{"folder", record.summary.folder.string()}};
  for (const std::string& column : columns) object[column] = value_json(record, column);
  return object;
}

void print_json(const std::vector<RunRecord>& runs, const std::vector<std::string>& columns) {
  for (const RunRecord& r : runs) {
    const Json line = columns.empty() ? with_old_keys(json_of(r), {{"metric", "measure"}}) : chosen_values(r, columns);
    print(line.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
}

void print_usual_columns(const std::vector<RunRecord>& runs) {
  std::vector<std::vector<std::string>> rows = {{"run", "status", "epochs", "best", "test", "time"}};
  for (const RunRecord& record : runs) {
    const RunSummary& r = record.summary;
    rows.push_back({r.folder.filename().string(), std::string(name_of(r.status)),
                    fmt::format("{}/{}", r.epochs_done, r.epochs), share(r, r.best_accuracy), share(r, r.test_accuracy),
                    duration_text(r.wall_s)});
  }
  print_lines(table(rows));
}

void print_columns(const std::vector<RunRecord>& runs, const std::vector<std::string>& columns) {
  std::vector<std::vector<std::string>> rows = {columns};
  for (const RunRecord& record : runs) {
    auto& row = rows.emplace_back();
    for (const std::string& column : columns) row.push_back(value_text(record, column));
  }
  print_lines(table(rows));
}

int print_fields() {
  std::vector<std::vector<std::string>> rows = {{"field", "meaning"}};
  for (const RunField& f : run_fields()) print(fmt::format("{:<22}{}", f.name, f.help));
  print("every training setting, as in run.json: learning_rate, batch, optimizer, …; those of the data: data.kind, …");
  return 0;
}

int list(const ListOptions& o) {
  if (o.fields) return print_fields();
  auto runs = o.choice.runs();
  if (!runs) return report(runs.error());
  for (const std::string& column : o.columns)
    if (const Status known = check_field_name(column, settings_of(*runs)); !known) return report(known.error());
  if (!o.sort.empty())
    if (const Status sorted = sort_runs(*runs, o.sort); !sorted) return report(sorted.error());
  if (o.limit > 0 && runs->size() > o.limit) runs->resize(o.limit);
  if (o.json)
    print_json(*runs, o.columns);
  else if (o.columns.empty())
    print_usual_columns(*runs);
  else
    print_columns(*runs, o.columns);
  return 0;
}

}  // namespace

void add_runs_list(CLI::App& runs, Chosen& chosen) {
  auto* command = runs.add_subcommand("list", "List runs, newest first");
  auto o = std::make_shared<ListOptions>();
  o->choice.add_to(*command);
  command->add_option("--sort", o->sort, "Sort by a field or setting: FIELD, FIELD:asc or FIELD:desc");
  command->add_option("--columns", o->columns, "Fields and settings to print, separated by commas")->delimiter(',');
  command->add_option("--limit", o->limit, "Print at most so many runs");
  command->add_flag("--fields", o->fields, "Print the fields that conditions, --sort and --columns can name");
  command->add_flag("--json", o->json, "Print JSON lines");
  command->footer("Example: netwright-cli runs list --where 'lenet and learning_rate < 0.1' --sort best_accuracy");
  command->callback([=, &chosen] { chosen = [o] { return list(*o); }; });
}

}  // namespace nw::cli
