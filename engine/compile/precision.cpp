// SPDX-License-Identifier: Apache-2.0
// bf16: what products multiply is rounded, by steps of its own; sums, results, weights and all else stay fp32. So every backend
// computes the same, and a device needs no more for it than the step that rounds.
#include <array>
#include <map>

#include "engine/compile/context.hpp"

namespace nw::compiling {
namespace {

/// Convolutions and linear layers, forward and backward, fused or not: they multiply their first two inputs.
bool is_product(const Step& s) {
  const auto is = [&](std::string_view layer) { return s.kernel.starts_with(layer); };
  return is("conv2d") || is("conv_transpose2d") || is("linear");
}

const Value& value(const Plan& p, int v) { return p.values[static_cast<std::size_t>(v)]; }

int add_rounded(Plan& p, int of, Phase phase) {
  const Value v = value(p, of);
  p.values.push_back({.name = "bf16 " + v.name, .shape = v.shape, .layout = v.layout,
                      .role = phase == Phase::backward ? Role::gradient : Role::saved, .batched = v.batched});
  return static_cast<int>(p.values.size()) - 1;
}

/// Which input of a step is only asked where it is above zero; -1: none. Rounding leaves that as it is, but for numbers under 1e-40.
int gate_of(const Step& s) {
  struct Gated { std::string_view kernel; int input; };
  static constexpr std::array all = {Gated{"relu_grad", 1}, Gated{"add_relu_grad", 0}, Gated{"conv2d_grad_input_relu", 2},
                                     Gated{"linear_grad_input_relu", 2}, Gated{"max_pool2d_relu_grad", 2}};
  for (const Gated& g : all)
    if (s.kernel == g.kernel) return g.input;
  return -1;
}

int root_of(const Plan& p, int v) {
  while (value(p, v).alias_of >= 0) v = value(p, v).alias_of;
  return v;
}

/// A step behind `from` reads numbers that lie where those of `root` do.
bool read_later(const Plan& p, std::size_t from, int root) {
  for (std::size_t i = from + 1; i < p.steps.size(); ++i)
    for (std::size_t k = 0; k < p.steps[i].inputs.size(); ++k) {
      const int v = p.steps[i].inputs[k];
      if (v >= 0 && root_of(p, v) == root && static_cast<int>(k) != gate_of(p.steps[i])) return true;
    }
  return false;
}

/// What is no weight and no input, and what nobody looks at when the step is over.
bool may_change(const Plan& p, const Value& v) {
  return v.role == Role::gradient || v.role == Role::saved || (v.role == Role::activation && p.training);
}

}  // namespace

// Weights first: between the layers their steps would cut apart what a device takes shard by shard.
void round_operands(Plan& p) {
  std::vector<Step> steps, others;
  std::map<int, int> rounded;
  for (Step& s : p.steps) {
    for (std::size_t k = 0; is_product(s) && k < 2; ++k) {
      const auto [copy, is_new] = rounded.try_emplace(s.inputs[k], -1);
      if (is_new) {
        const bool weight = !value(p, s.inputs[k]).batched;
        const Phase phase = weight ? Phase::forward : s.phase;
        copy->second = add_rounded(p, s.inputs[k], phase);
        (weight ? steps : others).push_back({.kernel = "round_bf16", .inputs = {s.inputs[k]}, .outputs = {copy->second}, .phase = phase, .op = s.op, .label = s.label});
      }
      s.inputs[k] = copy->second;
    }
    others.push_back(std::move(s));
  }
  std::move(others.begin(), others.end(), std::back_inserter(steps));
  p.steps = std::move(steps);
}

void round_in_place(Plan& p) {
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    if (p.steps[i].kernel != "round_bf16") continue;
    const int x = p.steps[i].inputs[0], root = root_of(p, x);
    if (may_change(p, value(p, root)) && !read_later(p, i, root)) p.values[static_cast<std::size_t>(p.steps[i].outputs[0])].alias_of = x;
  }
}

}  // namespace nw::compiling
