// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/design/graph_diff.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::cli {
namespace {

struct DiffOptions {
  std::string before, after;
  bool json = false;
};

/// A project file, a template's name, or a run folder.
Result<GraphDoc> load(const std::string& what) {
  std::error_code ignored;
  if (!fs::is_directory(what, ignored)) return load_project(what);
  NW_ASSIGN(RunDefinition run, read_run_definition(what));
  return std::move(run.doc);
}

Json json_of(const std::vector<FieldChange>& fields) {
  Json list = Json::array();
  for (const FieldChange& f : fields) list.push_back({{"field", f.field}, {"before", f.before}, {"after", f.after}});
  return list;
}

Json json_of(const GraphDiff& d) {
  Json nodes = Json::array(), wires = Json::array();
  for (const NodeChange& n : d.nodes)
    nodes.push_back({{"change", name_of(n.kind)},
                     {"scope", n.scope},
                     {"name", n.name},
                     {"type", n.type},
                     {"fields", json_of(n.fields)}});
  for (const ConnectionChange& w : d.wires)
    wires.push_back({{"change", name_of(w.kind)},
                     {"scope", w.scope},
                     {"from", w.from},
                     {"from_port", w.from_port},
                     {"to", w.to},
                     {"to_port", w.to_port}});
  return {{"schema", 1},          {"same", d.empty()},       {"layers", nodes},
          {"connections", wires}, {"data", json_of(d.data)}, {"settings", json_of(d.settings)}};
}

char sign(ChangeKind kind) { return kind == ChangeKind::added ? '+' : kind == ChangeKind::removed ? '-' : '~'; }
std::string inside(const std::string& scope, const std::string& name) {
  return scope.empty() ? name : name.empty() ? scope : scope + "/" + name;
}

void print_fields(const std::vector<FieldChange>& fields, const std::string& before_name) {
  for (const FieldChange& f : fields)
    print(fmt::format("{}{}: {} -> {}", before_name, f.field, f.before.empty() ? "(none)" : f.before,
                      f.after.empty() ? "(none)" : f.after));
}

void print_text(const GraphDiff& d) {
  if (d.empty()) return print("no difference");
  for (const NodeChange& n : d.nodes) {
    print(fmt::format("{} {} {}", sign(n.kind), n.type, inside(n.scope, n.name)));
    print_fields(n.fields, "    ");
  }
  for (const ConnectionChange& w : d.wires)
    print(fmt::format("{} {} -> {}", sign(w.kind), inside(w.scope, w.from), inside(w.scope, w.to)));
  print_fields(d.data, "~ data ");
  print_fields(d.settings, "~ training ");
}

int show(const DiffOptions& o) {
  const auto before = load(o.before);
  if (!before) return report(before.error());
  const auto after = load(o.after);
  if (!after) return report(after.error());
  const GraphDiff d = diff(*before, *after);
  if (o.json)
    print(json_of(d).dump());
  else
    print_text(d);
  return 0;
}

}  // namespace

void add_diff(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "diff", "List the differences between two projects or runs: layers, connections, data, training settings");
  auto o = std::make_shared<DiffOptions>();
  command->add_option("BEFORE", o->before, "Project file, template's name or run folder")->required();
  command->add_option("AFTER", o->after, "The other one")->required();
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer("Example: netwright-cli diff lenet5.netwright runs/2026-11-21-lenet5-a7");
  command->callback([=, &chosen] { chosen = [o] { return show(*o); }; });
}

}  // namespace nw::cli
