// SPDX-License-Identifier: Apache-2.0
// Other sizes for the same elements, in (C,H,W) order: x.reshape(N, channels, height, width) in PyTorch.
#include <algorithm>

#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

/// Sizes of -1 become what the others leave; 0 elements: they do not fit.
Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  Shape out{in[0][0], a.integer("channels"), a.integer("height"), a.integer("width")};
  const std::int64_t elements = in[0].per_sample();
  std::int64_t known = 1;
  int open = 0, unknown = 0;
  for (int d = 1; d < 4; ++d)
    if (out[d] == -1) {
      ++unknown;
      open = d;
    } else {
      known *= std::min<std::int64_t>(out[d], elements + 1);
    }
  if (unknown == 1 && known > 0 && elements % known == 0) out[open] = elements / known;
  const bool fits = unknown <= 1 && known > 0 && std::min({out[1], out[2], out[3]}) > 0 && out.per_sample() == elements;
  if (!fits)
    return ShapeError{
        text(NW_TR("Needs sizes for {0} elements, of which one may be -1; gets {1}"), elements, to_string(in[0], true)),
        0,
        {}};
  return out;
}

void lower(const Attrs&, Emit& e) {
  e.forward("reshape", {e.input()}, {e.output()});
  if (e.needs_grad_of_input()) e.backward("reshape", {e.grad_of_output()}, {e.grad_of_input()});
}

Field size(const char* name, Text label, std::int64_t otherwise) {
  return integer_field(name, std::move(label), otherwise, -1, 1 << 20,
                       text(NW_TR("Its size in the result; -1: what the others leave.")));
}

}  // namespace

extern const LayerType reshape_layer{
    .name = "Reshape",
    .group = "Shape",
    .stem = "reshape",
    .summary = text(NW_TR("Gives the same elements other sizes, for example a vector those of an image.")),
    .onnx = "Reshape",
    .fields = {size("channels", text(NW_TR("Channels")), -1), size("height", text(NW_TR("Height")), 1),
               size("width", text(NW_TR("Width")), 1)},
    .infer = infer,
    .lower = lower};

}  // namespace nw
