// SPDX-License-Identifier: Apache-2.0
// bf16: the operands of matrix products are rounded, by separate steps or, where the device supports it, by the product
// as it reads them. Sums, results, weights and all other values stay fp32. So all backends compute the same numbers,
// and a device needs only the rounding step. A device that stores 16-bit numbers uses them for all values between
// layers, which halves the memory traffic; the master weights and the sums stay fp32.
#include <algorithm>
#include <array>
#include <map>

#include "engine/compile/context.hpp"
#include "engine/design/precision.hpp"
#include "kernels/catalogue.hpp"

namespace nw::compiling {
namespace {

/// Convolutions and linear layers, forward and backward, fused or not: they multiply their first two inputs.
bool is_product(const Step& s) {
  const auto is = [&](std::string_view layer) { return s.kernel.starts_with(layer); };
  return is("conv2d") || is("conv_transpose2d") || is("linear");
}

const Value& value_of(const Plan& p, int v) { return p.values[static_cast<std::size_t>(v)]; }

int add_rounded(Plan& p, int of, Phase phase) {
  const Value v = value_of(p, of);
  p.values.push_back({.name = "bf16 " + v.name,
                      .shape = v.shape,
                      .layout = v.layout,
                      .role = phase == Phase::backward ? Role::gradient : Role::saved,
                      .batched = v.batched});
  return static_cast<int>(p.values.size()) - 1;
}

/// The input of a step of which only the comparison with zero is used; -1 if there is none. Rounding keeps the sign of
/// all numbers above 1e-40.
int gate_of(const Step& s) {
  struct Gated {
    std::string_view kernel;
    int input;
  };
  static constexpr std::array all = {Gated{"relu_grad", 1}, Gated{"add_relu_grad", 0},
                                     Gated{"conv2d_grad_input_relu", 2}, Gated{"linear_grad_input_relu", 2},
                                     Gated{"max_pool2d_relu_grad", 2}};
  for (const Gated& g : all)
    if (s.kernel == g.kernel) return g.input;
  return -1;
}

/// Whether a step after `from` reads a value in the memory of `root`.
bool read_later(const Plan& p, std::size_t from, int root) {
  for (std::size_t i = from + 1; i < p.steps.size(); ++i)
    for (std::size_t k = 0; k < p.steps[i].inputs.size(); ++k) {
      const int v = p.steps[i].inputs[k];
      if (v >= 0 && root_of(p, v) == root && static_cast<int>(k) != gate_of(p.steps[i])) return true;
    }
  return false;
}

/// Whether the value is neither weight nor input and is not read after the step.
bool may_change(const Plan& p, const Value& v) {
  return v.role == Role::gradient || v.role == Role::saved || (v.role == Role::activation && p.training);
}

/// Lets the product round its operands if the device supports it.
bool rounds_itself(const Plan& p, Step& s, const Device* device) {
  Step rounding = s;
  rounding.attrs["rounds"] = std::int64_t{1};
  if (!device || !device->supports(p, rounding).empty()) return false;
  s = std::move(rounding);
  return true;
}

/// Rounded copies of the weights of products and of the images, computed once per step.
class Halves {
 public:
  Halves(Plan& plan, DType type) : plan_(plan), type_(type) {}
  int copy_of(int v, const Step& reader) {
    const auto [copy, is_new] = copies_.try_emplace(v, -1);
    if (!is_new) return copy->second;
    const Value x = value_of(plan_, v);
    plan_.values.push_back(
        {.name = "half " + x.name, .shape = x.shape, .dtype = type_, .role = Role::saved, .batched = x.batched});
    copy->second = static_cast<int>(plan_.values.size()) - 1;
    steps.push_back(
        {.kernel = "store_half", .inputs = {v}, .outputs = {copy->second}, .op = reader.op, .label = reader.label});
    return copy->second;
  }
  std::vector<Step> steps;

 private:
  Plan& plan_;
  DType type_;
  std::map<int, int> copies_;
};

}  // namespace

void store_halves(Plan& p, DType type) {
  for (Value& v : p.values)
    if (v.batched && v.dtype == DType::f32 && (v.role == Role::activation || v.role == Role::gradient)) v.dtype = type;
  const int images = p.find("images");
  Halves halves(p, type);
  for (Step& s : p.steps)
    for (std::size_t k = 0; k < s.inputs.size(); ++k) {
      const int v = s.inputs[k];
      const bool weight = v >= 0 && k == 1 && is_product(s) && value_of(p, v).role == Role::weight;
      if (v >= 0 && (weight || v == images)) s.inputs[k] = halves.copy_of(v, s);
    }
  p.steps.insert(p.steps.begin(), std::make_move_iterator(halves.steps.begin()),
                 std::make_move_iterator(halves.steps.end()));
}

// Weights first: between the layers their steps would interrupt sequences that a device computes shard by shard.
void round_operands(Plan& p, const Device* device) {
  std::vector<Step> steps, others;
  std::map<int, int> rounded;
  for (Step& s : p.steps) {
    const bool by_steps = is_product(s) && !rounds_itself(p, s, device) && !p.only_where_faster;
    for (std::size_t k = 0; by_steps && k < 2; ++k) {
      const auto [copy, is_new] = rounded.try_emplace(s.inputs[k], -1);
      if (is_new) {
        const bool weight = !value_of(p, s.inputs[k]).batched;
        const Phase phase = weight ? Phase::forward : s.phase;
        copy->second = add_rounded(p, s.inputs[k], phase);
        (weight ? steps : others)
            .push_back({.kernel = "round_bf16",
                        .inputs = {s.inputs[k]},
                        .outputs = {copy->second},
                        .phase = phase,
                        .op = s.op,
                        .label = s.label});
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
    if (may_change(p, value_of(p, root)) && !read_later(p, i, root))
      p.values[static_cast<std::size_t>(p.steps[i].outputs[0])].alias_of = x;
  }
}

}  // namespace nw::compiling

namespace nw {

Text precision_choice(const Plan& p, const Device& device) {
  if (p.compute == DType::f32)
    return text(NW_TR("Precision automatic: fp32, which {0} computes fastest."), device.name());
  if (device.stored_as(p.compute) != DType::f32)
    return text(
        NW_TR("Precision automatic: {0}, which {1} computes faster than fp32 and stores in half of the memory."),
        precision_name(p.compute), device.name());
  const auto products = std::count_if(p.steps.begin(), p.steps.end(), compiling::is_product);
  const auto rounded = std::count_if(p.steps.begin(), p.steps.end(), rounds_operands);
  return text(NW_TR("Precision automatic: {0} in {1} of {2} products, those that {3} computes faster so, and fp32 in "
                    "the others."),
              precision_name(p.compute), rounded, products, device.name());
}

}  // namespace nw
