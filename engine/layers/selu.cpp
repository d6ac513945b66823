// SPDX-License-Identifier: Apache-2.0
// y = scale * ELU(x) with alpha = 1.6733 and scale = 1.0507. Klambauer et al., arXiv 1706.02515.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType selu_layer = element_layer<math::Selu>({
    .name = "SELU",
    .stem = "selu",
    .summary = text(NW_TR("ELU with fixed constants that keep the values of deep networks normalized.")),
    .onnx = "Selu",
});

}  // namespace nw
