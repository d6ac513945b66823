// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>

#include "app/cli/cli.hpp"
#include "app/cli/compress_int8.hpp"
#include "app/cli/prune_scores.hpp"
#include "app/cli/run_comparison.hpp"
#include "engine/compress/pruning/prune.hpp"
#include "engine/core/existing.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/exchange/trained_network.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/runs/teacher_choice.hpp"

namespace nw::cli {
namespace {

struct CompressCommand {
  std::string run, output, checkpoint = "best", criterion = "l1";
  std::map<std::string, double> layers;  // shares of channels to remove; empty: by `prune`
  compress::PruneOptions prune;
  std::int64_t epochs = 0;
  double learning_rate = 0;
  std::string teacher;  // run whose answers the smaller network learns; empty: none
  bool force = false, json = false;
  double seconds = 0.5;  // of each measurement of a trial
};

std::string change(std::int64_t before, std::int64_t after) {
  return fmt::format("{} of {} ({:.1f} %)", with_thousands(after), with_thousands(before),
                     before > 0 ? 100 * static_cast<double>(after) / static_cast<double>(before) : 0);
}

void show(const CompressCommand& o, const compress::PrunedNetwork& made) {
  std::vector<std::vector<std::string>> rows{{"layer", "channels", "before"}};
  for (const auto& row : made.rows) rows.push_back({row.layer, std::to_string(row.after), std::to_string(row.before)});
  print_lines(table(rows));
  print("multiply-adds: " + change(made.multiply_adds_before, made.multiply_adds_after));
  print("parameters:    " + change(made.parameters_before, made.parameters_after));
  note(fmt::format("The network has not been trained since; netwright-cli train {} trains it for {} epochs", o.output,
                   made.doc.settings().epochs));
}

void show_json(const CompressCommand& o, const compress::PrunedNetwork& made, const fs::path& weights) {
  Json rows = Json::array();
  for (const auto& row : made.rows)
    rows.push_back({{"layer", row.layer}, {"before", row.before}, {"after", row.after}});
  print(Json{{"type", "pruned"},
             {"file", o.output},
             {"weights", weights.string()},
             {"layers", rows},
             {"multiply_adds", {{"before", made.multiply_adds_before}, {"after", made.multiply_adds_after}}},
             {"parameters", {{"before", made.parameters_before}, {"after", made.parameters_after}}}}
            .dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// A tenth of the learning rate, and half of the epochs: the weights are nearly right.
Status set_training(GraphDoc& doc, const CompressCommand& o) {
  TrainSettings s = doc.settings();
  s.epochs = o.epochs > 0 ? o.epochs : std::max<std::int64_t>(1, s.epochs / 2);
  s.learning_rate = o.learning_rate > 0 ? o.learning_rate : s.learning_rate / 10;
  s.warmup_epochs = std::min(s.warmup_epochs, static_cast<double>(s.epochs) / 2);
  NW_ASSIGN(const Edit undo, doc.apply({PutSettings{s}}));
  (void)undo;
  return {};
}

/// The data that the run was trained with, where its project left open where they are.
Status set_data(GraphDoc& doc, const CompressCommand& o) {
  NW_ASSIGN(const RunDefinition definition, read_run_definition(o.run));
  DataChoice data = doc.data();
  if (!data.path.empty() || definition.data_dir.empty()) return {};
  data.path = definition.data_dir;
  NW_ASSIGN(const Edit undo, doc.apply({PutData{data}}));
  (void)undo;
  return {};
}

/// The channels that stay, by group.
Result<std::vector<std::vector<std::int64_t>>> channels_kept(const CompressCommand& o,
                                                             const exchange::TrainedNetwork& trained) {
  NW_ASSIGN(const FlatNetwork network, flatten(trained.source.doc, {.training = false, .batch = 1}));
  NW_TRY(compress::check_weights(network, trained.weights));
  const compress::ChannelGroups groups = compress::find_channel_groups(network);
  std::vector<std::vector<double>> scores = compress::channel_scores(groups, trained.weights);
  if (o.criterion != "l1") {
    NW_ASSIGN(const auto measured, compress::MeasuredNetwork::open(o.run, trained.weights, {}));
    NW_ASSIGN(scores, prune_scores(*measured, groups, o.criterion));
  }
  if (!o.layers.empty()) return compress::choose_channels_of(network, groups, scores, o.layers);
  return compress::choose_channels(network, groups, scores, o.prune);
}

Status set_teacher(GraphDoc& doc, const CompressCommand& o) {
  if (o.teacher.empty()) return {};
  NW_ASSIGN(const Distillation d, teacher_of(o.teacher));
  NW_ASSIGN(const Edit undo, doc.apply(distil(d)));
  (void)undo;
  return {};
}

Result<compress::PrunedNetwork> compress_run(const CompressCommand& o, const fs::path& weights) {
  NW_ASSIGN(const exchange::TrainedNetwork trained, exchange::trained_run(o.run, o.checkpoint));
  for (const Text& t : trained.notes) note(t.str());
  NW_ASSIGN(const auto kept, channels_kept(o, trained));
  NW_ASSIGN(compress::PrunedNetwork made, compress::keep_channels(trained.source.doc, trained.weights, kept));
  NW_TRY(set_training(made.doc, o));
  NW_TRY(set_data(made.doc, o));
  NW_TRY(set_teacher(made.doc, o));
  NW_ASSIGN(const std::string sha256, exchange::save_weights(made.weights, trained.names, weights));
  NW_TRY(
      set_start_from(made.doc, {.weights = weights.filename().string(), .sha256 = sha256, .parent = trained.parent}));
  NW_TRY(ProjectFile::save(made.doc, o.output));
  return made;
}

/// The latency of the smaller network, before anything is written or trained. Any channels of that number take as long.
Result<SpeedTrial> try_out(CompressCommand o) {
  o.criterion = "l1";
  NW_ASSIGN(const exchange::TrainedNetwork trained, exchange::trained_run(o.run, o.checkpoint));
  NW_ASSIGN(const auto kept, channels_kept(o, trained));
  NW_ASSIGN(const compress::PrunedNetwork made, compress::keep_channels(trained.source.doc, trained.weights, kept));
  SpeedRequest request{.run = o.run, .checkpoint = o.checkpoint, .devices = {one_core}, .seconds = o.seconds};
  SpeedTrial trial;
  request.untrained = &trained.source.doc;
  NW_ASSIGN(trial.before, measure_inference(request));
  request.untrained = &made.doc;
  NW_ASSIGN(trial.after, measure_inference(request));
  return trial;
}

int try_network(const CompressCommand& o) {
  const auto trial = try_out(o);
  if (!trial) return report(trial.error());
  const char* names[2] = {"now", "pruned"};
  show_trial(*trial, names, o.json);
  return 0;
}

int compress_network(const CompressCommand& o) {
  const fs::path weights = fs::path(o.output).replace_extension(".safetensors");
  for (const fs::path& file : {fs::path(o.output), weights})
    if (const Status free = refuse_existing(file, o.force); !free) return report(free.error());
  const auto made = compress_run(o, weights);
  if (!made) return report(made.error());
  if (o.json)
    show_json(o, *made, weights);
  else
    show(o, *made);
  return 0;
}

/// "conv2=0.25"
void add_layer(CompressCommand& o, const std::string& word) {
  const std::size_t at = word.rfind('=');
  double share = -1;
  if (at != std::string::npos && at > 0 && !CLI::detail::lexical_cast(word.substr(at + 1), share)) share = -1;
  if (!(share > 0 && share < 1))
    throw CLI::ValidationError("--layer", "Expected NAME=SHARE with a share between 0 and 1, not " + word);
  o.layers[word.substr(0, at)] = share;
}

/// The options of --int8.
CLI::Option* add_int8(CLI::App& command, const std::shared_ptr<Int8Command>& o) {
  auto* int8 = command.add_flag("--int8", o->chosen,
                                "Compute in whole numbers of 8 bits: makes a run of its own, and says what it costs in "
                                "accuracy and brings in speed");
  command.add_option("--run-dir", o->to, "--int8: folder of the new run; default: a new folder among the runs")
      ->needs(int8);
  command
      .add_option("--calibration", o->calibration.images,
                  "--int8: training images on which the ranges of the layers' outputs are measured")
      ->needs(int8)
      ->check(CLI::Range(1, 100000));
  command
      .add_option_function<std::string>(
          "--calibrate",
          [o](const std::string& m) {
            o->calibration.method = compress::calibration_method(m).value_or(o->calibration.method);
          },
          "--int8: how values are clipped: minmax (none), percentile (one in 10,000), mse (least squared error)")
      ->needs(int8)
      ->check(CLI::IsMember({"minmax", "percentile", "mse"}));
  command.add_option("--seconds", o->seconds, "--int8, --trial: time of each measurement of latency; 0: none are made")
      ->check(CLI::Range(0.0, 60.0))
      ->capture_default_str();
  return int8;
}

}  // namespace

void add_compress(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("compress",
                                     "Make a smaller network of a trained one: a project with its weights, "
                                     "or a run in 8 bits");
  auto o = std::make_shared<CompressCommand>();
  auto whole = std::make_shared<Int8Command>();
  command->add_option("RUN_DIR", o->run, "Folder of a trained run")->required();
  auto* int8 = add_int8(*command, whole);
  auto* prune = command->add_option("--prune", o->prune.share, "Share of the multiply-adds to remove: whole channels");
  prune->check(CLI::Range(0.01, 0.99))->excludes(int8);
  auto* layer = command->add_option_function<std::vector<std::string>>(
      "--layer",
      [o](const std::vector<std::string>& words) {
        for (const std::string& word : words) add_layer(*o, word);
      },
      "NAME=SHARE: the share of its channels that this layer loses, in place of --prune; several are allowed");
  layer->excludes(prune)->excludes(int8);
  add_criterion(*command, o->criterion);
  command->add_option("--least-kept", o->prune.least_kept, "Share of its channels that each layer keeps at least")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      ->add_option("--multiple-of", o->prune.multiple_of,
                   "Layers keep a multiple of so many channels, which processors compute faster")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{256}))
      ->capture_default_str();
  command
      ->add_option("-o,--output", o->output, "Of --prune and --layer: project file; the weights are written beside it")
      ->excludes(int8);
  command->add_option("--epochs", o->epochs, "Epochs of the training that follows; default: half of the run's")
      ->check(CLI::Range(std::int64_t{1}, most_epochs));
  command->add_option("--lr", o->learning_rate, "Its learning rate; default: a tenth of the run's")
      ->check(CLI::PositiveNumber);
  command->add_option("--distill", o->teacher,
                      "Folder of a trained run, often the same one: the smaller network learns its answers");
  command->add_option("--checkpoint", o->checkpoint, "best, latest, or the name of a checkpoint");
  auto* trial = command->add_flag("--trial", whole->trial,
                                  "Write nothing: only measure what it would bring in latency, before any training");
  command->add_flag("--force", o->force, "Replace the files if they exist");
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer(
      "Examples:\n  netwright-cli compress runs/2026-11-21-resnet18-a7 --prune 0.5 -o half.netwright\n"
      "  netwright-cli compress runs/2026-11-21-resnet18-a7 --int8");
  command->callback([=, &chosen] {
    if (int8->count() + prune->count() + layer->count() == 0) throw CLI::RequiredError("--prune, --layer or --int8");
    if (int8->count() + trial->count() == 0 && o->output.empty()) throw CLI::RequiredError("--output");
    whole->run = o->run;
    whole->checkpoint = o->checkpoint;
    whole->json = o->json;
    o->seconds = whole->seconds;
    chosen = [=] {
      if (int8->count() > 0) return compress_int8(*whole);
      return whole->trial ? try_network(*o) : compress_network(*o);
    };
  });
}

}  // namespace nw::cli
