// SPDX-License-Identifier: Apache-2.0
// An input of a block definition. Expanding the block removes it.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in.empty() ? Shape{} : in[0]; }

}  // namespace

extern const LayerType block_input_layer{
    .name = "BlockInput",
    .group = "Input",
    .stem = "in",
    .summary = text(NW_TR("Where values enter a block.")),
    .inputs = 0,
    .outputs = 1,
    .fields = {integer_field("port", text(NW_TR("Port")), 0, 0, 15, text(NW_TR("Position among the block's ports.")))},
    .infer = infer};

}  // namespace nw
