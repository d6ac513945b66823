// SPDX-License-Identifier: Apache-2.0
// y = tanh(x), element by element.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType tanh_layer = element_layer<math::Tanh>({
    .name = "Tanh",
    .stem = "tanh",
    .summary = text(NW_TR("Squeezes every value into -1 to 1.")),
    .onnx = "Tanh",
});

}  // namespace nw
