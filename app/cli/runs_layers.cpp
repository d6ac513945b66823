// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/runs_commands.hpp"

namespace nw::cli {
namespace {

struct LayersOptions {
  std::string folder;
  bool json = false;
};

std::string figure(double v, bool known) { return known ? fmt::format("{:.3g}", v) : ""; }

/// Prints the last layer statistics as a table; with --json all of them.
int layers(const LayersOptions& o) {
  const auto definition = read_run_definition(o.folder);
  if (!definition) return report(definition.error());
  const StatisticsHistory history = read_statistics(o.folder);
  if (!history.problem.empty()) note(history.problem.str());
  if (history.records.empty())
    return report(fail(Errc::bad_input, NW_TR("{0} holds no statistics of its layers"), o.folder));
  for (const LayerStatistics& s : history.records)
    if (o.json) print(to_json(s).dump());
  if (o.json) return 0;
  const LayerStatistics& last = history.records.back();
  std::vector<std::vector<std::string>> rows = {
      {"layer", "gradient norm", "greatest", "weight norm", "update ratio", "dead units"}};
  for (const LayerState& l : last.layers)
    rows.push_back({l.layer, figure(l.gradients.norm, l.gradients.count > 0),
                    figure(l.gradients.max_abs(), l.gradients.count > 0), figure(l.weights.norm, l.weights.count > 0),
                    figure(l.update_ratio, l.update_ratio >= 0),
                    l.units > 0 ? fmt::format("{} of {}", l.dead, l.units) : ""});
  print_lines(table(rows));
  note(fmt::format("after step {}", with_thousands(last.step)));
  return 0;
}

}  // namespace

void add_runs_layers(CLI::App& runs, Chosen& chosen) {
  auto* command =
      runs.add_subcommand("layers", "Show statistics of a run's layers: gradients, weights, updates, dead units");
  auto o = std::make_shared<LayersOptions>();
  command->add_option("RUN_DIR", o->folder, "The run's folder")->required();
  command->add_flag("--json", o->json, "Print all recorded statistics with histograms as JSON lines");
  command->footer("Example: netwright-cli runs layers RUN_DIR");
  command->callback([=, &chosen] { chosen = [o] { return layers(*o); }; });
}

}  // namespace nw::cli
