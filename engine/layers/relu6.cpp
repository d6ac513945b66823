// SPDX-License-Identifier: Apache-2.0
// y = min(max(0, x), 6), element by element.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType relu6_layer = element_layer<math::Relu6>({
    .name = "ReLU6",
    .stem = "relu6",
    .summary = text(NW_TR("ReLU with an upper limit of 6, for small and quantised networks.")),
    .onnx = "Clip",
});

}  // namespace nw
