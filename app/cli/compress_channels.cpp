// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compress_channels.hpp"

#include "app/cli/cli.hpp"
#include "app/cli/prune_scores.hpp"
#include "app/cli/run_comparison.hpp"
#include "engine/core/existing.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/exchange/trained_network.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/runs/teacher_choice.hpp"

namespace nw::cli {
namespace {

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

}  // namespace

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

}  // namespace nw::cli
