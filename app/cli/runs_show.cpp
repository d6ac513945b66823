// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include "app/cli/runs_commands.hpp"
#include "engine/runs/pause.hpp"

namespace nw::cli {
namespace {

struct ShowOptions {
  std::string folder;
  bool json = false;
};

Json epochs_json(const RunSummary& summary) {
  Json list = Json::array();
  for (const EpochFigures& e : summary.history)
    list.push_back({{"epoch", e.epoch},
                    {"train_loss", e.train_loss},
                    {"train_accuracy", e.train_accuracy},
                    {"validation_loss", e.validation_loss},
                    {"validation_accuracy", e.validation_accuracy},
                    {"learning_rate", e.learning_rate}});
  return list;
}

Json checkpoints_json(const fs::path& run) {
  Json list = Json::array();
  for (const CheckpointName& c : list_checkpoints(run)) list.push_back(c.name);
  return list;
}

/// Null: the run is not paused.
Json pause_json(const fs::path& run) {
  const auto pause = pause_of(run);
  if (!pause) return {};
  return {{"step", pause->step}, {"reason", pause->reason.empty() ? Json() : Json(pause->reason.str())}};
}

Json whole_json(const RunRecord& run) {
  Json fields = Json::object(), settings = Json::object();
  for (const RunField& f : run_fields()) fields[std::string(f.name)] = value_json(run, f.name);
  for (const RecordedSetting& s : run.settings) settings[s.name] = value_json(run, s.name);
  return {{"schema", 1},
          {"fields", fields},
          {"settings", settings},
          {"paused", pause_json(run.summary.folder)},
          {"epochs", epochs_json(run.summary)},
          {"checkpoints", checkpoints_json(run.summary.folder)}};
}

void print_epochs(const RunSummary& summary) {
  if (summary.history.empty()) return;
  const auto figure = [](double v) { return std::isfinite(v) ? fmt::format("{:.5g}", v) : std::string(); };
  std::vector<std::vector<std::string>> rows = {
      {"epoch", "train loss", "train accuracy", "validation loss", "validation accuracy", "learning rate"}};
  for (const EpochFigures& e : summary.history)
    rows.push_back({std::to_string(e.epoch), figure(e.train_loss), figure(e.train_accuracy), figure(e.validation_loss),
                    figure(e.validation_accuracy), figure(e.learning_rate)});
  print("");
  print_lines(table(rows));
}

void print_run(const RunRecord& run) {
  for (const RunField& f : run_fields())
    if (const std::string text = value_text(run, f.name); !text.empty()) print(fmt::format("{:<22}{}", f.name, text));
  if (const auto pause = pause_of(run.summary.folder))
    print(fmt::format("{:<22}{}", "paused", pause->reason.empty() ? "by a command" : pause->reason.str()));
  print("");
  for (const RecordedSetting& s : run.settings) print(fmt::format("{:<30}{}", s.name, s.value));
  print_epochs(run.summary);
  for (const CheckpointName& c : list_checkpoints(run.summary.folder)) print("checkpoint            " + c.name);
}

int show(const ShowOptions& o) {
  const auto run = record_in(o.folder);
  if (!run) return report(run.error());
  if (o.json)
    print(whole_json(*run).dump(-1, ' ', false, Json::error_handler_t::replace));
  else
    print_run(*run);
  return 0;
}

}  // namespace

void add_runs_show(CLI::App& runs, Chosen& chosen) {
  auto* command = runs.add_subcommand("show", "Show a run: results, settings, epochs, checkpoints");
  auto o = std::make_shared<ShowOptions>();
  command->add_option("RUN_DIR", o->folder, "The run's folder")->required();
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer("Example: netwright-cli runs show RUN_DIR");
  command->callback([=, &chosen] { chosen = [o] { return show(*o); }; });
}

}  // namespace nw::cli
