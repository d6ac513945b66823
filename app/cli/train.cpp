// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <optional>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/backend/devices.hpp"
#include "engine/backend/message_plugin.hpp"
#include "engine/core/enum_names.hpp"
#include "engine/data/transforms/transform_text.hpp"
#include "engine/design/precision.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/design/transform.hpp"
#include "engine/runs/teacher_choice.hpp"
#include "engine/train/knobs.hpp"
#include "engine/train/replay.hpp"

namespace nw::cli {
namespace {

struct TrainOptions {
  std::string file, data, device, precision, run, weights, teacher;
  std::string replayed;
  std::vector<std::string> transforms, settings;
  std::string parallel, pipeline;
  std::optional<std::int64_t> epochs, batch, threads, micro_batches;
  std::optional<std::int32_t> stages;
  std::optional<double> rate, validation, temperature, teacher_weight;
  std::optional<std::uint64_t> seed;
  bool shared_batch_norm = false, own_batch_norm = false;
  std::int64_t stop_after = 0;
  double disk_wait_s = TrainRequest().disk_wait_s;
  std::int64_t probes = 32;
  bool profile = false;
  std::int64_t statistics_steps = -1;
  TrainOutput output;
};

Status put_transforms(TrainSettings& s, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  if (words.size() > most_transforms)
    return fail(Errc::usage, NW_TR("--transform may be given {0} times"), most_transforms);
  s.transforms.clear();
  for (const std::string& one : words) {
    if (one == "none") continue;
    NW_ASSIGN(Transform t, transform_from_text(one));
    s.transforms.push_back(std::move(t));
  }
  return {};
}

/// Applies the command-line options to the document's settings.
Status override_settings(GraphDoc& doc, const TrainOptions& o) {
  TrainSettings s = doc.settings();
  if (o.epochs) s.epochs = *o.epochs;
  if (o.batch) s.batch = *o.batch;
  if (o.threads) s.threads = *o.threads;
  if (o.rate) s.learning_rate = *o.rate;
  if (o.seed) s.seed = *o.seed;
  if (o.shared_batch_norm || o.own_batch_norm) s.sync_batch_norm = o.shared_batch_norm;
  if (!o.precision.empty()) s.precision = precision_named(o.precision)->type;
  if (!o.device.empty()) s.devices = split_device_list(o.device);
  if (!o.parallel.empty()) s.parallel = *named<Parallelism>(o.parallel);
  if (!o.pipeline.empty()) s.pipeline = *named<PipelineSchedule>(o.pipeline);
  if (o.micro_batches) s.micro_batches = *o.micro_batches;
  if (o.stages) s.stages = *o.stages;
  NW_TRY(put_transforms(s, o.transforms));
  if (s.epochs < 1 || s.batch < 1) return fail(Errc::usage, NW_TR("epochs and batch must be at least 1"));
  if (!(s.learning_rate > 0) || !std::isfinite(s.learning_rate))
    return fail(Errc::usage, NW_TR("the learning rate must be a number above 0"));
  auto applied = doc.apply({PutSettings{s}});
  if (!applied) return applied.error();
  for (const std::string& change : o.settings) { NW_ASSIGN(doc, with_setting(doc, change)); }
  NW_TRY(check_data_option(doc, o.data));
  DataChoice data = choice_for(doc, o.data);
  if (o.validation) data.validation_fraction = *o.validation;
  if (const Status good = check_limits(doc.settings(), data, "The command line"); !good)
    return Error{Errc::usage, good.error().what};
  if (data == doc.data()) return {};
  applied = doc.apply({PutData{data}});
  return applied ? Status{} : applied.error();
}

/// --distill, or what the project says of a teacher.
Status choose_teacher(GraphDoc& doc, const TrainOptions& o) {
  NW_ASSIGN(std::optional<Distillation> d, distillation(doc));
  if (!o.teacher.empty()) {
    NW_ASSIGN(Distillation named, teacher_of(o.teacher));
    if (d) named.temperature = d->temperature, named.weight = d->weight;
    d = std::move(named);
  }
  if (!o.temperature && !o.teacher_weight && o.teacher.empty()) return {};
  if (!d) return fail(Errc::usage, NW_TR("--temperature and --teacher-weight need a teacher: --distill RUN_DIR"));
  if (o.temperature) d->temperature = *o.temperature;
  if (o.teacher_weight) d->weight = *o.teacher_weight;
  NW_ASSIGN(const Edit undo, doc.apply(distil(d)));
  (void)undo;
  return {};
}

/// --weights, or the file that the project begins with, which lies beside it.
Status choose_weights(TrainRequest& request, const TrainOptions& o) {
  NW_ASSIGN(const StartFrom from, start_from(request.definition.doc));
  if (o.weights.empty() && from.weights.empty()) return {};
  request.weights = o.weights.empty() ? fs::path(o.file).parent_path() / from.weights : fs::path(o.weights);
  if (o.weights.empty()) {
    request.weights_sha256 = from.sha256;
    request.fresh = from.fresh;
    request.definition.parent = from.parent;
  }
  NW_TRY(refuse_foreign_weights(request.weights.string()));
  std::error_code ignored;
  if (fs::is_regular_file(request.weights, ignored)) return {};
  return fail(Errc::bad_input, NW_TR("{0}: this file of weights is not there; --weights F names another"),
              request.weights.string());
}

/// What is trained: a project with the options, or the recipe of a run.
Result<TrainRequest> subject_of(const TrainOptions& o) {
  if (!o.replayed.empty()) return replay_request(o.replayed);
  TrainRequest request;
  NW_ASSIGN(request.definition.doc, load_project(o.file));
  NW_TRY(override_settings(request.definition.doc, o));
  NW_TRY(choose_teacher(request.definition.doc, o));
  request.definition.name = project_name(o.file);
  NW_TRY(choose_weights(request, o));
  return request;
}

Result<TrainRequest> request_for(const TrainOptions& o, ProcessGroup* processes) {
  NW_ASSIGN(TrainRequest request, subject_of(o));
  request.processes = processes;
  std::error_code ignored;
  if (!o.data.empty()) request.definition.data_dir = fs::absolute(o.data, ignored).string();
  request.stop_after = o.stop_after;
  request.disk_wait_s = o.disk_wait_s;
  request.probes = o.probes;
  request.profile = o.profile;
  request.statistics_steps = o.statistics_steps;
  // Devices are resolved before the folder is created, so that a wrong name leaves no folder.
  const TrainSettings& s = request.definition.doc.settings();
  NW_ASSIGN(const auto devices, resolve_devices(s.devices, s.threads));
  if (o.precision == "tf32" && devices.front().name.rfind("cuda", 0) != 0)
    return fail(Errc::usage, NW_TR("tf32 is a format of CUDA devices; {0} trains in fp32"), devices.front().name);
  if (request.processes && request.processes->rank() > 0) {
    request.run.clear();
  } else if (o.run.empty()) {
    NW_ASSIGN(request.run, reserve_run_folder(runs_folder(), request.definition.name));
  } else {
    request.run = o.run;
  }
  return request;
}

int train_project(const TrainOptions& o) {
  const auto processes = join_processes();
  if (!processes) return report(processes.error());
  ProcessGroup* const group = processes->get();
  auto request = request_for(o, group);
  if (!request && group) {
    const int code = group->rank() == 0 ? report(request.error()) : exit_code(request.error().code);
    group->leave(code);
    return code;
  }
  if (!request) {
    Ended ended{
        .reason = EndReason::failed, .message = request.error().what, .exit_code = exit_code(request.error().code)};
    if (o.output.json) print(event_line({0, ended}));
    return report(request.error());
  }
  TrainOutput output = o.output;
  output.run = request->run.string();
  follow_first_process(*request, output);
  return run_training(*std::move(request), output, o.run.empty());
}

}  // namespace

void add_train(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("train", "Train a project; all results are written into a run folder");
  auto o = std::make_shared<TrainOptions>();
  auto* file = command->add_option("FILE", o->file, "Project file, or a template's name");
  command->add_option("--data", o->data, "Folder, archive or file of the data set; the format is detected");
  command->add_option("--device", o->device, "cpu; cpu:0,cpu:1 (virtual devices); cuda:0,cuda:1");
  command->add_option("--epochs", o->epochs, "Number of passes over the training data");
  add_stop_after(*command, o->stop_after);
  command->add_option("--batch", o->batch, "Images per step, summed over all devices");
  command->add_option("--lr", o->rate, "Learning rate");
  command->add_option("--validation", o->validation,
                      "Fraction of the training images used for validation; 0: train on all of them");
  command
      ->add_option("--precision", o->precision,
                   "Number format of the network's arithmetic; automatic: for each product the fastest")
      ->check(CLI::IsMember(all_precisions()));
  command->add_option("--seed", o->seed, "Seed of initial weights, sample order and augmentation");
  command
      ->add_option("--transform", o->transforms,
                   "Augmentation of training images; repeat the option for several, applied in order: RandomRotation, "
                   "ColorJitter:hue=0.1; none drops the project's")
      ->allow_extra_args(false)
      ->delimiter('\0');
  auto* shared = command->add_flag("--sync-batch-norm", o->shared_batch_norm,
                                   "On several devices: batch norm statistics over the whole batch");
  command
      ->add_flag("--no-sync-batch-norm", o->own_batch_norm,
                 "On several devices: batch norm statistics per device, which is faster")
      ->excludes(shared);
  command
      ->add_option("--parallel", o->parallel,
                   "On several devices: data (each computes a part of the batch), sharded (the same, and each keeps a "
                   "part of the optimizer's state) or model (each computes a part of the network, as stages of a "
                   "pipeline)")
      ->check(CLI::IsMember({"data", "sharded", "model"}));
  command
      ->add_option("--micro-batches", o->micro_batches,
                   "Number of parts in which a batch is computed; batch norm takes its statistics of each part")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{4096}));
  command
      ->add_option("--pipeline", o->pipeline,
                   "With --parallel model: 1f1b (backward as soon as possible) or gpipe (all forward first)")
      ->check(CLI::IsMember({"1f1b", "gpipe"}));
  command
      ->add_option("--stages", o->stages,
                   "With --parallel model: devices (or processes) of one pipeline; several pipelines each train a part "
                   "of the batch; 0: all are one pipeline")
      ->check(CLI::Range(std::int32_t{0}, static_cast<std::int32_t>(most_stages)));
  command->add_option("--threads", o->threads, "Threads over all devices")->check(CLI::PositiveNumber);
  command
      ->add_option("--set", o->settings,
                   "Change a setting, NAME=VALUE as in project files; frozen.LAYER=1 freezes a layer; may be repeated")
      ->allow_extra_args(false);
  auto* replay =
      command->add_option("--replay", o->replayed,
                          "In place of FILE: train a run again from its start, with its changes of run-time settings");
  file->excludes(replay);
  command->add_option("--distill", o->teacher,
                      "Folder of a trained run: its network is the teacher whose outputs this one learns");
  command->add_option("--temperature", o->temperature, "Of both networks' scores; default: 4")
      ->check(CLI::Range(lowest_temperature, highest_temperature));
  command
      ->add_option("--teacher-weight", o->teacher_weight,
                   "Share of the teacher's outputs in the target, the labels have the rest; default: 0.9")
      ->check(CLI::Range(0.01, 1.0));
  command->add_option("--weights", o->weights,
                      "Safetensors file to begin with; weights are taken by name where their shapes agree");
  command->add_option("--run-dir", o->run, "Folder of this run; default: a new folder among the runs");
  command
      ->add_option("--disk-wait", o->disk_wait_s,
                   "Seconds to wait, paused, until a full disk, lack of memory or missing data is mended before the "
                   "run ends; default: no limit")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--probes", o->probes,
                   "Number of validation images that are predicted about 300 times during training; 0: none")
      ->check(CLI::Range(0, 4096));
  command->add_flag("--profile", o->profile,
                    "Write the time of each layer to profile.json in the run folder; slows training down");
  command
      ->add_option(
          "--statistics", o->statistics_steps,
          "Write statistics of the layers' weights, gradients and outputs to statistics.jsonl every N steps; 0: "
          "never; default: as often as 1 % of the training time allows")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
  command->add_flag("--json", o->output.json, "Print events as JSON lines to stdout; the last has type \"ended\"");
  command->add_flag("--quiet,-q", o->output.quiet, "Print results and warnings only");
  command->footer(
      "Examples:\n"
      "  netwright-cli train lenet5.netwright --epochs 3 --seed 1\n"
      "  netwright-cli train lenet5 --device cpu:0,cpu:1 --json\n"
      "  netwright-cli train lenet5 --device cpu:0,cpu:1 --parallel model --micro-batches 4");
  command->callback([=, &chosen] {
    if (o->file.empty() && o->replayed.empty()) throw CLI::RequiredError("FILE");
    chosen = [o] { return train_project(*o); };
  });
}

}  // namespace nw::cli
