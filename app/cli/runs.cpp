// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runs_commands.hpp"

namespace nw::cli {

void add_runs(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("runs", "What has been trained");
  command->require_subcommand(1);
  add_runs_list(*command, chosen);
  add_runs_show(*command, chosen);
  add_runs_compare(*command, chosen);
  add_runs_layers(*command, chosen);
  add_runs_export(*command, chosen);
  add_runs_report(*command, chosen);
  add_runs_gc(*command, chosen);
}

}  // namespace nw::cli
