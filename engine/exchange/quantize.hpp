// SPDX-License-Identifier: Apache-2.0
// Models in int8 with QuantizeLinear and DequantizeLinear, placed as TensorRT fuses them (its documentation's "Q/DQ
// layer-placement recommendations"): before the inputs of convolutions and matrix products, not behind them, and before
// those inputs of an addition that are not the output of a product that is fused with it. Weights are int8 with a scale
// for each output channel; every zero point is 0; biases and all other operators stay fp32.
#pragma once
#include "engine/compress/ranges.hpp"
#include "engine/exchange/onnx/model.hpp"

namespace nw::exchange {

/// The layer whose output a value of the model is.
using LayerOfValue = std::map<std::string, std::string>;

/// Errc::bad_input: the model has no convolution and no matrix product that could be quantized.
Status check_quantizable(const onnx::Model&, const LayerOfValue&);
/// Errc::bad_input: that; a layer's range is missing; weights, or values in the calibration, are not finite (by the
/// layer's name).
Result<onnx::Model> in_int8(onnx::Model, const LayerOfValue&, const compress::RangeTable&, compress::CalibrationMethod);

}  // namespace nw::exchange
