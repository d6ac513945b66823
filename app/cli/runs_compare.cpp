// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <set>

#include "app/cli/diff_text.hpp"
#include "app/cli/runs_commands.hpp"

namespace nw::cli {
namespace {

constexpr std::size_t most_runs = 64;

struct CompareOptions {
  std::vector<std::string> folders;
  bool all = false, json = false;
};

struct Compared {
  std::vector<RunRecord> records;
  std::vector<GraphDoc> documents;
};

Result<Compared> load(const std::vector<std::string>& folders) {
  if (folders.size() < 2 || folders.size() > most_runs)
    return fail(Errc::usage, NW_TR("runs compare takes 2 to {0} run folders, not {1}"), most_runs, folders.size());
  Compared c;
  for (const std::string& folder : folders) {
    NW_ASSIGN(RunRecord record, record_in(folder));
    NW_ASSIGN(RunDefinition definition, read_run_definition(folder));
    c.records.push_back(std::move(record));
    c.documents.push_back(std::move(definition.doc));
  }
  return c;
}

/// What makes no difference between two runs: their names and where and when they were.
bool is_identity(std::string_view field) {
  for (const std::string_view name : {"run", "folder", "created", "time", "notes"})
    if (field == name) return true;
  return false;
}

/// Fields and settings in which the runs differ; with `all`, also those in which they do not.
std::vector<std::string> compared_names(const std::vector<RunRecord>& runs, bool all) {
  std::vector<std::string> names;
  for (const RunField& f : run_fields()) names.emplace_back(f.name);
  std::set<std::string> settings;
  for (const RunRecord& r : runs)
    for (const RecordedSetting& s : r.settings) settings.insert(s.name);
  names.insert(names.end(), settings.begin(), settings.end());
  std::erase_if(names, [&](const std::string& name) {
    const auto same = [&](const RunRecord& r) { return field_value(r, name) == field_value(runs[0], name); };
    return !all && (is_identity(name) || std::all_of(runs.begin(), runs.end(), same));
  });
  return names;
}

std::vector<GraphDiff> network_changes(const std::vector<GraphDoc>& documents) {
  std::vector<GraphDiff> changes;
  for (std::size_t i = 1; i < documents.size(); ++i) {
    changes.push_back(diff(documents[0], documents[i]));
    changes.back().data.clear();  // these are among the settings
    changes.back().settings.clear();
  }
  return changes;
}

Json comparison_json(const Compared& c, const std::vector<std::string>& names) {
  Json runs = Json::array(), differences = Json::object(), networks = Json::array();
  for (const RunRecord& r : c.records) runs.push_back(r.summary.folder.string());
  for (const std::string& name : names) {
    Json& values = differences[name] = Json::array();
    for (const RunRecord& r : c.records) values.push_back(value_json(r, name));
  }
  for (const GraphDiff& d : network_changes(c.documents)) networks.push_back(diff_json(d));
  return {{"schema", 1}, {"runs", runs}, {"values", differences}, {"networks", networks}};
}

void print_networks(const Compared& c) {
  const auto changes = network_changes(c.documents);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].empty()) continue;
    print("");
    print(fmt::format("network of {}, compared with that of {}:", c.records[i + 1].title(), c.records[0].title()));
    print_diff(changes[i]);
  }
}

void print_table(const std::vector<RunRecord>& runs, const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> rows = {{""}};
  for (const RunRecord& r : runs) rows[0].push_back(r.title());
  for (const std::string& name : names) {
    auto& row = rows.emplace_back(std::vector<std::string>{name});
    for (const RunRecord& r : runs) row.push_back(value_text(r, name));
  }
  print_lines(table(rows));
}

int compare(const CompareOptions& o) {
  const auto compared = load(o.folders);
  if (!compared) return report(compared.error());
  const auto names = compared_names(compared->records, o.all);
  if (o.json) {
    print(comparison_json(*compared, names).dump(-1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  if (names.empty())
    print("no difference in settings, data and results");
  else
    print_table(compared->records, names);
  print_networks(*compared);
  return 0;
}

}  // namespace

void add_runs_compare(CLI::App& runs, Chosen& chosen) {
  auto* command = runs.add_subcommand("compare", "Show what differs between runs: settings, data, network, results");
  auto o = std::make_shared<CompareOptions>();
  command->add_option("RUN_DIR", o->folders, "Folders of the runs, two or more")->required();
  command->add_flag("--all", o->all, "Print what is the same too");
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer("Example: netwright-cli runs compare RUN_DIR OTHER_RUN_DIR");
  command->callback([=, &chosen] { chosen = [o] { return compare(*o); }; });
}

}  // namespace nw::cli
