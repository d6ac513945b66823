// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/backend/device_search.hpp"
#include "engine/core/text_json.hpp"
#include "engine/monitor/monitor.hpp"

namespace nw::cli {
namespace {

int print_devices(bool json) {
  for (const DeviceInfo& d : list_devices()) {
    if (json)
      print(Json{{"name", d.name},
                 {"description", d.description},
                 {"memory_bytes", d.memory_bytes},
                 {"usable", d.usable},
                 {"why_not", d.why_not.str()},
                 {"why", to_json(d.why_not)}}
                .dump());
    else
      print(fmt::format("{:<8} {}, {}{}", d.name, d.description, bytes_text(d.memory_bytes),
                        d.usable ? "" : " (not usable: " + d.why_not.str() + ")"));
  }
  for (const SearchedPart& part : device_search())
    if (json)
      print(to_json(part).dump());
    else if (part.found() && !part.version.empty())
      print(fmt::format("{} {}, {}", part.title.str(), part.version, part.place));
  for (const Text& missing : missing_for_gpus()) note(missing.str());
  return 0;
}

}  // namespace

void add_devices(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("devices", "List the devices of this computer that can train");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON lines");
  command->callback([=, &chosen] { chosen = [json] { return print_devices(*json); }; });
}

}  // namespace nw::cli
