// SPDX-License-Identifier: Apache-2.0
// y = x / (1 + |x|): the worked example of a new layer, which would be engine/layers/softsign.cpp.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType softsign_layer = element_layer<math::Softsign>({
    .name = "Softsign",
    .stem = "softsign",
    .summary = text(NW_TR("Squeezes every value into -1 to 1, more slowly than Tanh.")),
    .onnx = "Softsign",
});

}  // namespace nw
