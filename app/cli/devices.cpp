// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/backend/device_search.hpp"
#include "engine/core/text_json.hpp"
#include "engine/monitor/monitor.hpp"
#include "engine/scaling/devices.hpp"
#include "kernels/instruction_sets.hpp"

namespace nw::cli {
namespace {

Json instruction_sets() {
  Json all = Json::array();
  for (const InstructionSetInfo& set : cpu_instruction_sets())
    all.push_back({{"name", set.name}, {"usable", set.usable}, {"used", set.used}});
  return all;
}

Json object_of(const DeviceInfo& d) {
  return {{"name", d.name},     {"description", d.description}, {"memory_bytes", d.memory_bytes},
          {"usable", d.usable}, {"why_not", d.why_not.str()},   {"why", to_json(d.why_not)}};
}

/// What the processor's kernels may use, and with `measure` what one thread of it reaches.
void print_processor(bool measure, bool json) {
  Json all{{"type", "processor"}, {"instruction_sets", instruction_sets()}};
  std::string text;
  for (const InstructionSetInfo& set : cpu_instruction_sets())
    text += (text.empty() ? "" : ", ") + set.name + (set.used ? " (used)" : set.usable ? "" : " (not there)");
  if (measure) {
    const scaling::DeviceFigures figures = scaling::processor_figures(*cpu_backend().devices().front());
    all["flops"] = figures.fp32;
    all["memory_bytes_per_s"] = figures.memory_bytes_per_s;
    text += fmt::format("; one thread: {:.0f} GFLOP/s, {}/s of memory", figures.fp32 / 1e9,
                        bytes_text(static_cast<std::int64_t>(figures.memory_bytes_per_s)));
  }
  print(json ? all.dump() : "         " + text);
}

int print_devices(bool measure, bool json) {
  for (const DeviceInfo& d : list_devices()) {
    if (json)
      print(object_of(d).dump());
    else
      print(fmt::format("{:<8} {}, {}{}", d.name, d.description, bytes_text(d.memory_bytes),
                        d.usable ? "" : " (not usable: " + d.why_not.str() + ")"));
    if (d.name == "cpu") print_processor(measure, json);
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
  auto json = std::make_shared<bool>(false), measure = std::make_shared<bool>(false);
  command->add_flag("--measure", *measure, "Measure what one thread of the processor reaches, in about 50 ms");
  command->add_flag("--json", *json, "Print JSON lines");
  command->callback([=, &chosen] { chosen = [=] { return print_devices(*measure, *json); }; });
}

}  // namespace nw::cli
