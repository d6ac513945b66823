// SPDX-License-Identifier: Apache-2.0
// The options of compress.
#include <memory>

#include "app/cli/cli.hpp"
#include "app/cli/compress_channels.hpp"
#include "app/cli/compress_int8.hpp"
#include "app/cli/compress_sparse.hpp"
#include "app/cli/prune_scores.hpp"

namespace nw::cli {
namespace {

/// All of the command's ways; the options that several of them have are in `channels`.
struct Commands {
  CompressCommand channels;
  Int8Command int8;
  SparseCommand sparse;
  std::string run_dir;
  bool in_int8 = false, trial = false;
};
using All = std::shared_ptr<Commands>;

/// "conv2=0.25"
void add_layer(std::map<std::string, double>& layers, const std::string& word) {
  const std::size_t at = word.rfind('=');
  double share = -1;
  if (at != std::string::npos && at > 0 && !CLI::detail::lexical_cast(word.substr(at + 1), share)) share = -1;
  if (!(share > 0 && share < 1))
    throw CLI::ValidationError("--layer", "Expected NAME=SHARE with a share between 0 and 1, not " + word);
  layers[word.substr(0, at)] = share;
}

/// The options of --int8 alone.
CLI::Option* add_int8(CLI::App& command, const All& o) {
  auto* int8 = command.add_flag("--int8", o->in_int8,
                                "Compute in whole numbers of 8 bits: makes a run of its own, and says what it costs in "
                                "accuracy and brings in speed");
  command
      .add_option("--calibration", o->int8.calibration.images,
                  "--int8: training images on which the ranges of the layers' outputs are measured")
      ->needs(int8)
      ->check(CLI::Range(1, 100000));
  command
      .add_option_function<std::string>(
          "--calibrate",
          [o](const std::string& m) {
            o->int8.calibration.method = compress::calibration_method(m).value_or(o->int8.calibration.method);
          },
          "--int8: how values are clipped: minmax (none), percentile (one in 10,000), mse (least squared error)")
      ->needs(int8)
      ->check(CLI::IsMember({"minmax", "percentile", "mse"}));
  command
      .add_option("--qat", o->int8.fine_tuning.epochs,
                  "--int8: train for so many epochs while weights and values are rounded as in 8 bits")
      ->needs(int8)
      ->check(CLI::Range(std::int64_t{1}, most_epochs));
  command
      .add_option("--seconds", o->int8.seconds,
                  "--int8, --trial: time of each measurement of latency; 0: none are made")
      ->check(CLI::Range(0.0, 60.0))
      ->capture_default_str();
  return int8;
}

CLI::Option* add_sparse(CLI::App& command, const All& o, CLI::Option* int8) {
  auto* share = command.add_option("--unstructured", o->sparse.plan.share,
                                   "Share of single weights that become zero, the smallest of all layers: a run of its "
                                   "own, smaller once it is compressed and not faster; --layer sets shares of layers");
  return share->check(CLI::Range(0.01, 0.99))->excludes(int8);
}

/// The options of --prune and --layer alone.
CLI::Option* add_channels(CLI::App& command, const All& o, CLI::Option* int8, CLI::Option* sparse) {
  auto* prune =
      command.add_option("--prune", o->channels.prune.share, "Share of the multiply-adds to remove: whole channels");
  prune->check(CLI::Range(0.01, 0.99))->excludes(int8)->excludes(sparse);
  add_criterion(command, o->channels.criterion);
  command
      .add_option("--least-kept", o->channels.prune.least_kept, "Share of its channels that each layer keeps at least")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      .add_option("--multiple-of", o->channels.prune.multiple_of,
                  "Layers keep a multiple of so many channels, which processors compute faster")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{256}))
      ->capture_default_str();
  command
      .add_option("-o,--output", o->channels.output,
                  "Of --prune and --layer: project file; the weights are written beside it")
      ->excludes(int8)
      ->excludes(sparse);
  command
      .add_option("--distill", o->channels.teacher,
                  "Folder of a trained run, often the same one: the smaller network learns its outputs")
      ->excludes(int8)
      ->excludes(sparse);
  return prune;
}

CLI::Option* add_layers(CLI::App& command, const All& o, CLI::Option* int8, CLI::Option* prune) {
  auto* layer = command.add_option_function<std::vector<std::string>>(
      "--layer",
      [o](const std::vector<std::string>& words) {
        for (const std::string& word : words) add_layer(o->channels.layers, word);
      },
      "NAME=SHARE: the share of its channels that this layer loses, in place of --prune, or of its weights, beside "
      "--unstructured; several are allowed");
  return layer->excludes(prune)->excludes(int8);
}

/// Options of several ways.
void add_shared(CLI::App& command, const All& o, CLI::Option* int8, CLI::Option* sparse) {
  command.add_option("RUN_DIR", o->channels.run, "Folder of a trained run")->required();
  command.add_option("--run-dir", o->run_dir,
                     "--int8 and --unstructured: folder of the new run; default: a new folder among the runs");
  command
      .add_option("--epochs", o->channels.epochs,
                  "Epochs of the training that follows; default: half of the run's; with --unstructured none")
      ->check(CLI::Range(std::int64_t{1}, most_epochs))
      ->excludes(int8);
  command.add_option("--lr", o->channels.learning_rate, "Its learning rate; default: a tenth of the run's")
      ->check(CLI::PositiveNumber);
  command.add_option("--checkpoint", o->channels.checkpoint, "best, latest, or the name of a checkpoint");
  command
      .add_flag("--trial", o->trial, "Write nothing: only measure what it would bring in latency, before any training")
      ->excludes(sparse);
  command.add_flag("--force", o->channels.force, "Replace the files if they exist");
  command.add_flag("--json", o->channels.json, "Print one JSON object");
}

/// Takes over what the ways share.
void complete(Commands& o) {
  const CompressCommand& c = o.channels;
  o.int8.run = o.sparse.run = c.run;
  o.int8.to = o.sparse.to = o.run_dir;
  o.int8.checkpoint = o.sparse.checkpoint = c.checkpoint;
  o.int8.json = o.sparse.json = c.json;
  o.int8.fine_tuning.learning_rate = o.sparse.fine_tuning.learning_rate = c.learning_rate;
  o.sparse.fine_tuning.epochs = c.epochs;
  o.sparse.plan.layers = c.layers;
  o.int8.trial = o.trial;
  o.channels.seconds = o.int8.seconds;
}

}  // namespace

void add_compress(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("compress",
                                     "Make a smaller network of a trained one: a project with its weights, "
                                     "or a run in 8 bits or with single weights that are zero");
  const auto o = std::make_shared<Commands>();
  auto* int8 = add_int8(*command, o);
  auto* sparse = add_sparse(*command, o, int8);
  auto* prune = add_channels(*command, o, int8, sparse);
  auto* layer = add_layers(*command, o, int8, prune);
  add_shared(*command, o, int8, sparse);
  command->footer(
      "Examples:\n  netwright-cli compress runs/2026-11-21-resnet18-a7 --prune 0.5 -o half.netwright\n"
      "  netwright-cli compress runs/2026-11-21-resnet18-a7 --int8 --qat 2\n"
      "  netwright-cli compress runs/2026-11-21-resnet18-a7 --unstructured 0.9 --epochs 4");
  command->callback([=, &chosen] {
    const bool makes_run = int8->count() + sparse->count() > 0;
    if (!makes_run && prune->count() + layer->count() == 0)
      throw CLI::RequiredError("--prune, --layer, --int8 or --unstructured");
    if (!makes_run && !o->run_dir.empty()) throw CLI::RequiredError("--int8 or --unstructured, for --run-dir,");
    if (!makes_run && !o->trial && o->channels.output.empty()) throw CLI::RequiredError("--output");
    complete(*o);
    chosen = [=] {
      if (int8->count() > 0) return compress_int8(o->int8);
      if (sparse->count() > 0) return compress_sparse(o->sparse);
      return o->trial ? try_network(o->channels) : compress_network(o->channels);
    };
  });
}

}  // namespace nw::cli
