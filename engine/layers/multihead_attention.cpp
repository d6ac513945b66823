// SPDX-License-Identifier: Apache-2.0
// Multi-head self-attention: per head softmax(Q K^T / sqrt(d)) V with Q, K and V linear in the tokens, then a linear
// map of all heads. Vaswani et al., "Attention is all you need", 2017, 3.2.2. Weights as torch.nn.MultiheadAttention's.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const std::int64_t heads = a.integer("num_heads");
  if (in[0].rank() != 4 || in[0][1] % heads != 0)
    return ShapeError{
        text(NW_TR("Needs tokens with features that {0} heads divide, gets {1}"), heads, to_string(in[0], true)),
        0,
        {}};
  return in[0];
}

std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  const std::int64_t d = in[0][1];
  std::vector<Weight> all{
      {.name = "in_proj_weight", .shape = {3 * d, d}, .init = "kaiming_uniform", .fan_in = d, .fan_out = 3 * d}};
  if (a.boolean("bias")) all.push_back({.name = "in_proj_bias", .shape = {3 * d}, .init = "zeros"});
  all.push_back({.name = "out_proj.weight", .shape = {d, d}, .init = "kaiming_uniform", .fan_in = d, .fan_out = d});
  if (a.boolean("bias")) all.push_back({.name = "out_proj.bias", .shape = {d}, .init = "zeros"});
  return all;
}

void lower(const Attrs& a, Emit& e) {
  const StepAttrs attrs{{"heads", a.integer("num_heads")}};
  const ValueRef x = e.input(), in = e.weight("in_proj_weight"), out = e.weight("out_proj.weight");
  const Shape one = e.shape(x);
  Shape three = one;
  three[1] *= 3;
  const std::int64_t tokens = one[2] * one[3];
  const ValueRef projected = e.between("projected", three), mixed = e.between("mixed", one);
  const ValueRef weights =
      e.training() ? e.saved("attention", {one[0], a.integer("num_heads") * tokens * tokens}, DType::f32) : -1;
  e.forward("linear", {x, in, e.weight("in_proj_bias")}, {projected});
  e.forward("attention", {projected}, {mixed, weights}, attrs);
  e.forward("linear", {mixed, out, e.weight("out_proj.bias")}, {e.output()});
  if (!e.training()) return;
  const ValueRef dy = e.grad_of_output(), d_mixed = e.between_gradients("mixed", one),
                 d_projected = e.between_gradients("projected", three);
  e.backward("linear_grad_weight", {dy, mixed},
             {e.grad_of_weight("out_proj.weight"), e.grad_of_weight("out_proj.bias")});
  e.backward("linear_grad_input", {dy, out}, {d_mixed});
  e.backward("attention_grad", {d_mixed, projected, weights}, {d_projected}, attrs);
  e.backward("linear_grad_weight", {d_projected, x},
             {e.grad_of_weight("in_proj_weight"), e.grad_of_weight("in_proj_bias")});
  if (e.needs_grad_of_input()) e.backward("linear_grad_input", {d_projected, in}, {e.grad_of_input()});
}

/// Projections of every token, and two products of tokens with tokens.
std::int64_t multiply_adds(const Attrs&, std::span<const Shape>, const Shape& out) {
  const std::int64_t features = out[1], tokens = out[2] * out[3];
  return tokens * features * (4 * features + 2 * tokens);
}

}  // namespace

extern const LayerType multihead_attention_layer{
    .name = "MultiheadAttention",
    .group = "Attention",
    .stem = "self_attention",
    .summary = text(NW_TR("Lets each token take in what it needs of all the others.")),
    .fields = {integer_field("num_heads", text(NW_TR("Heads")), 1, 1, 1024,
                             text(NW_TR("Into how many parts the features are split, each with weights of its own."))),
               boolean_field("bias", text(NW_TR("Bias")), true,
                             text(NW_TR("Adds one learned number to each output.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
