// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/backend/devices.hpp"
#include "engine/backend/message_plugin.hpp"

namespace nw::cli {
namespace {

struct ResumeOptions {
  std::string run, device;
  std::int64_t epochs = 0, stop_after = 0;
  bool verify = false;
  double disk_wait_s = TrainRequest().disk_wait_s;
  TrainOutput output;
};

int verify(const fs::path& run) {
  const auto definition = read_run_definition(run);
  if (!definition) return report(definition.error());
  const auto all = list_checkpoints(run);
  if (all.empty()) return report(fail(Errc::bad_input, NW_TR("{0} holds no complete checkpoint"), run.string()));
  int code = 0;
  for (const CheckpointName& c : all) {
    const Status whole = verify_checkpoint(run, c.name);
    print(c.name + (whole ? ": whole" : ": damaged"));
    if (!whole) code = report(whole.error());
  }
  return code;
}

int resume(const ResumeOptions& o) {
  if (o.verify) return verify(o.run);
  const auto processes = join_processes();
  if (!processes) return report(processes.error());
  TrainRequest request;
  request.processes = processes->get();
  request.run = o.run;
  request.resume = true;
  request.disk_wait_s = o.disk_wait_s;
  request.epochs = o.epochs;
  request.stop_after = o.stop_after;
  if (!o.device.empty()) request.devices = split_device_list(o.device);
  TrainOutput output = o.output;
  follow_first_process(request, output);
  return run_training(std::move(request), output, false);
}

}  // namespace

void add_resume(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("resume", "Resume a run from its last checkpoint, or train it further");
  auto o = std::make_shared<ResumeOptions>();
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
  command->add_option("--device", o->device, "Devices to resume on, such as cpu or cuda:0; default: the run's own");
  command
      ->add_option("--epochs", o->epochs,
                   "Train until this many epochs are done in all, also a run that has finished; must be more than the "
                   "run has trained")
      ->check(CLI::Range(std::int64_t{1}, most_epochs));
  add_stop_after(*command, o->stop_after);
  command->add_flag("--verify", o->verify, "Only verify the checkpoints against their manifests");
  command
      ->add_option("--disk-wait", o->disk_wait_s,
                   "Seconds to wait, paused, until a full disk, lack of memory or missing data is mended before the "
                   "run ends; default: no limit")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", o->output.json, "Print events as JSON lines to stdout; the last has type \"ended\"");
  command->add_flag("--quiet,-q", o->output.quiet, "Print results and warnings only");
  command->footer(
      "Examples:\n"
      "  netwright-cli resume ~/.local/share/netwright/runs/2026-11-21-lenet5-a7\n"
      "  netwright-cli resume runs/2026-11-21-lenet5-a7 --device cpu\n"
      "  netwright-cli resume runs/2026-11-21-lenet5-a7 --epochs 20");
  command->callback([=, &chosen] { chosen = [o] { return resume(*o); }; });
}

}  // namespace nw::cli
