// SPDX-License-Identifier: Apache-2.0
// y = x * sigmoid(x), element by element.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType silu_layer = element_layer<math::Silu>({
    .name = "SiLU",
    .stem = "silu",
    .summary = text(NW_TR("A smooth ReLU: x times its sigmoid (also called Swish).")),
    .onnx = "",
});

}  // namespace nw
