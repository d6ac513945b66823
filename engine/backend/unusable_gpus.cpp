// SPDX-License-Identifier: Apache-2.0
// Which GPUs cannot train, and why: queried from the plug-in or, if this process must not load it, from the command
// line.
#include "engine/backend/command_line.hpp"
#include "engine/backend/devices.hpp"
#include "engine/backend/plugin.hpp"
#include "engine/core/text_json.hpp"

namespace nw {
namespace {

constexpr std::int64_t most_memory_bytes = std::int64_t{1} << 50;

std::map<std::string, Text> reasons_of_reported_gpus() {
  std::map<std::string, Text> all;
  for (const ReportedGpu& gpu : reported_gpus()) all[gpu.name] = gpu.why_not;
  return all;
}

}  // namespace

std::vector<ReportedGpu> reported_gpus() {
  std::vector<ReportedGpu> all;
  for (const Json& line : lines_of_command_line({"devices", "--json"})) {
    if (!line.is_object() || !line.contains("name")) continue;  // what was searched for
    JsonReader device(line, "devices");
    ReportedGpu gpu{device.string("name"), device.string_or("description", ""),
                    device.integer_or("memory_bytes", 0, 0, most_memory_bytes),
                    line.contains("why") ? text_in(line["why"]) : Text()};
    const bool usable = device.boolean_or("usable", false);
    if (!device.status() || !gpu.name.starts_with("cuda")) continue;
    if (usable)
      gpu.why_not = {};
    else if (gpu.why_not.empty())
      gpu.why_not = text(NW_TR("netwright-cli gives no reason"));
    all.push_back(std::move(gpu));
  }
  return all;
}

std::map<std::string, Text> unusable_gpus(int count) {
  std::map<std::string, Text> all;
  const bool here = loads_plugins();
  const auto reported = here ? std::map<std::string, Text>{} : reasons_of_reported_gpus();
  for (int i = 0; i < count; ++i) {
    const std::string name = "cuda:" + std::to_string(i);
    if (here) {
      const auto found = resolve_devices({name}, 1);
      if (!found) all[name] = found.error().what;
    } else if (const auto it = reported.find(name); it == reported.end()) {
      all[name] = text(NW_TR("netwright-cli does not report a device {0}"), name);
    } else if (!it->second.empty()) {
      all[name] = it->second;
    }
  }
  return all;
}

}  // namespace nw
