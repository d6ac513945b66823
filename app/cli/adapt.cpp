// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/compile/adapt.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/exchange/proved_export.hpp"

namespace nw::cli {
namespace {

struct AdaptCommand {
  std::string run, data, output, target, target_column, frozen_up_to, checkpoint = "best";
  std::int64_t epochs = 0;
  bool force = false, json = false;
};

Status refuse_existing(const AdaptCommand& o, const fs::path& weights) {
  std::error_code ignored;
  for (const fs::path& file : {fs::path(o.output), weights})
    if (!o.force && fs::exists(file, ignored))
      return fail(Errc::usage, NW_TR("{0} exists already; --force replaces it"), file.string());
  return {};
}

/// The run's data settings (its split, its random seeds) with the place and kind of the new data.
Result<DataChoice> data_of(const GraphDoc& doc, const AdaptCommand& o) {
  NW_TRY(check_place(o.data));
  GraphDoc plain;
  DataChoice before;
  before.validation_fraction = doc.data().validation_fraction;
  before.stratified = doc.data().stratified;
  before.split_seed = doc.data().split_seed;
  NW_ASSIGN(const Edit undo, plain.apply({PutData{before}}));
  (void)undo;
  NW_TRY(check_data_option(plain, o.data));
  DataChoice data = choice_for(plain, o.data);
  data.path = fs::absolute(o.data).lexically_normal().string();
  if (!o.target.empty()) data.target = o.target;
  data.target_column = o.target_column;
  return data;
}

Result<DataFacts> facts_of_data(const DataChoice& data, const AdaptSource& source) {
  DataChoice sized = data;
  sized.channels = source.channels;
  sized.height = source.height;
  sized.width = source.width;
  GraphDoc holder;
  NW_ASSIGN(const Edit undo, holder.apply({PutData{sized}}));
  (void)undo;
  const DataFacts facts = data_facts(holder, "");
  if (!facts.known()) return fail(Errc::bad_input, NW_TR("{0}: these data cannot be opened"), data.path);
  return facts;
}

void show(const AdaptCommand& o, const Adaptation& made, const AdaptSource& source, const DataFacts& facts) {
  print(fmt::format("{}: {} with {} outputs, images of {}x{}x{}, {} to train on", o.output, made.head, facts.classes,
                    source.channels, source.height, source.width, with_thousands(facts.train)));
  const TrainSettings& s = made.doc.settings();
  std::vector<std::vector<std::string>> rows{{"layers", "train from epoch", "learning rate"}};
  for (const AdaptStage& stage : made.stages) {
    const std::string names =
        stage.nodes.size() == 1 ? stage.nodes.front() : stage.nodes.front() + " to " + stage.nodes.back();
    rows.push_back({names, stage.from_epoch < 0 ? "never" : std::to_string(stage.from_epoch + 1),
                    stage.from_epoch < 0 ? "" : fmt::format("{:.2g}", s.learning_rate * stage.lr_scale)});
  }
  print_lines(table(rows));
  note(fmt::format("netwright-cli train {} trains it for {} epochs", o.output, s.epochs));
}

void show_json(const AdaptCommand& o, const Adaptation& made, const fs::path& weights) {
  Json stages = Json::array();
  for (const AdaptStage& stage : made.stages)
    stages.push_back(Json{{"nodes", stage.nodes}, {"from_epoch", stage.from_epoch}, {"lr_scale", stage.lr_scale}});
  print(Json{{"type", "adapted"},
             {"file", o.output},
             {"weights", weights.string()},
             {"head", made.head},
             {"epochs", made.doc.settings().epochs},
             {"stages", stages}}
            .dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<Adaptation> adapt_run(const AdaptCommand& o, const fs::path& weights, AdaptSource& source, DataFacts& facts) {
  NW_ASSIGN(const RunDefinition definition, read_run_definition(o.run));
  source = {.doc = definition.doc,
            .channels = definition.channels,
            .height = definition.height,
            .width = definition.width,
            .mean = definition.mean,
            .deviation = definition.deviation};
  if (!definition.doc.data().normalize) source.mean = source.deviation = {};
  NW_ASSIGN(const DataChoice data, data_of(definition.doc, o));
  NW_ASSIGN(facts, facts_of_data(data, source));
  NW_ASSIGN(Adaptation made, adapt(source, data, facts, {.frozen_up_to = o.frozen_up_to, .epochs = o.epochs}));
  NW_ASSIGN(const exchange::ExportSource trained, exchange::export_source(o.run, definition, o.checkpoint));
  NW_ASSIGN(const auto written, exchange::export_weights(trained, weights));
  NW_TRY(set_start_from(made.doc, {.weights = weights.filename().string(),
                                   .sha256 = written.sha256,
                                   .fresh = {made.head},
                                   .parent = fs::absolute(o.run).lexically_normal().filename().string()}));
  return made;
}

int adapt_to_data(const AdaptCommand& o) {
  const fs::path weights = fs::path(o.output).replace_extension(".safetensors");
  if (const Status free = refuse_existing(o, weights); !free) return report(free.error());
  AdaptSource source;
  DataFacts facts;
  const auto made = adapt_run(o, weights, source, facts);
  if (!made) return report(made.error());
  if (const Status saved = ProjectFile::save(made->doc, o.output); !saved) return report(saved.error());
  if (o.json)
    show_json(o, *made, weights);
  else
    show(o, *made, source, facts);
  return 0;
}

}  // namespace

void add_adapt(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("adapt", "Adapt a trained network to other data: a project with its weights");
  auto o = std::make_shared<AdaptCommand>();
  command->add_option("RUN_DIR", o->run, "Folder of a trained run")->required();
  command->add_option("--data", o->data, "Folder, archive or file of the new data set; its kind is detected")
      ->required();
  command->add_option("-o,--output", o->output, "Project file to write; the weights are written beside it")->required();
  command->add_option("--target", o->target, "What a table gives for each image: one class, labels or numbers")
      ->check(CLI::IsMember({"class", "labels", "values"}));
  command->add_option("--target-column", o->target_column, "Columns of the table, separated by commas");
  command->add_option("--freeze", o->frozen_up_to, "Layer or block: it and all before it are never trained");
  command->add_option("--epochs", o->epochs, "Number of epochs; default: by the number of images")
      ->check(CLI::Range(std::int64_t{1}, most_epochs));
  command->add_option("--checkpoint", o->checkpoint, "best, latest, or the name of a checkpoint");
  command->add_flag("--force", o->force, "Replace the files if they exist");
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer("Example: netwright-cli adapt runs/2026-11-21-lenet5-a7 --data letters -o letters.netwright");
  command->callback([=, &chosen] { chosen = [o] { return adapt_to_data(*o); }; });
}

}  // namespace nw::cli
