// SPDX-License-Identifier: Apache-2.0
// y = 1 / (1 + exp(-x)), element by element.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType sigmoid_layer = element_layer<math::Sigmoid>({
    .name = "Sigmoid",
    .stem = "sigmoid",
    .summary = text(NW_TR("Squeezes every value into 0 to 1.")),
    .onnx = "Sigmoid",
});

}  // namespace nw
