// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <ctime>
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/core/what_is_there.hpp"

namespace nw::cli {
namespace {

struct RunsOptions {
  std::string folder;
  bool json = false;
};

std::string share(const RunSummary& r, double v) {
  return std::isnan(v) ? "" : r.metric == Metric::r2 ? fmt::format("R² {:.4f}", v) : percent(v);
}

Json json_of(const RunSummary& r) {
  return {{"folder", r.folder.string()},
          {"name", r.name},
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

int list(const RunsOptions& o) {
  const fs::path folder = o.folder.empty() ? runs_folder() : fs::path(o.folder);
  if (!o.folder.empty())
    if (const Status there = check_folder(folder); !there) return report(there.error());
  std::vector<std::vector<std::string>> rows = {{"run", "status", "epochs", "best", "test", "time"}};
  for (const RunSummary& r : list_runs(folder)) {
    if (o.json)
      print(with_old_keys(json_of(r), {{"metric", "measure"}}).dump(-1, ' ', false, Json::error_handler_t::replace));
    rows.push_back({r.folder.filename().string(), std::string(name_of(r.status)),
                    fmt::format("{}/{}", r.epochs_done, r.epochs), share(r, r.best_accuracy), share(r, r.test_accuracy),
                    duration_text(r.wall_s)});
  }
  if (!o.json) print_lines(table(rows));
  return 0;
}

std::string figure(double v, bool known) { return known ? fmt::format("{:.3g}", v) : ""; }

/// Prints the last layer statistics as a table; with --json all of them.
int layers(const RunsOptions& o) {
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

void add_runs(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("runs", "What has been trained");
  auto* listing = command->add_subcommand("list", "List run folders, newest first");
  command->require_subcommand(1);
  auto o = std::make_shared<RunsOptions>();
  listing->add_option("DIR", o->folder, "Folder of runs; default: NETWRIGHT_RUNS, else the user's data folder");
  listing->add_flag("--json", o->json, "Print JSON lines");
  listing->footer("Example: netwright-cli runs list");
  listing->callback([=, &chosen] { chosen = [o] { return list(*o); }; });
  auto* standing =
      command->add_subcommand("layers", "Show statistics of a run's layers: gradients, weights, updates, dead units");
  standing->add_option("RUN_DIR", o->folder, "The run's folder")->required();
  standing->add_flag("--json", o->json, "Print all recorded statistics with histograms as JSON lines");
  standing->footer("Example: netwright-cli runs layers RUN_DIR");
  standing->callback([=, &chosen] { chosen = [o] { return layers(*o); }; });
}

}  // namespace nw::cli
