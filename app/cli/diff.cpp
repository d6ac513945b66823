// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "app/cli/diff_text.hpp"
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

int show(const DiffOptions& o) {
  const auto before = load(o.before);
  if (!before) return report(before.error());
  const auto after = load(o.after);
  if (!after) return report(after.error());
  const GraphDiff d = diff(*before, *after);
  if (o.json)
    print(diff_json(d).dump());
  else
    print_diff(d);
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
