// SPDX-License-Identifier: Apache-2.0
// A project and weights from an ONNX model.
#pragma once
#include "engine/exchange/graph_reader.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::exchange {

struct ImportedNetwork {
  GraphDoc doc;
  Weights weights;
  std::vector<Preprocessing> preprocessing;  // that the file does before the network
  std::vector<std::string> classes;
  std::vector<Text> notes;  // what the user should know
  std::int64_t layers = 0;
  std::int64_t folded_batch_norms = 0;  // they are in the convolutions before them
  bool drawn = false;                   // the file holds the project it was exported from, and it agrees with the graph
  std::string end;                      // "Softmax" or "LogSoftmax": what the file does with the network's scores
};
Result<ImportedNetwork> import_onnx(const onnx::Model&, const std::string& where, const ImportOptions&);
/// Applies the file's preprocessing to images (N,C,H,W).
void preprocess(const std::vector<Preprocessing>&, std::span<float> nchw, std::int64_t channels, std::int64_t area);

}  // namespace nw::exchange
