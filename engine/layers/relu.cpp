// SPDX-License-Identifier: Apache-2.0
// y = max(0, x), element by element.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType relu_layer = element_layer<math::Relu>({
    .name = "ReLU",
    .stem = "relu",
    .summary = text(NW_TR("Keeps positive values, sets the rest to zero.")),
    .onnx = "Relu",
});

}  // namespace nw
