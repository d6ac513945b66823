// SPDX-License-Identifier: Apache-2.0
// The channels of the groups by turns: channel i of group g becomes channel i * groups + g. Zhang et al., "ShuffleNet",
// arXiv 1707.01083, 3.1. The gradient is the shuffle with C / groups groups.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const std::int64_t groups = a.integer("groups");
  if (in[0][1] % groups != 0)
    return ShapeError{
        text(NW_TR("Needs channels that {0} groups divide, gets {1}"), groups, to_string(in[0], true)), 0, {}};
  return in[0];
}

void lower(const Attrs& a, Emit& e) {
  const std::int64_t groups = a.integer("groups"), each = e.shape(e.input())[1] / groups;
  e.forward("channel_shuffle", {e.input()}, {e.output()}, {{"groups", groups}});
  if (e.needs_grad_of_input())
    e.backward("channel_shuffle", {e.grad_of_output()}, {e.grad_of_input()}, {{"groups", each}});
}

}  // namespace

extern const LayerType channel_shuffle_layer{
    .name = "ChannelShuffle",
    .group = "Shape",
    .stem = "shuffle",
    .summary = text(NW_TR("Mixes the channels of groups, so that grouped convolutions exchange information.")),
    .fields = {integer_field("groups", text(NW_TR("Groups")), 2, 1, 4096,
                             text(NW_TR("Number of groups of channels.")))},
    .infer = infer,
    .lower = lower};

}  // namespace nw
