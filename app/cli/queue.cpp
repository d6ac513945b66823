// SPDX-License-Identifier: Apache-2.0
// netwright-cli queue: trainings that wait for their turn and for free devices.
#include "app/cli/queue_commands.hpp"

namespace nw::cli {

void add_queue_option(CLI::App& command, std::string& folder) {
  command.add_option("--queue", folder, "Folder of the queue; default: $NETWRIGHT_QUEUE, or your own queue");
}

fs::path queue_folder_of(const std::string& option) {
  std::error_code ignored;
  return fs::absolute(option.empty() ? queue::queue_folder() : fs::path(option), ignored).lexically_normal();
}

void add_queue(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("queue", "Train one project after another, on devices as they become free");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  netwright-cli queue add train lenet5 --epochs 10\n"
      "  netwright-cli queue add --device any:2 --priority 5 train resnet.netwright --seed 3\n"
      "  netwright-cli queue list\n"
      "  netwright-cli queue move 3 --first");
  for (const auto add : {add_queue_add, add_queue_list, add_queue_changes, add_queue_start, add_queue_autostart})
    add(*command, chosen);
}

}  // namespace nw::cli
