// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/core/existing.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/exchange/import_onnx.hpp"
#include "engine/exchange/operators/operator.hpp"

namespace nw::cli {
namespace {

struct ImportCommand {
  std::string file, output, weights, size;
  bool operators = false, force = false, json = false, strict = false;
};

int list_operators() {
  std::vector<std::vector<std::string>> rows{{"operator", "versions", "layer"}};
  for (const exchange::OperatorFile* file : exchange::operator_files())
    for (const exchange::OperatorMapping& m : file->mappings)
      for (const exchange::OperatorRange& r : m.reads)
        rows.push_back({std::string(r.op), fmt::format("{}-{}", r.first, r.last),
                        m.layer.empty() ? "constants: preprocessing, weights" : std::string(m.layer)});
  print_lines(table(rows));
  return 0;
}

Json json_of(const Text& t) { return Json{{"text", t.str()}, {"source", t.source}, {"args", t.args}}; }

Json json_of(const std::vector<exchange::OpaqueGroup>& groups) {
  Json all = Json::array();
  for (const exchange::OpaqueGroup& g : groups)
    all.push_back(Json{{"operator", g.name}, {"domain", g.domain}, {"count", g.count}, {"reason", json_of(g.reason)}});
  return all;
}

int import(const ImportCommand& o) {
  if (o.operators) return list_operators();
  const fs::path folder = o.weights.empty() ? fs::path(o.output).parent_path() : fs::path(o.weights);
  const fs::path weights = folder / (fs::path(o.output).stem().string() + ".safetensors");
  for (const fs::path& file : {fs::path(o.output), weights})
    if (const Status free = refuse_existing(file, o.force); !free) return report(free.error());
  auto options = size_of_images(o.size);
  if (!options) return report(options.error());
  if (const Status other = refuse_foreign_weights(o.file); !other) return report(other.error());
  const auto model = onnx::read_model(o.file);
  if (!model) return report(model.error());
  options->strict = o.strict;
  auto network = exchange::import_onnx(*model, fs::path(o.file).filename().string(), *options);
  if (!network) return report(network.error());
  const auto digest = exchange::save_weights(network->weights, network->names, weights, {}, network->kept);
  if (!digest) return report(digest.error());
  const fs::path relative = fs::absolute(weights).lexically_normal().lexically_proximate(
      fs::absolute(fs::path(o.output)).lexically_normal().parent_path());
  if (const Status set = set_start_from(network->doc, {.weights = relative.string(), .sha256 = *digest}); !set)
    return report(set.error());
  if (const Status saved = ProjectFile::save(network->doc, o.output); !saved) return report(saved.error());
  std::int64_t parameters = 0;
  for (const auto& [name, w] : network->weights) parameters += std::ssize(w.values);
  if (o.json) {
    Json notes = Json::array();
    for (const Text& t : network->notes) notes.push_back(json_of(t));
    print(Json{{"type", "imported"},
               {"file", o.output},
               {"weights", weights.string()},
               {"sha256", *digest},
               {"layers", network->layers},
               {"parameters", parameters},
               {"folded_batch_norms", network->folded_batch_norms},
               {"opaque", json_of(network->opaque)},
               {"drawn", network->drawn},
               {"classes", network->classes},
               {"notes", notes}}
              .dump(-1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  for (const Text& t : network->notes) note(t.str());
  print(fmt::format("{}: {} layers, {} numbers in {}", o.output, network->layers, with_thousands(parameters),
                    weights.string()));
  if (network->opaque.empty())
    note(fmt::format("netwright-cli train {} --data DIR trains it further from these weights", o.output));
  else
    note(fmt::format("netwright-cli check {} lists the opaque nodes with their repairs", o.output));
  return 0;
}

}  // namespace

void add_import(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("import", "Make a project from an ONNX file, its weights beside it");
  auto o = std::make_shared<ImportCommand>();
  auto* file = command->add_option("FILE", o->file, "ONNX file");
  auto* output = command->add_option("-o,--output", o->output, "Project file to write");
  command->add_option("--weights", o->weights, "Folder for the weights; default: beside the project");
  command->add_option("--size", o->size,
                      "Width and height of the images, such as 224x224, if the file leaves them open");
  command->add_flag("--force", o->force, "Replace the files if they exist");
  command->add_flag("--strict", o->strict, "Write nothing if an operator is one that no layer is made of");
  command->add_flag("--json", o->json, "Print one JSON object");
  auto* operators = command->add_flag("--operators", o->operators, "List the operators and versions that are read");
  command->footer("Example: netwright-cli import resnet18.onnx -o resnet18.netwright");
  command->callback([=, &chosen] {
    if (operators->count() == 0 && file->count() == 0) throw CLI::RequiredError("FILE");
    if (operators->count() == 0 && output->count() == 0) throw CLI::RequiredError("--output");
    chosen = [o] { return import(*o); };
  });
}

}  // namespace nw::cli
