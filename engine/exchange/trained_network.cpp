// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/trained_network.hpp"

#include <algorithm>

#include "engine/core/digest.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/exchange/export_onnx.hpp"
#include "engine/exchange/weight_table.hpp"

namespace nw::exchange {
namespace {

/// The images that the document's network expects, normalized as its data choice says.
Result<AdaptSource> source_in(const GraphDoc& doc) {
  NW_ASSIGN(const FlatNetwork flat, flatten(doc, {.training = false, .batch = 1}));
  const Shape& images = flat.layers[static_cast<std::size_t>(flat.input)].shape;
  const DataChoice& data = doc.data();
  AdaptSource source{.doc = doc, .channels = images[1], .height = images[2], .width = images[3]};
  source.normalize = data.normalize;
  const auto channels = static_cast<std::size_t>(images[1]);
  if (data.normalize && data.mean.size() == channels && data.deviation.size() == channels) {
    source.mean = data.mean;
    source.deviation = data.deviation;
  }
  return source;
}

Status check_digest(const fs::path& path, const std::string& wanted) {
  if (wanted.empty()) return {};
  NW_ASSIGN(const FileDigests digests, digests_of_file(path));
  if (digests.sha256 == wanted) return {};
  return fail(
      Errc::bad_input,
      NW_TR("{0} is not the file of weights that the project was made with; --weights {0} uses it all the same"),
      path.string());
}

/// Only what fits is kept.
Status take(TrainedNetwork& network, const FlatNetwork& flat, const fs::path& path) {
  NW_ASSIGN(const SafetensorsFile file, SafetensorsFile::open(path));
  const std::vector<WeightRow> rows = weight_table(flat, file.header());
  NW_ASSIGN(network.weights, load_weights(path));
  std::int64_t wanted = 0;
  for (const WeightRow& row : rows) {
    if (row.match != WeightMatch::not_in_network) ++wanted;
    if (row.match == WeightMatch::taken) network.names.weights.push_back(row.name);
  }
  network.names.counters = names_of(flat).counters;
  const std::int64_t taken = std::ssize(network.names.weights);
  if (taken == 0)
    return fail(Errc::bad_input, NW_TR("{0} holds no weights of this network: no name and shape agree"), path.string());
  if (taken < wanted)
    network.notes.push_back(text(NW_TR("{0} of {1} weights of the network are taken from {2}; the others begin anew"),
                                 taken, wanted, path.filename().string()));
  return {};
}

}  // namespace

Result<TrainedNetwork> trained_run(const fs::path& run, const std::string& checkpoint) {
  NW_ASSIGN(const RunDefinition definition, read_run_definition(run));
  TrainedNetwork made;
  made.source = {.doc = definition.doc,
                 .channels = definition.channels,
                 .height = definition.height,
                 .width = definition.width,
                 .mean = definition.mean,
                 .deviation = definition.deviation};
  if (!definition.doc.data().normalize) made.source.mean = made.source.deviation = {};
  made.source.normalize = !made.source.mean.empty();
  NW_ASSIGN(ExportSource trained, export_source(run, definition, checkpoint));
  made.weights = std::move(trained.weights);
  NW_ASSIGN(const FlatNetwork flat, flatten(trained.doc, {.training = false, .batch = 1}));
  made.names = names_of(flat);
  made.parent = fs::absolute(run).lexically_normal().filename().string();
  if (made.parent.empty()) made.parent = fs::absolute(run).lexically_normal().parent_path().filename().string();
  return made;
}

Result<TrainedNetwork> trained_document(const GraphDoc& doc, const fs::path& weights) {
  TrainedNetwork made;
  NW_ASSIGN(made.source, source_in(doc));
  NW_ASSIGN(const FlatNetwork flat, flatten(doc, {.training = false, .batch = 1}));
  NW_TRY(take(made, flat, weights));
  return made;
}

Result<TrainedNetwork> trained_project(const fs::path& file, const fs::path& weights) {
  NW_ASSIGN(const GraphDoc doc, ProjectFile::load(file));
  if (!weights.empty()) return trained_document(doc, weights);
  NW_ASSIGN(const StartFrom from, start_from(doc));
  if (from.weights.empty())
    return fail(Errc::usage, NW_TR("{0} begins with no trained weights; name them with --weights"), file.string());
  const fs::path path = file.parent_path() / from.weights;
  NW_TRY(check_digest(path, from.sha256));
  NW_ASSIGN(TrainedNetwork made, trained_document(doc, path));
  made.parent = from.parent;
  return made;
}

Result<TrainedNetwork> trained_onnx(const fs::path& file, const ImportOptions& options) {
  NW_ASSIGN(const onnx::Model model, onnx::read_model(file));
  NW_ASSIGN(ImportedNetwork network, import_onnx(model, file.filename().string(), options));
  TrainedNetwork made;
  NW_ASSIGN(made.source, source_in(network.doc));
  made.source.mean = network.mean;
  made.source.deviation = network.deviation;
  made.weights = std::move(network.weights);
  made.names = std::move(network.names);
  made.notes = std::move(network.notes);
  return made;
}

}  // namespace nw::exchange
