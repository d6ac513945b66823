// SPDX-License-Identifier: Apache-2.0
// A network as source code has it: the blocks of one structure are one class, whose parameters are what its instances
// differ in. Made of the flat network, so that what is written is what is computed.
#pragma once
#include <set>

#include "engine/exchange/source/layer_source.hpp"
#include "kernels/result.hpp"

namespace nw::exchange {

/// A layer or an instance of a class in a scope. Values are numbered within the scope: first its inputs, then the
/// outputs of its items in order.
struct SourceItem {
  std::string name;   // within the scope, dotted: "conv1", "layer1.0"
  std::string type;   // "Conv2d", or the block's name
  LayerSource call;   // arguments are literals, or expressions of the scope's parameters
  int class_of = -1;  // index of SourceNetwork::classes; -1: a layer
  std::vector<int> inputs, outputs;
  std::vector<std::string> weights;  // first parts of its weights' names: "weight", "out_proj"
};

struct SourceScope {
  std::string block;                    // name in the document; "": the network
  std::string name;                     // of the class
  std::vector<std::string> parameters;  // of its constructor
  int inputs = 0;
  std::vector<SourceItem> items;
  std::vector<int> outputs;
  Shape input;  // of the network
};

struct SourceNetwork {
  std::vector<SourceScope> classes;  // those that others contain come first
  SourceScope main;
  std::set<std::string> helpers;  // with those that they need
};
/// `reserved`: names that no class gets. Errc::bad_input: a layer without a record, by its name.
Result<SourceNetwork> source_network(const FlatNetwork&, SourceLanguage, const std::set<std::string>& reserved,
                                     const std::string& main_class);

/// What one line computes.
struct SourceStep {
  std::vector<int> inputs, outputs;
  std::string hint;  // for the names of variables
};
/// The variable of each value: "x" where only the next step reads it, otherwise a name of its own. The names of
/// `reserved` are not used. The last step is the return of `outputs`.
std::vector<std::string> variables_of(const std::vector<SourceStep>&, int inputs, const std::vector<int>& outputs,
                                      std::set<std::string> reserved);

/// The call with its arguments; `extra` is the last one ("name=…"), "": none.
struct PythonCode;
PythonCode call_code(const LayerSource&, const std::string& extra = "");
/// `apply` with the object and the inputs in it.
std::string applied_text(const LayerSource&, const std::string& self, const std::vector<std::string>& inputs);

}  // namespace nw::exchange
