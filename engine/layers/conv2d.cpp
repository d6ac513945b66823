// SPDX-License-Identifier: Apache-2.0
// 2-D convolution (cross-correlation, as in PyTorch): (N,C,H,W) -> (N,out_channels,H',W') with
// H' = (H + 2 padding - dilation (kernel_size - 1) - 1) / stride + 1.
#include "engine/layers/weighted.hpp"
#include "engine/layers/window.hpp"

namespace nw {
namespace {

std::int64_t room(std::int64_t size, std::int64_t pad, std::int64_t dilation, std::int64_t kernel) {
  return size + 2 * pad - dilation * (kernel - 1) - 1;
}

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const Shape& x = in[0];
  if (x.rank() != 4) return ShapeError{text(NW_TR("Needs an image, gets a vector of {0}"), to_string(x, true)), 0, {}};
  const auto [kh, kw] = a.pair("kernel_size");
  const auto [ph, pw] = a.pair("padding");
  const auto [sh, sw] = a.pair("stride");
  const auto [dh, dw] = a.pair("dilation");
  const std::int64_t groups = a.integer("groups"), out = a.integer("out_channels");
  if (x[1] % groups != 0 || out % groups != 0)
    return ShapeError{text(NW_TR("{0} groups do not divide {1} input and {2} output channels"), groups, x[1], out),
                      0,
                      {QuickFix::one_group}};
  const std::int64_t rh = room(x[2], ph, dh, kh), rw = room(x[3], pw, dw, kw);
  if (rh < 0 || rw < 0)
    return ShapeError{text(NW_TR("The kernel {0}×{1} is larger than the padded image {2}×{3}"), dh * (kh - 1) + 1,
                           dw * (kw - 1) + 1, x[2] + 2 * ph, x[3] + 2 * pw),
                      0,
                      {QuickFix::set_padding}};
  return Shape{x[0], out, rh / sh + 1, rw / sw + 1};
}

std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  const auto [kh, kw] = a.pair("kernel_size");
  const std::int64_t out = a.integer("out_channels"), each = in[0][1] / a.integer("groups");
  return weight_and_bias({out, each, kh, kw}, each * kh * kw, out / a.integer("groups") * kh * kw, out,
                         a.boolean("bias"));
}

std::int64_t multiply_adds(const Attrs& a, std::span<const Shape> in, const Shape& out) {
  const auto [kh, kw] = a.pair("kernel_size");
  return out.per_sample() * (in[0][1] / a.integer("groups")) * kh * kw;
}
void lower(const Attrs& a, Emit& e) { lower_weighted("conv2d", conv_geometry(a), e); }

}  // namespace

extern const LayerType conv2d_layer{
    .name = "Conv2d",
    .group = "Convolution",
    .stem = "conv",
    .summary = text(NW_TR("Slides small filters over an image.")),
    .onnx = "Conv",
    .fields = {integer_field("out_channels", text(NW_TR("Filters")), 16, 1, 65536,
                             text(NW_TR("How many filters, that is channels of the output."))),
               pair_field("kernel_size", text(NW_TR("Kernel size")), 3, 1, 63,
                          text(NW_TR("Height and width of each filter."))),
               pair_field("stride", text(NW_TR("Stride")), 1, 1, 32,
                          text(NW_TR("How far the filter moves each time."))),
               pair_field("padding", text(NW_TR("Padding")), 0, 0, 63,
                          text(NW_TR("Zeros added on every side of the image."))),
               pair_field("dilation", text(NW_TR("Dilation")), 1, 1, 32,
                          text(NW_TR("Distance between the input pixels of a filter."))),
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
