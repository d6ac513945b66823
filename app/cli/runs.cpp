// SPDX-License-Identifier: Apache-2.0
#include <ctime>
#include <memory>

#include "app/cli/cli.hpp"

namespace nw::cli {
namespace {

struct Options { std::string folder; bool json = false; };

std::string share(double v) { return v < 0 ? "" : percent(v); }

Json json_of(const RunSummary& r) {
  return {{"folder", r.folder.string()}, {"name", r.name}, {"device", r.device}, {"status", name_of(r.status)}, {"created", r.created}, {"wall_s", r.wall_s},
          {"epochs", r.epochs}, {"epochs_done", r.epochs_done}, {"steps", r.steps}, {"parameters", r.parameters}, {"best_accuracy", r.best_accuracy},
          {"last_loss", r.last_loss}, {"test_accuracy", r.test_accuracy}, {"can_resume", r.can_resume}};
}

int list(const Options& o) {
  const fs::path folder = o.folder.empty() ? runs_folder() : fs::path(o.folder);
  std::vector<std::vector<std::string>> rows = {{"run", "status", "epochs", "best", "test", "time"}};
  for (const RunSummary& r : list_runs(folder)) {
    if (o.json) print(json_of(r).dump(-1, ' ', false, Json::error_handler_t::replace));
    rows.push_back({r.folder.filename().string(), std::string(name_of(r.status)), fmt::format("{}/{}", r.epochs_done, r.epochs), share(r.best_accuracy),
                    share(r.test_accuracy), duration_text(r.wall_s)});
  }
  if (!o.json) print(table(rows));
  return 0;
}

}  // namespace

void add_runs(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("runs", "What has been trained");
  auto* listing = command->add_subcommand("list", "List run folders, newest first");
  command->require_subcommand(1);
  auto o = std::make_shared<Options>();
  listing->add_option("DIR", o->folder, "Folder of runs; without it NETWRIGHT_RUNS or your data folder");
  listing->add_flag("--json", o->json, "One JSON object a line");
  listing->footer("Example: netwright-cli runs list");
  listing->callback([=, &chosen] { chosen = [o] { return list(*o); }; });
}

}  // namespace nw::cli
