// SPDX-License-Identifier: Apache-2.0
// The network of a document as a list of layers: blocks expanded, bypassed layers left out, shapes inferred. For
// exporters, which need the layers and not the plan.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/compile/compile.hpp"
#include "engine/design/layer_type.hpp"

namespace nw {

/// One repeat of a block instance: "layer1.0" of block "BasicBlock".
struct InstancePath {
  std::string name, block;
  // of the block, with this instance's values; shared by its layers
  std::shared_ptr<const std::map<std::string, std::int64_t>> parameters{};
  bool operator==(const InstancePath&) const = default;
};

struct FlatLayer {
  const LayerType* type = nullptr;
  std::string name;  // dotted; prefix of the weights' names
  Attrs attrs;       // with defaults, formulas evaluated
  std::vector<int> inputs;
  std::vector<Shape> input_shapes;  // N = 1 first
  Shape shape;
  std::vector<Weight> weights;
  std::vector<InstancePath> blocks;
  bool frozen = false;             // never trained
  std::int64_t frozen_epochs = 0;  // not trained in the first epochs
  double lr_scale = 1;             // multiplies the learning rate
};

struct FlatNetwork {
  std::vector<FlatLayer> layers;  // every producer before its consumers; the loss is not among them
  int input = -1, output = -1;    // output: what the loss reads
  const LayerType* loss = nullptr;
  Attrs loss_attrs;
};
/// The layers that the loss depends on, or the message of the first error (Errc::bad_input).
Result<FlatNetwork> flatten(const GraphDoc&, const Target&);
/// The same; opaque nodes are layers, too. Shapes that are not known have rank 0.
Result<FlatNetwork> flatten_with_opaque(const GraphDoc&, const Target&);

}  // namespace nw
