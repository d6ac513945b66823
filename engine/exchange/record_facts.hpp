// SPDX-License-Identifier: Apache-2.0
// What a record is called in PyTorch and what a layer costs on an example: the reference pages of the user guide and
// `netwright-cli records`.
#pragma once
#include <optional>
#include <string>

#include "engine/compile/flat_network.hpp"
#include "kernels/optimizer.hpp"

namespace nw::exchange {

/// A layer with the defaults of its attributes behind example inputs: an image of 16 channels and 32×32 pixels, else a
/// vector of 64 features, else 49 tokens of 64 features; layers of several inputs get two of them.
struct LayerExample {
  FlatLayer layer;
  std::int64_t multiply_adds = 0;  // of one sample's forward pass
};
/// nullopt: the defaults fit none of the example inputs.
std::optional<LayerExample> example_of(const LayerType&);

struct TorchName {
  std::string name;         // "nn.Conv2d", an expression ("torch.cat([…], dim=1)"), or "": there is none
  bool own_class = false;   // of the exported file itself, not of PyTorch
  bool expression = false;  // no name of a class or function
};
TorchName torch_name(const LayerExample&);
TorchName torch_name(const Optimizer&);

}  // namespace nw::exchange
