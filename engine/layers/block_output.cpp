// SPDX-License-Identifier: Apache-2.0
// An output of a block definition. Expanding the block removes it.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in.empty() ? Shape{} : in[0]; }

}  // namespace

extern const LayerType block_output_layer{
    .name = "BlockOutput",
    .group = "Input",
    .stem = "out",
    .summary = text(NW_TR("Where values leave a block.")),
    .inputs = 1,
    .outputs = 0,
    .fields = {integer_field("port", text(NW_TR("Port")), 0, 0, 15, text(NW_TR("Position among the block's ports.")))},
    .infer = infer};

}  // namespace nw
