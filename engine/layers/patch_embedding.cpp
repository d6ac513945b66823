// SPDX-License-Identifier: Apache-2.0
// An image as a sequence: each patch of patch_size x patch_size pixels becomes a token of embed_dim features by one
// linear map, which is a convolution whose stride is its kernel. (N,C,H,W) -> (N,embed_dim,tokens,1), row by row.
// Dosovitskiy et al., "An image is worth 16x16 words", arXiv 2010.11929, 3.1. Weights as torchvision's conv_proj.
#include "engine/layers/weighted.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const std::int64_t patch = a.integer("patch_size");
  if (in[0].rank() != 4 || in[0][2] % patch != 0 || in[0][3] % patch != 0)
    return ShapeError{
        text(NW_TR("Needs an image whose height and width {0} divides, gets {1}"), patch, to_string(in[0], true)),
        0,
        {}};
  return Shape{in[0][0], a.integer("embed_dim"), in[0][2] / patch * (in[0][3] / patch), 1};
}

std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  const std::int64_t patch = a.integer("patch_size"), out = a.integer("embed_dim"), channels = in[0][1];
  return weight_and_bias({out, channels, patch, patch}, channels * patch * patch, out * patch * patch, out,
                         a.boolean("bias"));
}

void lower(const Attrs& a, Emit& e) {
  using List = std::vector<std::int64_t>;
  const std::int64_t patch = a.integer("patch_size"), out = a.integer("embed_dim");
  const StepAttrs attrs{
      {"stride", List{patch, patch}}, {"padding", List{0, 0}}, {"dilation", List{1, 1}}, {"groups", std::int64_t{1}}};
  const ValueRef x = e.input(), w = e.weight("weight");
  const Shape s = e.shape(x), grid{s[0], out, s[2] / patch, s[3] / patch};
  const ValueRef patches = e.between("patches", grid);
  e.forward("conv2d", {x, w, e.weight("bias")}, {patches}, attrs);
  e.forward("reshape", {patches}, {e.output()});
  if (!e.training()) return;
  const ValueRef dy = e.between_gradients("patches", grid);
  e.backward("reshape", {e.grad_of_output()}, {dy});
  e.backward("conv2d_grad_weight", {dy, x}, {e.grad_of_weight("weight"), e.grad_of_weight("bias")}, attrs);
  if (e.needs_grad_of_input()) e.backward("conv2d_grad_input", {dy, w}, {e.grad_of_input()}, attrs);
}

std::int64_t multiply_adds(const Attrs& a, std::span<const Shape> in, const Shape& out) {
  const std::int64_t patch = a.integer("patch_size");
  return out.per_sample() * in[0][1] * patch * patch;
}

}  // namespace

extern const LayerType patch_embedding_layer{
    .name = "PatchEmbedding",
    .group = "Attention",
    .stem = "conv_proj",
    .summary = text(NW_TR("Cuts an image into patches, each of which becomes a token of a sequence.")),
    .onnx = "Conv",
    .fields = {integer_field("embed_dim", text(NW_TR("Features")), 192, 1, 65536,
                             text(NW_TR("How many features each token has."))),
               integer_field("patch_size", text(NW_TR("Patch size")), 2, 1, 63,
                             text(NW_TR("Height and width of a patch.")), "px"),
               boolean_field("bias", text(NW_TR("Bias")), true,
                             text(NW_TR("Adds one learned number to each feature.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
