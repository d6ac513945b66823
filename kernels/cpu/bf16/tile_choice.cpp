// SPDX-License-Identifier: Apache-2.0
// Decides for each product of a bf16 plan whether tiles or vectors compute it, by the estimated cycles of both.
#include <algorithm>

#include "kernels/cpu/bf16/tile_costs.hpp"
#include "kernels/cpu/bf16/tile_products.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t far_bytes = 1 << 20;
constexpr double vector_product = 0.5 / 0.8;  // for 16 lanes, as in winograd.cpp

/// The values of a step as images without data: shapes only.
struct Shapes {
  const Plan& plan;
  const Step& step;
  const Value& value(int v) const { return plan.values[static_cast<std::size_t>(v)]; }
  const Value& in_value(std::size_t i) const { return value(step.inputs[i]); }
  Lanes in(std::size_t i) const { return lanes_of(nullptr, in_value(i)); }
  Lanes out() const { return lanes_of(nullptr, value(step.outputs[0])); }
  double elements(std::size_t i) const { return static_cast<double>(in_value(i).shape.per_sample()); }
};

double backward_by_tiles(const TileKernels& tiles, const ConvGeometry& g, std::int64_t shards) {
  double cycles = 0;
  for (const TileSweep& t : tile_backward(g)) cycles += t.cycles(tiles, shards);
  return cycles;
}

// Without tiles, round_bf16 steps round the operands. An operand that such a step rounds for other products of the
// layer too costs nothing extra here.
bool grad_weight_pays(const VectorKernels& k, const Shapes& s, std::int64_t shards) {
  const ConvGeometry g(s.step, s.in(1), s.in(0), s.value(s.step.outputs[0]));
  const auto rounding = [&](std::size_t i) {
    return s.elements(i) * (s.in(i).floats() * 4 > far_bytes ? far_rounded_row : rounded_row);
  };
  const double dy = rounding(0), x = rounding(1);
  const bool x_unrounded = tile_forward(g).cycles(*k.tiles, shards) < forward_cycles(k, g) + x;
  const bool dy_unrounded =
      s.in_value(1).role == Role::input || backward_by_tiles(*k.tiles, g, shards) < backward_cycles(k, g) + dy;
  return tile_grad_weight_cycles(*k.tiles, g, shards) <
         grad_weight_cycles(k, g) + (x_unrounded ? x : 0) + (dy_unrounded ? dy : 0);
}

bool conv2d_pays(const VectorKernels& k, const Shapes& s, double shards, double rounding) {
  const std::string& kernel = s.step.kernel;
  const auto n = static_cast<std::int64_t>(shards);
  if (kernel == "conv2d_grad_weight") return grad_weight_pays(k, s, n);
  if (kernel == "conv2d_grad_input" || kernel == "conv2d_grad_input_relu") {
    const ConvGeometry g(s.step, s.out(), s.in(0), s.in_value(1));
    return backward_by_tiles(*k.tiles, g, n) < backward_cycles(k, g) + rounding;
  }
  const bool pooled = kernel == "conv2d_max_pool2d_relu";
  const ConvGeometry g = pooled ? pooled_geometry(s.step, s.in(0), s.out(), s.in_value(1))
                                : ConvGeometry(s.step, s.in(0), s.out(), s.in_value(1));
  return tile_forward(g).cycles(*k.tiles, n) <
         forward_cycles(k, g) + rounding + (pooled ? pooled_row * static_cast<double>(g.y.per_sample()) : 0);
}

// Steps other than the weight gradient multiply the batch by all weights, which are packed once for all shards.
bool linear_pays(const TileKernels& kernels, const Shapes& s, double shards, double rounding) {
  const bool gradient = s.step.kernel == "linear_grad_weight";
  const Shape& w = gradient ? s.value(s.step.outputs[0]).shape : s.in_value(1).shape;
  const bool backward = s.step.kernel.starts_with("linear_grad_input");
  const std::int64_t outs = backward ? w[1] : w[0], ins = backward ? w[0] : w[1];
  const auto weights = static_cast<double>(w.elements());
  const auto tiles = [](std::int64_t n) { return static_cast<double>((n + tile_rows - 1) / tile_rows); };
  if (gradient) {
    const double panels = (tiles(ins) + 3) / 4,
                 unit = tiles(ins) * (turned_tile + tile_rows * packed_row) +
                        panels * static_cast<double>(outs) * packed_row +
                        tiles(ins) * tiles(outs) * kernels.product_cycles(tile_rows, tile_rows);
    return unit / 2 + weights / 16 / shards < vector_product * weights + rounding;
  }
  const double steps = tiles((ins + 1) / 2) * kernels.product_cycles(outs, ins / 2);
  return steps + static_cast<double>(ins) / 2 * packed_row + static_cast<double>(outs) * ended_row +
             weights * (backward ? turned_weight : weight_in_row) / 2 / shards <
         vector_product * weights + rounding;
}

}  // namespace

bool tiles_can(const VectorKernels& k, const Plan& plan, const Step& step) {
  if (!k.tiles || plan.compute != DType::bf16 || step.inputs.size() < 2 || step.outputs.empty()) return false;
  if (is_linear_of_pixels(plan, step)) return false;
  return step.kernel.starts_with("linear") ||
         (step.kernel.starts_with("conv2d") && int_attr(step.attrs, "groups", 1) == 1);
}

bool tiles_take(const VectorKernels& k, const Plan& plan, const Step& step) {
  if (!tiles_can(k, plan, step)) return false;
  const Shapes s{plan, step};
  const auto shards = static_cast<double>(shards_for(plan.batch));
  const double rounding =
      rounded_row * s.elements(0) + s.elements(1) * static_cast<double>(s.in_value(1).shape[0]) / 4 / shards;
  return step.kernel.starts_with("conv2d") ? conv2d_pays(k, s, shards, rounding)
                                           : linear_pays(*k.tiles, s, shards, rounding);
}

}  // namespace nw::cpu
