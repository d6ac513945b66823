// SPDX-License-Identifier: Apache-2.0
// y = x where x > 0, alpha (e^x - 1) elsewhere. Clevert, Unterthiner & Hochreiter, arXiv 1511.07289.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType elu_layer = element_layer<math::Elu>({
    .name = "ELU",
    .stem = "elu",
    .summary = text(NW_TR("Like ReLU, but negative values approach a lower limit smoothly.")),
    .onnx = "Elu",
    .fields = {real_field("alpha", text(NW_TR("Alpha")), 1, 0, 10,
                          text(NW_TR("Magnitude of the lower limit of negative values.")))},
});

}  // namespace nw
