// SPDX-License-Identifier: Apache-2.0
// A trained network with measured ranges in 8 bits: the tensors of int8/tensors.hpp.
//
// Weights: symmetric, -127 to 127, a scale for each output channel by its largest magnitude, batch norms folded in.
// Values: unsigned with a zero point, between the limits of the calibration's method, zero always among them.
#pragma once
#include "engine/compress/int8/tensors.hpp"
#include "engine/compress/ranges.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::compress::int8 {

/// Errc::bad_input: a layer that cannot be computed in 8 bits, whose range is missing, whose values on the
/// calibration's images or whose weights are not finite, or whose sums could exceed 32 bits: by the layer's name.
Result<Tensors> quantize(const FlatNetwork&, const exchange::Weights&, const RangeTable&, CalibrationMethod);

/// The same network in fp32: weights that an fp32 network computes nearly the same scores with. Batch norms that are
/// folded become a bias. By the names in files.
Result<exchange::Weights> real_weights(const FlatNetwork&, const Tensors&);

/// The weights of a layer that is computed in fp32.
Result<exchange::Weights> layer_weights(const FlatLayer&, const Tensors&);

}  // namespace nw::compress::int8
