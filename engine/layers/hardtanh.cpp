// SPDX-License-Identifier: Apache-2.0
// y = min(max(x, min_val), max_val), element by element; ONNX and NumPy call it Clip.
#include "engine/layers/activation.hpp"

namespace nw {

extern const LayerType hardtanh_layer = element_layer<math::Hardtanh>({
    .name = "Hardtanh",
    .stem = "clip",
    .summary = text(NW_TR("Limits every value to a range; also known as Clip.")),
    .onnx = "Clip",
    .fields = {real_field("min_val", text(NW_TR("Lowest value")), -1, -1e6, 0,
                          text(NW_TR("Smaller values become this one."))),
               real_field("max_val", text(NW_TR("Highest value")), 1, 1e-6, 1e6,
                          text(NW_TR("Larger values become this one.")))},
});

}  // namespace nw
