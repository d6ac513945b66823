// SPDX-License-Identifier: Apache-2.0
// The weights of a layer that is computed in 8 bits, batch norms folded in: as real numbers and as whole ones.
#pragma once
#include "engine/compress/int8/fused_layers.hpp"
#include "engine/compress/int8/tensors.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::compress::int8 {

/// A matrix with a row for each output channel, and the summand of each.
struct Rows {
  std::vector<double> weights, bias;
  std::vector<std::int64_t> shape;  // of the weights in the file
};
/// Of a product or a batch norm alone. Errc::bad_input: a weight is missing or of another size.
Result<Rows> rows_of(const FlatNetwork&, const FusedLayer&, const exchange::Weights&);

/// real = weights * scales of the row; real bias = bias * input scale * scales.
struct WholeRows {
  std::vector<std::int8_t> weights;
  std::vector<float> scales;
  std::vector<std::int32_t> bias;
};
/// Symmetric, a scale for each row by its largest magnitude. Errc::bad_input, with the layer's name: a number is not
/// finite.
Result<WholeRows> whole_rows(const Rows&, float input_scale, const std::string& layer);
/// The tensors L.weight, L.weight_scale and L.bias.
void put_rows(Tensors&, const std::string& layer, const std::vector<std::int64_t>& shape, const WholeRows&);

/// By layer of the network: the scale of its output, that of what it hands on where it has none of its own.
std::vector<float> output_scales(const FlatNetwork&, const Tensors&);

}  // namespace nw::compress::int8
