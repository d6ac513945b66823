// SPDX-License-Identifier: Apache-2.0
// y = x * tanh(log(1 + e^x)), element by element. Misra, arXiv 1908.08681.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType mish_layer = element_layer<math::Mish>({
    .name = "Mish",
    .stem = "mish",
    .summary = text(NW_TR("A smooth ReLU: x times the hyperbolic tangent of its softplus.")),
    .onnx = "Mish",
});

}  // namespace nw
