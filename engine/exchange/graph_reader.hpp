// SPDX-License-Identifier: Apache-2.0
// From an ONNX graph to layers: constants are folded, each operator is given to the records of the operator table.
// Private to engine/exchange.
#pragma once
#include <memory>
#include <set>

#include "engine/exchange/import_options.hpp"
#include "engine/exchange/operators/operator.hpp"

namespace nw::exchange {

/// An operation on the images before the network: one number for each channel.
struct Preprocessing {
  std::string op;  // Add, Sub, Mul, Div
  std::vector<float> by;
};

/// What an ONNX graph computes, as layers. `model` must outlive it.
struct ReadGraph {
  std::vector<BuiltLayer> layers;  // layers[0] is the Input
  int output = -1;
  std::string input_name;  // of the file
  std::vector<Preprocessing> preprocessing;
  std::vector<Text> notes;
  std::string end;  // "Softmax" or "LogSoftmax": left out, because the loss contains it
  std::int64_t folded_batch_norms = 0;
};

/// An operator that no layer is made of becomes an opaque node. Where the file does not give the sizes of its output,
/// the operators behind it are read as if it left the sizes unchanged.
/// Errc::bad_input: the file is malformed, or holds more than `most_opaque` such operators (strict: any); the message
/// lists every one.
Result<ReadGraph> read_graph(const onnx::Model& model, const std::string& where, const ImportOptions&);

}  // namespace nw::exchange
