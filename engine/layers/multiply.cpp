// SPDX-License-Identifier: Apache-2.0
// Product of all inputs, element by element. An input of shape (C,1,1) scales the channels of the others, as in
// squeeze-and-excitation (Hu, Shen & Sun, arXiv 1709.01507). The gradient of an input is the product of dy and the
// other inputs.
#include <algorithm>

#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

constexpr std::size_t most_factors = 64;  // the gradients take as many products as there are pairs of inputs

bool is_scale(const Shape& s) { return s.rank() == 4 && s[2] == 1 && s[3] == 1; }

/// The first input with more than one pixel per channel; if there is none, the first input.
const Shape& largest(std::span<const Shape> in) {
  for (const Shape& s : in)
    if (!is_scale(s)) return s;
  return in[0];
}

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in.size() > most_factors)
    return ShapeError{text(NW_TR("Multiplies at most {0} inputs, has {1}"), most_factors, in.size()),
                      static_cast<int>(most_factors),
                      {}};
  const Shape& out = largest(in);
  for (std::size_t i = 0; i < in.size(); ++i)
    if (!(in[i] == out) && !(is_scale(in[i]) && in[i][1] == out[1]))
      return ShapeError{
          text(NW_TR("Needs equal shapes, or one number for each channel, gets {0} and {1}"), to_string(in[0], true),
               to_string(in[i == 0 ? 1 : i], true)),
          static_cast<int>(std::max<std::size_t>(i, 1)),
          is_scale(in[i]) || is_scale(in[0]) ? std::vector<QuickFix>{} : std::vector<QuickFix>{QuickFix::project}};
  return out;
}

void lower(const Attrs&, Emit& e) {
  std::vector<ValueRef> in;
  for (int i = 0; i < e.inputs(); ++i) in.push_back(e.input(i));
  e.forward("multiply", in, {e.output()});
  if (!e.training()) return;
  for (int i = 0; i < e.inputs(); ++i) {
    if (!e.needs_grad_of_input(i)) continue;
    std::vector<ValueRef> factors{e.grad_of_output()};
    for (int j = 0; j < e.inputs(); ++j)
      if (j != i) factors.push_back(in[static_cast<std::size_t>(j)]);
    const bool repeated = !(e.shape(e.input(i)) == e.shape(e.output()));
    e.backward(repeated ? "multiply_grad_scale" : "multiply", factors, {e.grad_of_input(i)});
  }
}

std::int64_t multiply_adds(const Attrs&, std::span<const Shape>, const Shape& out) { return out.per_sample(); }

}  // namespace

extern const LayerType multiply_layer{
    .name = "Multiply",
    .group = "Shape",
    .stem = "multiply",
    .summary = text(NW_TR("Multiplies its inputs: a gate, or a scale for each channel.")),
    .onnx = "Mul",
    .inputs = -1,
    .infer = infer,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
