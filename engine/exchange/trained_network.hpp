// SPDX-License-Identifier: Apache-2.0
// Networks with trained weights that can be adapted to other data: of a run, of a project that begins with weights, of
// an ONNX file, of any project with a file of weights.
#pragma once
#include "engine/compile/adapt.hpp"
#include "engine/exchange/import_onnx.hpp"

namespace nw::exchange {

struct TrainedNetwork {
  AdaptSource source;
  Weights weights;
  WeightNames names;   // those of them that are kept
  std::string parent;  // name of the run that trained the weights; empty: unknown
  std::vector<Text> notes;
};
/// Errc::bad_input, as of every function here: what is read is not a trained network, or holds an opaque node.
Result<TrainedNetwork> trained_run(const fs::path& run, const std::string& checkpoint);
/// `weights`: a safetensors file; empty: what the project's `start_from` names, whose SHA-256 is checked.
Result<TrainedNetwork> trained_project(const fs::path& file, const fs::path& weights);
Result<TrainedNetwork> trained_onnx(const fs::path& file, const ImportOptions&);
/// Weights are taken by name where their shapes agree; a note counts the others.
Result<TrainedNetwork> trained_document(const GraphDoc&, const fs::path& weights);

}  // namespace nw::exchange
