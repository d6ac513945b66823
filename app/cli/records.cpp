// SPDX-License-Identifier: Apache-2.0
#include "app/cli/records.hpp"

#include <memory>

#include "app/cli/cli.hpp"

namespace nw::cli {
namespace {

int list_records(bool json) {
  for (const Json& record : all_records()) {
    if (json)
      print(record.dump());
    else
      print(fmt::format("{:<10} {:<20} {}", record["kind"].get<std::string>(), record["name"].get<std::string>(),
                        record["summary"].get<std::string>()));
  }
  return 0;
}

}  // namespace

void add_records(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("records", "List the layers, losses, optimizers and transforms");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json,
                    "Print JSON lines with attributes, ranges, costs and the names in PyTorch and ONNX");
  command->footer("Example: netwright-cli records --json");
  command->callback([=, &chosen] { chosen = [json] { return list_records(*json); }; });
}

}  // namespace nw::cli
