// SPDX-License-Identifier: Apache-2.0
// The layers of a network as an 8-bit network computes them: batch norms inside the convolutions before them, and
// activations that only limit values inside the layers before them.
#pragma once
#include <optional>
#include <vector>

#include "engine/compile/flat_network.hpp"

namespace nw::compress::int8 {

/// How a layer is computed in 8 bits.
enum class Form : std::uint8_t {
  input,     // real numbers become whole ones
  same,      // the output is the input: Flatten, Dropout
  product,   // convolution, linear layer; depthwise too
  affine,    // a batch norm alone: a factor and a summand for each channel
  max_pool,  // scale and zero point stay
  mean_pool,
  pair,  // sum or product of two values
  concat,
  table,  // an activation: an output for each of 256 inputs
  real    // any other layer of one value: in fp32, between whole numbers
};
Form form_of(const FlatLayer&);

/// Limits of real numbers.
struct Limits {
  double least, most;
};
/// Of ReLU, ReLU6 and Hardtanh.
std::optional<Limits> limits_of(const FlatLayer&);

struct FusedLayer {
  Form form = Form::same;
  int layer = -1, norm = -1, activation = -1;  // of FlatNetwork::layers
  int end = -1;                                // whose output the result is
};
/// In the order of computation, up to the layer that scores are read from: a Sigmoid that belongs to the loss is left
/// out.
std::vector<FusedLayer> fused_layers(const FlatNetwork&);
/// The layer that scores are read from.
int score_layer(const FlatNetwork&);

}  // namespace nw::compress::int8
