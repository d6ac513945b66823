// SPDX-License-Identifier: Apache-2.0
// Which GPUs cannot train, and why: queried from the plug-in or, if this process must not load it, from the command
// line.
#include "engine/backend/command_line.hpp"
#include "engine/backend/devices.hpp"
#include "engine/backend/plugin.hpp"

namespace nw {
namespace {

// Maps the name of every GPU listed by `devices --json` to the reason why it cannot train; empty if it can.
std::map<std::string, std::string> gpus_from_command_line() {
  std::map<std::string, std::string> all;
  for (const Json& line : lines_of_command_line({"devices", "--json"})) {
    if (!line.is_object() || !line.contains("name")) continue;  // what was searched for
    JsonReader device(line, "devices");
    const std::string name = device.string("name"), why = device.string_or("why_not", "");
    if (const bool usable = device.boolean_or("usable", false); device.status()) all[name] = usable ? "" : why;
  }
  return all;
}

}  // namespace

std::map<std::string, Text> unusable_gpus(int count) {
  std::map<std::string, Text> all;
  const bool here = loads_plugins();
  const auto reported = here ? std::map<std::string, std::string>{} : gpus_from_command_line();
  for (int i = 0; i < count; ++i) {
    const std::string name = "cuda:" + std::to_string(i);
    if (here) {
      const auto found = resolve_devices({name}, 1);
      if (!found) all[name] = found.error().what;
    } else if (const auto it = reported.find(name); it == reported.end()) {
      all[name] = text(NW_TR("netwright-cli does not report a device {0}"), name);
    } else if (!it->second.empty()) {
      all[name] = text("{0}", it->second);
    }
  }
  return all;
}

}  // namespace nw
