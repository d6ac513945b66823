// SPDX-License-Identifier: Apache-2.0
// y = clamp(x + 3, 0, 6) / 6, element by element.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType hardsigmoid_layer = element_layer<math::Hardsigmoid>({
    .name = "Hardsigmoid",
    .stem = "hardsigmoid",
    .summary = text(NW_TR("Sigmoid approximated by three line segments: cheaper, for small networks.")),
    .onnx = "HardSigmoid",
});

}  // namespace nw
