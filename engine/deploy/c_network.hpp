// SPDX-License-Identifier: Apache-2.0
// A network as C statements with their weights and their memory. Private to engine/deploy.
#pragma once
#include "engine/deploy/layers/c_layer.hpp"
#include "engine/exchange/export_onnx.hpp"

namespace nw::deploy {

/// One layer, with the activation and the batch norm that became a part of it.
struct CStep {
  std::string title;                    // "conv1: Conv2d, 6x28x28"; untrusted words
  std::vector<std::string> statements;  // {0}, {out}, {s0}: places in the arena
  std::vector<int> inputs;              // values
  int output = -1;
  std::vector<std::int64_t> scratch;  // floats
  bool in_place = false;
};

struct CNetwork {
  std::vector<CStep> steps;
  std::vector<std::int64_t> sizes;     // of the values, in floats; value 0 is the picture
  int output = 0;                      // value
  Shape in, out;                       // (1,C,H,W); of the scores
  std::vector<std::string> functions;  // C functions, each behind those that it needs
  std::vector<float> weights;
  std::int64_t folded = 0, fused = 0;  // batch norms and activations that cost nothing
};
/// Errc::bad_input: a layer that cannot be written in C, or weights that are missing or not finite.
Result<CNetwork> c_network(const GraphDoc&, const exchange::Weights&);

/// The steps' statements with their places in the arena `a`.
struct PlacedNetwork {
  std::vector<std::string> texts;      // of the steps
  std::int64_t floats = 0;             // of the arena
  std::int64_t input = 0, output = 0;  // places
};
PlacedNetwork place(const CNetwork&);

/// Behind each value; what a block of channels stores too much (engine/deploy/layers/c_layer.hpp).
inline constexpr std::int64_t slack = 16;

}  // namespace nw::deploy
