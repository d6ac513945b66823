// SPDX-License-Identifier: Apache-2.0
// y = x * clamp(x + 3, 0, 6) / 6, element by element. Howard et al., arXiv 1905.02244.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType hardswish_layer = element_layer<math::Hardswish>({
    .name = "Hardswish",
    .stem = "hardswish",
    .summary = text(NW_TR("Piecewise approximation of SiLU: cheaper, for small networks.")),
    .onnx = "HardSwish",
});

}  // namespace nw
