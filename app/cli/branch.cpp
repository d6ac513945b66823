// SPDX-License-Identifier: Apache-2.0
// netwright-cli branch RUN_DIR: a new run from another run's checkpoint.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/train/branch.hpp"

namespace nw::cli {
namespace {

struct BranchOptions {
  std::string parent, run, project, device, from = "latest";
  std::vector<std::string> settings;
  bool plan_only = false;
  double disk_wait_s = TrainRequest().disk_wait_s;
  TrainOutput output;
};

std::string shape_words(const std::vector<std::int64_t>& sizes) {
  std::string all;
  for (const std::int64_t n : sizes) all += (all.empty() ? "" : "×") + std::to_string(n);
  return all.empty() ? "–" : all;
}

/// A row for each weight: its name, its shape, and what becomes of it.
void say_weights(const Branch& b) {
  std::size_t longest = 0;
  for (const CarriedWeight& w : b.weights) longest = std::max(longest, w.name.size());
  for (const CarriedWeight& w : b.weights) {
    const std::string fate = w.carried()           ? "carried over"
                             : w.in_parent.empty() ? "begins anew: the parent has no weight of this name"
                                                   : "begins anew: " + shape_words(w.in_parent) + " in the parent";
    note(fmt::format("  {:<{}}  {:<14}  {}", w.name, longest, shape_words(w.shape), fate));
  }
}

int branch(const BranchOptions& o) {
  BranchPlan plan{
      .parent = o.parent, .run = o.run, .from = o.from, .settings = o.settings, .project = {}, .devices = {}};
  if (!o.project.empty()) {
    auto doc = load_project(o.project);
    if (!doc) return report(doc.error());
    plan.project = *std::move(doc);
  }
  if (!o.device.empty()) plan.devices = split_device_list(o.device);
  auto planned = plan_branch(plan);
  if (!planned) return report(planned.error());
  const TrainSettings& s = planned->request.definition.doc.settings();
  if (const auto devices = resolve_devices(s.devices, s.threads); !devices) return report(devices.error());
  note(fmt::format("branch of {} from step {}", planned->request.definition.parent, planned->step));
  if (!planned->same_network || o.plan_only) say_weights(*planned);
  if (!planned->bit_exact) note("this branch trains on other devices than its parent: its numbers are not bit-exact");
  if (o.plan_only) return 0;
  if (o.run.empty()) {
    const auto reserved = reserve_run_folder(runs_folder(), planned->request.definition.name);
    if (!reserved) return report(reserved.error());
    plan.run = planned->request.run = *reserved;
  }
  if (const Status written = write_branch(plan, *planned); !written) return report(written.error());
  planned->request.disk_wait_s = o.disk_wait_s;
  TrainOutput output = o.output;
  output.run = planned->request.run.string();
  return run_training(std::move(planned->request), output, false);
}

}  // namespace

void add_branch(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("branch", "Begin a new run from a checkpoint of another run, with its full state");
  auto o = std::make_shared<BranchOptions>();
  command->add_option("RUN_DIR", o->parent, "The parent's folder; it is only read")->required();
  command->add_option("--from", o->from, "Checkpoint: a step, epoch3 for the end of an epoch, latest or best");
  command
      ->add_option("--set", o->settings,
                   "Change a setting, NAME=VALUE as in project files; frozen.LAYER=1 freezes a layer; may be repeated")
      ->allow_extra_args(false);
  command->add_option(
      "--project", o->project,
      "Project whose network, data and settings are trained; weights are carried over where they match");
  command->add_option("--device", o->device, "Devices to train on; default: those of the parent");
  command->add_option("--run-dir", o->run, "Folder of the new run; default: a new folder among the runs");
  command->add_flag("--plan", o->plan_only, "Only print which weights are carried over");
  command
      ->add_option("--disk-wait", o->disk_wait_s,
                   "Seconds to wait, paused, until a full disk, lack of memory or missing data is mended before the "
                   "run ends; default: no limit")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", o->output.json, "Print events as JSON lines to stdout; the last has type \"ended\"");
  command->add_flag("--quiet,-q", o->output.quiet, "Print results and warnings only");
  command->footer(
      "Examples:\n"
      "  netwright-cli branch RUN_DIR --from 1200\n"
      "  netwright-cli branch RUN_DIR --from epoch3 --set weight_decay=0.01 --set frozen.conv1=1");
  command->callback([=, &chosen] { chosen = [o] { return branch(*o); }; });
}

}  // namespace nw::cli
