// SPDX-License-Identifier: Apache-2.0
// The images of the data set. Its attributes are the image shape that the network expects; the data set must agree.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape>) {
  return Shape{1, a.integer("channels"), a.integer("height"), a.integer("width")};
}

}  // namespace

extern const LayerType input_layer{
    .name = "Input",
    .group = "Input",
    .stem = "images",
    .summary = text(NW_TR("Where the images of the data set enter.")),
    .inputs = 0,
    .fields = {integer_field("channels", text(NW_TR("Channels")), 1, 1, 64, text(NW_TR("1 for grey, 3 for colour."))),
               integer_field("height", text(NW_TR("Height")), 28, 1, 4096, text(NW_TR("Height of the images.")), "px"),
               integer_field("width", text(NW_TR("Width")), 28, 1, 4096, text(NW_TR("Width of the images.")), "px")},
    .infer = infer};

}  // namespace nw
