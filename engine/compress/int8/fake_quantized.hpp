// SPDX-License-Identifier: Apache-2.0
// An 8-bit network as a network in fp32 that rounds where the former does: what quantization-aware fine-tuning trains
// (Jacob et al., "Quantization and training of neural networks for efficient integer-arithmetic-only inference", CVPR
// 2018). Values: s (clamp(round(x / s), -z, 255 - z)), with the calibrated scale s and zero point z, whose derivative
// is taken as 1 within the limits and 0 beyond them. Weights: rounded by rows, their scales following them.
#pragma once
#include "engine/compress/int8/tensors.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::compress::int8 {

struct FakeQuantized {
  /// Without blocks; batch norms are folded into the convolutions before them, one that is alone is a depthwise
  /// convolution of one pixel, and a layer Formula behind each value rounds it.
  GraphDoc doc;
  exchange::Weights weights;  // of `doc`, not rounded
};
/// `tensors`: what quantize() made of the same network and weights. Errc::bad_input, as of quantize().
Result<FakeQuantized> fake_quantized(const GraphDoc&, const exchange::Weights&, const Tensors& tensors);

/// Puts the weights of FakeQuantized::doc in 8 bits into the tensors of the network `flat`, and those of layers that
/// are computed in fp32 as they are.
Status put_weights(const FlatNetwork& flat, const exchange::Weights& of_fake, Tensors&);

/// Rounds those weights: what the 8-bit network computes with. For many calls with one network.
class WeightRounding {
 public:
  WeightRounding(const FlatNetwork& flat, const Tensors&);
  /// Writes into `rounded`, which has the same names. Errc::bad_input: a weight is not finite.
  Status round(const exchange::Weights& trained, exchange::Weights& rounded) const;

 private:
  struct Layer {
    std::string name;
    float input_scale;
  };
  std::vector<Layer> layers_;
};

}  // namespace nw::compress::int8
