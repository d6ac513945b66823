// SPDX-License-Identifier: Apache-2.0
// netwright-cli plan: predicts a training on devices that need not be there.
#include <fmt/format.h>

#include <memory>

#include "app/cli/cli.hpp"
#include "engine/core/enum_names.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/design/precision.hpp"
#include "engine/scaling/planned_device.hpp"
#include "engine/scaling/prediction.hpp"

namespace nw::cli {
namespace {

struct PlanOptions {
  std::string file, data, devices, link, split = "data", precision;
  std::int64_t batch = 0, batch_of_device = 0, micro_batches = 0, images = 0;
  bool json = false;
};

/// The project with what the options change.
Result<GraphDoc> planned_document(const PlanOptions& o) {
  NW_ASSIGN(GraphDoc doc, load_project(o.file));
  NW_TRY(check_data_option(doc, o.data));
  TrainSettings s = doc.settings();
  if (!o.precision.empty()) s.precision = *precision_named(o.precision);
  if (o.batch > 0) s.batch = o.batch;
  NW_ASSIGN(const Edit undo, doc.apply({PutSettings{s}}));
  (void)undo;
  return doc;
}

Json json_of(const scaling::Curve& c, const scaling::Prediction& p) {
  const auto known = [](double v) { return v > 0 ? Json(v) : Json(); };
  return {{"devices", p.devices},
          {"batch", p.batch},
          {"micro_batches", p.micro_batches},
          {"step_s", p.step_s},
          {"images_per_s", p.samples_per_s()},
          {"efficiency", c.efficiency(p)},
          {"products_s", p.work.products_s},
          {"memory_s", p.work.memory_s},
          {"starts_s", p.work.starts_s},
          {"link_s", p.link_s},
          {"waiting_s", p.waiting_s},
          {"exchange_s", p.exchange_s},
          {"bubble", p.bubble},
          {"bound", scaling::name_of(p.bound())},
          {"memory_bytes", p.memory_bytes},
          {"fits", p.fits},
          {"epoch_s", known(c.epoch_s(p))},
          {"epoch_energy_j", known(c.epoch_energy_j(p))}};
}

void say_json(const scaling::Curve& c, const scaling::Setup& setup) {
  Json points = Json::array();
  for (const scaling::Prediction& p : c.points) points.push_back(json_of(c, p));
  print(Json{{"schema", 1},
             {"device", setup.device.name},
             {"link", setup.link.name},
             {"parallel", scaling::name_of(setup.split)},
             {"limit", scaling::limit_of(c).str()},
             {"curve", points}}
            .dump());
}

std::string in_milliseconds(double seconds) { return fmt::format("{:.4g} ms", 1000 * seconds); }

void say_table(const scaling::Curve& c, const scaling::Setup& setup) {
  std::vector<std::vector<std::string>> rows = {{"devices", "batch", "step", "images/s", "efficiency", "link", "bubble",
                                                 "memory of a device", "epoch", "energy of an epoch"}};
  for (const scaling::Prediction& p : c.points)
    rows.push_back({std::to_string(p.devices), with_thousands(p.batch), in_milliseconds(p.step_s),
                    fmt::format("{:.0f}", p.samples_per_s()), percent(c.efficiency(p)), in_milliseconds(p.link_s),
                    p.bubble > 0 ? percent(p.bubble) : "", bytes_text(p.memory_bytes) + (p.fits ? "" : " (too much)"),
                    c.epoch_s(p) > 0 ? duration_text(c.epoch_s(p)) : "",
                    c.epoch_energy_j(p) > 0 ? fmt::format("{:.3g} Wh", c.epoch_energy_j(p) / 3600) : ""});
  print_lines(table(rows));
  print(fmt::format("{}, {}: {}", setup.device.name, setup.link.name, scaling::limit_of(c).str()));
  print("predicted from published figures; docs/performance.md has how far such predictions were off");
}

int plan(const PlanOptions& o) {
  const auto count = scaling::read_device_count(o.devices);
  if (!count) return report(count.error());
  const auto device = scaling::planned_device(count->name);
  if (!device) return report(device.error());
  const auto link = scaling::find_link(o.link, device->figures);
  if (!link) return report(link.error());
  const auto doc = planned_document(o);
  if (!doc) return report(doc.error());
  DataFacts facts = data_facts(*doc, o.data);
  if (o.images > 0) facts.train = o.images;
  const scaling::Setup setup{.device = device->figures,
                             .compiled_for = device->device.get(),
                             .link = *link,
                             .split = *named<scaling::Split>(o.split),
                             .micro_batches = o.micro_batches,
                             .batch_of_device = o.batch_of_device};
  const auto curve = scaling::predict_curve(*doc, facts, setup, count->count);
  if (!curve) return report(curve.error());
  o.json ? say_json(*curve, setup) : say_table(*curve, setup);
  return 0;
}

}  // namespace

void add_plan(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "plan", "Predict a training on other devices: time of a step, memory, communication, energy, efficiency");
  auto o = std::make_shared<PlanOptions>();
  const CLI::Range counts(std::int64_t{1}, std::int64_t{1} << 20);
  command->add_option("FILE", o->file, "Project file, or a template's name")->required();
  command->add_option("--devices", o->devices, "Number and kind: 8xH100, A100, 2xcpu (threads of this computer)")
      ->required();
  command->add_option("--link", o->link,
                      "What connects them: nvlink, pcie4, pcie5, infiniband, ethernet1, ethernet10, ethernet100, "
                      "memory; default: the usual one of the device");
  command
      ->add_option("--parallel", o->split,
                   "data: each device computes a part of the batch; model: a stage of the network; sharded: a part "
                   "of the batch, and it holds a part of the optimizer's state")
      ->check(CLI::IsMember({"data", "model", "sharded"}));
  command->add_option("--precision", o->precision, "Number format of the network's arithmetic")
      ->check(CLI::IsMember({"fp32", "bf16", "fp16", "tf32"}));
  auto* batch = command->add_option("--batch", o->batch, "Images per step, over all devices")->check(counts);
  command->add_option("--batch-per-device", o->batch_of_device, "Images per step on each device")
      ->check(counts)
      ->excludes(batch);
  command
      ->add_option("--micro-batches", o->micro_batches,
                   "With --parallel model: parts of the batch; default: the project's, or four for each device")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 16));
  command->add_option("--data", o->data, "Folder or file of the data set");
  command->add_option("--images", o->images, "Training images of an epoch; default: those of the data")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command->add_flag("--json", o->json, "Print one JSON object: the curve over 1, 2, 4, … devices");
  command->footer(
      "Example: netwright-cli plan resnet50 --devices 8xH100 --link nvlink --parallel data --precision bf16");
  command->callback([=, &chosen] { chosen = [o] { return plan(*o); }; });
}

}  // namespace nw::cli
