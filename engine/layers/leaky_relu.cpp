// SPDX-License-Identifier: Apache-2.0
// y = x where x > 0, negative_slope * x elsewhere.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType leaky_relu_layer = element_layer<math::LeakyRelu>({
    .name = "LeakyReLU",
    .stem = "leakyrelu",
    .summary = text(NW_TR("Like ReLU, but negative values keep a small slope.")),
    .onnx = "LeakyRelu",
    .fields = {real_field("negative_slope", text(NW_TR("Negative slope")), 0.01, 0, 1,
                          text(NW_TR("What negative values are multiplied by.")))},
});

}  // namespace nw
