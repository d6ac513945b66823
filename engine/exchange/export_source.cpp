// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/export_onnx.hpp"

namespace nw::exchange {

Result<ExportSource> export_source(const fs::path& run, const RunDefinition& definition,
                                   const std::string& checkpoint) {
  ExportSource s{.name = definition.name,
                 .doc = definition.doc,
                 .classes = definition.classes,
                 .mean = definition.mean,
                 .deviation = definition.deviation,
                 .data_hash = definition.data_hash};
  NW_ASSIGN(s.weights, weights_of_run(run, definition, checkpoint, &s.counters));
  return s;
}

Result<ExportSource> export_source(const GraphDoc& doc, const std::string& name, RunDefinition& definition) {
  NW_ASSIGN(const FlatNetwork network, flatten_with_opaque(doc, {.training = false, .batch = 1}));
  const Shape& in = network.layers[static_cast<std::size_t>(network.input)].shape;
  definition.name = name;
  definition.doc = doc;
  definition.channels = in[1];
  definition.height = in[2];
  definition.width = in[3];
  ExportSource s{.name = name, .doc = doc};
  NW_ASSIGN(s.weights, initial_weights(network, doc.settings().seed));
  return s;
}

}  // namespace nw::exchange
