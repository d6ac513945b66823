// SPDX-License-Identifier: Apache-2.0
// A project and weights from an ONNX model.
#pragma once
#include "engine/exchange/opaque_nodes.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::exchange {

struct ImportedNetwork {
  GraphDoc doc;
  Weights weights;
  WeightNames names;                         // of these weights, and of counters
  KeptOperators kept;                        // of opaque nodes
  std::vector<Preprocessing> preprocessing;  // that the file does before the network
  std::vector<float> mean,
      deviation;  // that the file normalizes its images with, of pixels from 0 to 1; empty: unknown
  std::vector<std::string> classes;
  std::vector<Text> notes;          // what the user should know
  std::vector<OpaqueGroup> opaque;  // operators that stand in the document as opaque nodes; they cannot be trained
  std::int64_t layers = 0;
  std::int64_t folded_batch_norms = 0;  // they are in the convolutions before them
  bool drawn = false;                   // the file holds the project it was exported from, and it agrees with the graph
  std::string end;                      // "Softmax" or "LogSoftmax": what the file does with the network's scores
};
/// How many nodes the groups are together.
std::int64_t count_of(const std::vector<OpaqueGroup>&);
Result<ImportedNetwork> import_onnx(const onnx::Model&, const std::string& where, const ImportOptions&);
/// Applies the file's preprocessing to images (N,C,H,W).
void preprocess(const std::vector<Preprocessing>&, std::span<float> nchw, std::int64_t channels, std::int64_t area);

}  // namespace nw::exchange
