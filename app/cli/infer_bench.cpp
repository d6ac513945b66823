// SPDX-License-Identifier: Apache-2.0
// Speed of prediction, and a comparison of one network on two devices.
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/predict/device_comparison.hpp"

namespace nw::cli {
namespace {

struct InferBenchOptions {
  SpeedRequest speed;
  DeviceComparisonRequest twin;
  std::string run, devices = "cpu", report;
  std::vector<std::int64_t> batches{1, 8, 64};
  bool json = false;
};

Json json_of(const InferenceSpeed& s) {
  Json j{{"device", s.device},         {"description", s.description},
         {"threads", s.threads},       {"batch", s.batch},
         {"calls", s.calls},           {"latency_ms", s.latency_ms},
         {"slowest_ms", s.slowest_ms}, {"images_per_s", s.images_per_s}};
  if (s.energy_j >= 0) j["energy_j_per_image"] = s.energy_j;
  return j;
}

int infer_bench(InferBenchOptions o) {
  o.speed.run = o.run;
  o.speed.devices = split_device_list(o.devices);
  o.speed.batches = o.batches;
  const auto all = measure_inference(o.speed);
  if (!all) return report(all.error());
  std::vector<std::vector<std::string>> rows = {
      {"device", "threads", "batch", "median ms", "p99 ms", "images/s", "J/image"}};
  for (const InferenceSpeed& s : *all) {
    if (o.json) print(json_of(s).dump(-1, ' ', false, Json::error_handler_t::replace));
    rows.push_back({s.device, std::to_string(s.threads), std::to_string(s.batch), fmt::format("{:.3f}", s.latency_ms),
                    fmt::format("{:.3f}", s.slowest_ms), fmt::format("{:.0f}", s.images_per_s),
                    s.energy_j < 0 ? "-" : fmt::format("{:.6f}", s.energy_j)});
  }
  if (!o.json) print_lines(table(rows));
  return 0;
}

Json json_of(const DeviceComparison& r) {
  Json layers = Json::array();
  for (const LayerDifference& l : r.layers)
    layers.push_back({{"layer", l.layer},
                      {"largest", l.largest},
                      {"scale", l.scale},
                      {"relative", l.relative()},
                      {"finite", l.finite}});
  const auto side = [](const DeviceResult& s) {
    Json j = json_of(s.speed);
    j["loss"] = s.loss;
    j["accuracy"] = s.accuracy;
    return j;
  };
  return {{"first", side(r.first)},
          {"second", side(r.second)},
          {"images", r.images},
          {"disagreements", r.otherwise},
          {"tolerance", r.tolerance},
          {"layers", layers},
          {"first_diverging_layer",
           r.diverging < 0 ? Json() : Json(r.layers[static_cast<std::size_t>(r.diverging)].layer)}};
}

void print_comparison(const DeviceComparison& r) {
  std::vector<std::vector<std::string>> rows = {{"layer", "largest difference", "largest value", "relative"}};
  for (const LayerDifference& l : r.layers)
    rows.push_back({l.layer, fmt::format("{:.3g}", l.largest), fmt::format("{:.3g}", l.scale),
                    l.finite ? fmt::format("{:.3g}", l.relative()) : "not finite"});
  print_lines(table(rows));
  rows = {{"", "loss", "accuracy", "images/s", "ms a batch", "J/image"}};
  for (const DeviceResult* s : {&r.first, &r.second})
    rows.push_back({s->speed.device, fmt::format("{:.6f}", s->loss), percent(s->accuracy),
                    fmt::format("{:.0f}", s->speed.images_per_s), fmt::format("{:.3f}", s->speed.latency_ms),
                    s->speed.energy_j < 0 ? "-" : fmt::format("{:.6f}", s->speed.energy_j)});
  print_lines(table(rows));
  print(fmt::format("{} of {} images are predicted as another class", with_thousands(r.otherwise),
                    with_thousands(r.images)));
  print(r.diverging < 0 ? fmt::format("no layer differs by more than {:g}", r.tolerance)
                        : fmt::format("the first layer that differs by more than {:g} is {}", r.tolerance,
                                      r.layers[static_cast<std::size_t>(r.diverging)].layer));
}

/// Returns 1 if a layer diverges, so that a script can detect it.
int compare(InferBenchOptions o) {
  const std::vector<std::string> two = split_device_list(o.devices);
  if (two.size() != 2)
    return report(fail(Errc::usage, NW_TR("Two devices are compared, for example --devices cpu,cuda:0; {0} were named"),
                       two.size()));
  o.twin.run = o.run;
  o.twin.first = two[0];
  o.twin.second = two[1];
  const auto r = compare_devices(o.twin);
  if (!r) return report(r.error());
  if (!o.report.empty())
    if (const Status written =
            save_file(o.report, html_report(*r, fs::path(o.run).lexically_normal().filename().string()));
        !written)
      return report(written.error());
  if (o.json)
    print(with_old_keys(json_of(*r), {{"disagreements", "otherwise"}, {"first_diverging_layer", "diverging"}})
              .dump(-1, ' ', false, Json::error_handler_t::replace));
  else
    print_comparison(*r);
  return r->diverging < 0 ? 0 : 1;
}

}  // namespace

void add_infer_bench(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("infer-bench", "Measure inference speed: latency per batch and images per second");
  auto o = std::make_shared<InferBenchOptions>();
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
  command->add_option("--devices", o->devices,
                      "cpu, cuda:0, reference …, separated by commas; cpu@2 is the processor with two threads");
  command->add_option("--batches", o->batches, "Batch sizes, separated by commas")->delimiter(',');
  command->add_option("--checkpoint", o->speed.checkpoint, "latest, best, or a checkpoint's name");
  command->add_option("--seconds", o->speed.seconds, "Seconds of timing for each")->check(CLI::Range(0.01, 3600.0));
  command->add_flag("--json", o->json, "Print JSON lines");
  command->footer("Example: netwright-cli infer-bench RUN_DIR --devices cpu,cuda:0 --batches 1,8,64");
  command->callback([=, &chosen] { chosen = [o] { return infer_bench(*o); }; });
}

void add_compare_devices(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("compare-devices",
                                     "Compare one network on two devices: outputs of each layer, loss, speed, energy");
  auto o = std::make_shared<InferBenchOptions>();
  o->devices = "cpu,reference";
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
  command->add_option("--devices", o->devices, "Two devices: cpu,cuda:0 or cpu@1,cpu@2 or cpu,reference");
  command->add_option("--checkpoint", o->twin.checkpoint, "latest, best, or a checkpoint's name");
  command->add_option("--split", o->twin.split, "Split of the data")
      ->check(CLI::IsMember({"train", "validation", "test"}));
  command->add_option("--images", o->twin.images, "Maximum number of images")->check(CLI::Range(1, 1'000'000));
  command
      ->add_option("--tolerance", o->twin.tolerance,
                   "Tolerance, relative to the largest absolute value of a layer's output")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--seconds", o->twin.seconds, "Seconds of timing for each")->check(CLI::Range(0.01, 3600.0));
  command->add_option("--report", o->report, "Also write the comparison as a report (one HTML file, both languages)");
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer(
      "Example: netwright-cli compare-devices RUN_DIR --devices cpu,cuda:0 --report twin.html\nExit code 1: a layer "
      "diverges");
  command->callback([=, &chosen] { chosen = [o] { return compare(*o); }; });
}

}  // namespace nw::cli
