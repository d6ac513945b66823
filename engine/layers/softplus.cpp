// SPDX-License-Identifier: Apache-2.0
// y = log(1 + e^(beta x)) / beta; x itself where beta x > threshold.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType softplus_layer = element_layer<math::Softplus>({
    .name = "Softplus",
    .stem = "softplus",
    .summary = text(NW_TR("A smooth ReLU whose values are always positive.")),
    .onnx = "Softplus",
    .fields = {real_field("beta", text(NW_TR("Beta")), 1, 0.01, 100,
                          text(NW_TR("How sharply the curve bends at 0: the larger, the closer to ReLU."))),
               real_field("threshold", text(NW_TR("Threshold")), 20, 0, 1000,
                          text(NW_TR("Where beta times x is larger than this, the output is x.")))},
});

}  // namespace nw
