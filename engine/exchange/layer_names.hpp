// SPDX-License-Identifier: Apache-2.0
// Names of imported layers and the modules that they belong to. Private to engine/exchange.
#pragma once
#include "engine/exchange/graph_reader.hpp"

namespace nw::exchange {

/// A module of the program that wrote the file: "layer1.0", of class "BasicBlock".
struct Module {
  std::string name, type;
};

/// An imported layer that the output depends on.
struct NamedLayer {
  int index = -1;               // of ReadGraph::layers
  std::string name;             // dotted, unique, allowed in a document
  std::vector<Module> modules;  // that contain it, the outermost first
};
/// In the order of the graph, the Input first.
std::vector<NamedLayer> name_layers(const ReadGraph&, bool ours);

}  // namespace nw::exchange
