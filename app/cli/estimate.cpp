// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/train/estimate.hpp"

namespace nw::cli {
namespace {

struct EstimateOptions {
  std::string file, data;
  double seconds = 1;
  bool json = false, plan = false;
};

void say(const MemoryEstimate& m, const Analysis& a, const EstimateOptions& o) {
  Json devices = Json::array();
  for (const DeviceNeed& d : m.devices) {
    devices.push_back({{"name", d.name},
                       {"memory_bytes", d.memory_bytes},
                       {"capacity_bytes", d.there_bytes},
                       {"there_bytes", d.there_bytes}});
    if (d.saved_bytes > 0) devices.back()["saved_bytes"] = d.saved_bytes;
  }
  if (o.json)
    return print(Json{{"schema", 1},
                      {"parameters", a.parameters},
                      {"multiply_adds", a.multiply_adds},
                      {"devices", devices},
                      {"largest_batch", m.largest_batch}}
                     .dump());
  for (const DeviceNeed& d : m.devices)
    print(fmt::format(
        "{}: {} of {} to train{}", d.name, bytes_text(d.memory_bytes), bytes_text(d.there_bytes),
        d.saved_bytes > 0 ? "; other devices keep " + bytes_text(d.saved_bytes) + " of the optimizer's state" : ""));
  print("largest batch that fits: " + with_thousands(m.largest_batch));
}

void say(const SpeedEstimate& s, double open_s, const EstimateOptions& o) {
  if (o.json)
    return print(Json{{"schema", 1},
                      {"images_per_s", s.images_per_s},
                      {"epoch_s", s.epoch_s},
                      {"open_s", open_s},
                      {"train", s.train},
                      {"validation", s.validation}}
                     .dump());
  print(fmt::format("an epoch of {} images: about {}, at {:.0f} images/s", with_thousands(s.train),
                    duration_text(s.epoch_s), s.images_per_s));
}

int estimate(const EstimateOptions& o) {
  const auto doc = load_project(o.file);
  if (!doc) return report(doc.error());
  if (const Status place = check_data_option(*doc, o.data); !place) return report(place.error());
  const auto devices = resolve_devices(doc->settings().devices, doc->settings().threads);
  if (!devices) return report(devices.error());
  const auto begin = std::chrono::steady_clock::now();
  const DataFacts facts = data_facts(*doc, o.data);
  const std::chrono::duration<double> open_s = std::chrono::steady_clock::now() - begin;
  const Analysis a = analyse(*doc, {.device = devices->front().device.get(), .data = facts});
  for (const Problem& p : a.problems)
    if (p.severity == Severity::error) return report(Error{Errc::bad_input, p.what});
  const auto memory =
      o.plan ? Result<MemoryEstimate>(planned_memory(*doc, facts, *devices)) : estimate_memory(*doc, facts, *devices);
  if (!memory) return report(memory.error());
  say(*memory, a, o);
  if (o.seconds <= 0) return 0;
  const auto speed = o.plan ? computed_speed(*doc, facts, o.seconds) : measure_speed(*doc, o.data, o.seconds);
  if (!speed) return report(speed.error());
  say(*speed, open_s.count(), o);
  return 0;
}

}  // namespace

void add_estimate(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("estimate", "Estimate a training: memory per device, largest batch, time per epoch");
  auto o = std::make_shared<EstimateOptions>();
  command->add_option("FILE", o->file, "Project file, or a template's name")->required();
  command->add_option("--data", o->data, "Folder or file of the data set");
  command->add_option("--seconds", o->seconds, "Seconds of training to measure the speed; 0: do not measure")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--plan", o->plan,
                    "Take no step of this network: compute from its plan and from the speed of this computer with a "
                    "small network of Netwright's own");
  command->add_flag("--json", o->json, "Print JSON lines: memory, then speed");
  command->footer("Example: netwright-cli estimate lenet5.netwright");
  command->callback([=, &chosen] { chosen = [o] { return estimate(*o); }; });
}

}  // namespace nw::cli
