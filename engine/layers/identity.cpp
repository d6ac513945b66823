// SPDX-License-Identifier: Apache-2.0
// Passes its input through. The compiler removes it, so it costs nothing. Collapsed on the canvas, it is a dot that
// routes a connection.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

}  // namespace

extern const LayerType identity_layer{
    .name = "Identity",
    .group = "Shape",
    .stem = "dot",
    .summary = text(NW_TR("Passes its input on unchanged; collapsed, it is a bend point of a connection.")),
    .onnx = "Identity",
    .infer = infer};

}  // namespace nw
