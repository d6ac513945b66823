// SPDX-License-Identifier: Apache-2.0
// Transposed convolution, the adjoint of Conv2d: (N,C,H,W) -> (N,out_channels,H',W') with H' = (H - 1) stride - 2
// padding + dilation (kernel_size - 1) + output_padding + 1. Zeiler et al., "Deconvolutional networks", 2010.
#include <algorithm>

#include "engine/layers/weighted.hpp"
#include "engine/layers/window.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const Shape& x = in[0];
  if (x.rank() != 4) return ShapeError{text(NW_TR("Needs an image, gets a vector of {0}"), to_string(x, true)), 0, {}};
  const auto [kh, kw] = a.pair("kernel_size");
  const auto [sh, sw] = a.pair("stride");
  const auto [ph, pw] = a.pair("padding");
  const auto [eh, ew] = a.pair("output_padding");
  const auto [dh, dw] = a.pair("dilation");
  const std::int64_t groups = a.integer("groups"), out = a.integer("out_channels");
  if (x[1] % groups != 0 || out % groups != 0)
    return ShapeError{text(NW_TR("{0} groups do not divide {1} input and {2} output channels"), groups, x[1], out),
                      0,
                      {QuickFix::one_group}};
  if (eh >= std::max(sh, dh) || ew >= std::max(sw, dw))
    return ShapeError{text(NW_TR("The output padding {0}×{1} must be smaller than the stride or the dilation"), eh, ew),
                      0,
                      {QuickFix::no_output_padding}};
  const std::int64_t h = (x[2] - 1) * sh - 2 * ph + dh * (kh - 1) + eh + 1,
                     w = (x[3] - 1) * sw - 2 * pw + dw * (kw - 1) + ew + 1;
  if (h < 1 || w < 1)
    return ShapeError{
        text(NW_TR("The padding {0}×{1} leaves nothing of the output"), ph, pw), 0, {QuickFix::no_padding}};
  return Shape{x[0], out, h, w};
}

std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  const auto [kh, kw] = a.pair("kernel_size");
  const std::int64_t out = a.integer("out_channels"), each = out / a.integer("groups");
  return weight_and_bias({in[0][1], each, kh, kw}, each * kh * kw, in[0][1] / a.integer("groups") * kh * kw, out,
                         a.boolean("bias"));
}

std::int64_t multiply_adds(const Attrs& a, std::span<const Shape> in, const Shape& out) {
  const auto [kh, kw] = a.pair("kernel_size");
  return in[0].per_sample() * (out[1] / a.integer("groups")) * kh * kw;
}
void lower(const Attrs& a, Emit& e) { lower_weighted("conv_transpose2d", conv_geometry(a), e); }

}  // namespace

extern const LayerType conv_transpose2d_layer{
    .name = "ConvTranspose2d",
    .group = "Convolution",
    .stem = "deconv",
    .summary = text(NW_TR("Transposed convolution: enlarges an image with learned filters.")),
    .onnx = "ConvTranspose",
    .fields = {integer_field("out_channels", text(NW_TR("Filters")), 16, 1, 65536,
                             text(NW_TR("How many filters, that is channels of the output."))),
               pair_field("kernel_size", text(NW_TR("Kernel size")), 2, 1, 63,
                          text(NW_TR("Height and width of each filter."))),
               pair_field("stride", text(NW_TR("Stride")), 2, 1, 32,
                          text(NW_TR("Distance between neighbouring input pixels in the output."))),
               pair_field("padding", text(NW_TR("Padding")), 0, 0, 63,
                          text(NW_TR("Pixels cut off on every side of the output."))),
               pair_field("output_padding", text(NW_TR("Output padding")), 0, 0, 31,
                          text(NW_TR("Pixels added below and on the right of the output."))),
               pair_field("dilation", text(NW_TR("Dilation")), 1, 1, 32,
                          text(NW_TR("Distance between the output pixels of a filter."))),
               integer_field(
                   "groups", text(NW_TR("Groups")), 1, 1, 65536,
                   text(NW_TR("Channels are split into so many independent parts; as many as channels = depthwise."))),
               boolean_field("bias", text(NW_TR("Bias")), true,
                             text(NW_TR("Adds one learned number to each channel.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
