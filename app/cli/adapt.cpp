// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/compile/adapt.hpp"
#include "engine/core/existing.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/exchange/trained_network.hpp"

namespace nw::cli {
namespace {

struct AdaptCommand {
  std::string from, network, weights, size, data, output, target, target_column, frozen_up_to, checkpoint = "best";
  std::int64_t epochs = 0;
  bool force = false, json = false;
};

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
  if (!o.target.empty()) data.target = o.target == "binary" ? "class" : o.target;
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
  const std::int64_t outputs = o.target == "binary" ? 1 : facts.classes;
  print(fmt::format("{}: {} with {} outputs, images of {}x{}x{}, {} to train on", o.output, made.head, outputs,
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

/// A folder is a run; files are told by their endings.
Result<exchange::TrainedNetwork> network_of(const AdaptCommand& o) {
  if (!o.network.empty()) {
    const Template* named = find_template(o.network);
    if (!named)
      return fail(Errc::usage, NW_TR("there is no template \"{0}\"; netwright-cli new --list shows them"), o.network);
    NW_TRY(refuse_foreign_weights(o.weights));
    return exchange::trained_document(new_project(*named), o.weights);
  }
  std::error_code ignored;
  const fs::path from = o.from;
  NW_TRY(refuse_foreign_weights(o.weights.empty() ? o.from : o.weights));
  if (from.extension() == ".onnx") {
    NW_ASSIGN(const exchange::ImportOptions options, size_of_images(o.size));
    return exchange::trained_onnx(from, options);
  }
  return fs::is_regular_file(from, ignored) ? exchange::trained_project(from, o.weights)
                                            : exchange::trained_run(from, o.checkpoint);
}

Status check_use(const AdaptCommand& o) {
  const bool project = !o.network.empty() || fs::path(o.from).extension() == ".netwright";
  if (o.from.empty() == o.network.empty())
    return fail(Errc::usage, NW_TR("name what is adapted: a run folder, a project or an ONNX file, or --template"));
  if (!o.network.empty() && o.weights.empty())
    return fail(Errc::usage, NW_TR("--template needs --weights: a template has no trained weights"));
  if (!o.weights.empty() && !project)
    return fail(Errc::usage, NW_TR("--weights belongs to a project or a template; {0} has its own"), o.from);
  return {};
}

Result<Adaptation> adapt_network(const AdaptCommand& o, const fs::path& weights, AdaptSource& source,
                                 DataFacts& facts) {
  NW_ASSIGN(const exchange::TrainedNetwork trained, network_of(o));
  for (const Text& t : trained.notes) note(t.str());
  source = trained.source;
  NW_ASSIGN(const DataChoice data, data_of(source.doc, o));
  NW_ASSIGN(facts, facts_of_data(data, source));
  NW_ASSIGN(
      Adaptation made,
      adapt(source, data, facts, {.frozen_up_to = o.frozen_up_to, .epochs = o.epochs, .binary = o.target == "binary"}));
  NW_ASSIGN(const std::string sha256, exchange::save_weights(trained.weights, trained.names, weights));
  NW_TRY(set_start_from(
      made.doc,
      {.weights = weights.filename().string(), .sha256 = sha256, .fresh = {made.head}, .parent = trained.parent}));
  return made;
}

int adapt_to_data(const AdaptCommand& o) {
  const fs::path weights = fs::path(o.output).replace_extension(".safetensors");
  for (const fs::path& file : {fs::path(o.output), weights})
    if (const Status free = refuse_existing(file, o.force); !free) return report(free.error());
  AdaptSource source;
  DataFacts facts;
  if (const Status use = check_use(o); !use) return report(use.error());
  const auto made = adapt_network(o, weights, source, facts);
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
  command->add_option("SOURCE", o->from, "Folder of a trained run, project that begins with weights, or ONNX file");
  command->add_option("-t,--template", o->network, "Instead: name of a template, with --weights");
  command->add_option("--weights", o->weights, "Safetensors file with the weights of the template or project");
  command->add_option("--size", o->size,
                      "ONNX file: width and height of its images, such as 224x224, if it leaves them open");
  command->add_option("--data", o->data, "Folder, archive or file of the new data set; its kind is detected")
      ->required();
  command->add_option("-o,--output", o->output, "Project file to write; the weights are written beside it")->required();
  command
      ->add_option("--target", o->target, "What the data give for each image: one class, one of two, labels or numbers")
      ->check(CLI::IsMember({"class", "binary", "labels", "values"}));
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
