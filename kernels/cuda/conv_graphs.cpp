// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/conv_graphs.hpp"

namespace nw::cuda {
namespace {

using Sizes4 = std::array<std::int64_t, 4>;
Sizes4 image(const ConvShape& s) { return {s.n, s.c, s.h, s.w}; }
Sizes4 result(const ConvShape& s) { return {s.n, s.o, s.oh, s.ow}; }
Sizes4 filter(const ConvShape& s) { return {s.o, s.in_per_group, s.kh, s.kw}; }
Sizes4 channels(const ConvShape& s) { return {1, s.o, 1, 1}; }
Window window(const ConvShape& s) { return {{s.sh, s.sw}, {s.ph, s.pw}, {s.dh, s.dw}}; }

const Value& value(const Plan& plan, int v) { return plan.values[static_cast<std::size_t>(v)]; }

}  // namespace

ConvShape conv_shape(const Plan& plan, const Step& step) {
  const bool transposed = step.kernel.starts_with("conv_transpose2d"),
             to_weight = step.kernel.ends_with("_grad_weight");
  const bool to_input = step.kernel.ends_with("_grad_input");
  const Value &first = value(plan, step.inputs[0]), &second = value(plan, step.inputs[1]),
              &made = value(plan, step.outputs[0]);
  const Shape &ahead = (to_input    ? made
                        : to_weight ? second
                                    : first)
                           .shape,
              &behind = (to_input || to_weight ? first : made).shape;
  const Shape &x = transposed ? behind : ahead, &y = transposed ? ahead : behind;
  const Shape& w = (to_weight ? made : second).shape;
  const Pair stride = pair_attr(step, "stride", 1), padding = pair_attr(step, "padding", 0),
             dilation = pair_attr(step, "dilation", 1);
  const i64 groups = int_attr(step.attrs, "groups", 1), taps = w[2] * w[3];
  // store_half stores the channels of a weight innermost
  const bool innermost = !to_weight && second.dtype != DType::f32;
  return {x[0],
          x[1],
          x[2],
          x[3],
          y[1],
          y[2],
          y[3],
          w[2],
          w[3],
          stride.h,
          stride.w,
          padding.h,
          padding.w,
          dilation.h,
          dilation.w,
          x[1] / groups,
          y[1] / groups,
          innermost ? 1 : taps,
          innermost ? x[1] / groups : 1};
}

ConvGraphs conv_graphs(const Plan& plan, const Step& step) {
  return {conv_shape(plan, step), value(plan, step.inputs[0]).dtype, plan.compute == DType::tf32};
}

ConvGraphs ConvGraphs::padded() const {
  ConvGraphs wide = *this;
  if (type != DType::f32 && shape.in_per_group == shape.c)
    wide.shape.c = wide.shape.in_per_group = (shape.c + 7) / 8 * 8;
  return wide;
}

bool wants_statistics(const Plan& plan, const Step& step) {
  if (step.kernel != "conv2d" || plan.compute != DType::f16 || (step.inputs.size() > 2 && step.inputs[2] >= 0))
    return false;
  if (int_attr(step.attrs, "groups", 1) != 1) return false;
  for (const Step& s : plan.steps)
    if (s.kernel == "batch_norm_stats" && s.inputs[0] == step.outputs[0]) return true;
  return false;
}

Graph ConvGraphs::forward() const {
  Graph g{.tf32 = tf32};
  const int x = g.tensor(type, image(shape)), w = g.tensor(type, filter(shape)), y = g.tensor(type, result(shape));
  g.operation(GraphOperation::forward, {x, w, y}, window(shape));
  return g;
}

Graph ConvGraphs::forward_bias(bool relu) const {
  Graph g{.tf32 = tf32};
  const int x = g.tensor(type, image(shape)), w = g.tensor(type, filter(shape)), b = g.tensor(type, channels(shape));
  const int product = g.tensor(DType::f32, result(shape), true),
            sum = relu ? g.tensor(DType::f32, result(shape), true) : -1;
  const int y = g.tensor(type, result(shape));
  g.operation(GraphOperation::forward, {x, w, product}, window(shape));
  g.operation(GraphOperation::add, {product, b, relu ? sum : y});
  if (relu) g.operation(GraphOperation::relu, {sum, y});
  return g;
}

Graph ConvGraphs::forward_statistics() const {
  Graph g = forward();
  const int sums = g.tensor(DType::f32, channels(shape)), squares = g.tensor(DType::f32, channels(shape));
  g.operation(GraphOperation::statistics, {2, sums, squares});
  return g;
}

Graph ConvGraphs::input_gradient() const {
  Graph g{.tf32 = tf32};
  const int dy = g.tensor(type, result(shape)), w = g.tensor(type, filter(shape)), dx = g.tensor(type, image(shape));
  g.operation(GraphOperation::data_gradient, {dy, w, dx}, window(shape));
  return g;
}

Graph ConvGraphs::filter_gradient() const {
  Graph g{.tf32 = tf32};
  const int dy = g.tensor(type, result(shape)), x = g.tensor(type, image(shape)), dw = g.tensor(type, filter(shape));
  g.operation(GraphOperation::filter_gradient, {dy, x, dw}, window(shape));
  return g;
}

}  // namespace nw::cuda
