// SPDX-License-Identifier: Apache-2.0
// Attributes and weights of an imported layer as its type needs them. Private to engine/exchange.
#pragma once
#include "engine/exchange/operators/operator.hpp"

namespace nw::exchange {

/// Adds defaults. Returns why the layer does not take the attributes; empty: it does.
Text complete(const LayerType&, AttrMap&);
/// Makes the weights f32 tensors with the wanted shapes. Returns what is missing or of another size.
Text fit(const std::vector<Weight>& wanted, std::map<std::string, onnx::Tensor>& weights);

/// Completes the attributes of a layer whose type and input shapes are known, infers its shape and takes its weights.
/// Returns why it does not take them; `wrong_weights`: because of them.
Text fit_layer(BuiltLayer&, std::map<std::string, onnx::Tensor> weights, bool& wrong_weights);

}  // namespace nw::exchange
