// SPDX-License-Identifier: Apache-2.0
// y = (x - mean) / sqrt(var + eps) * weight + bias, per channel over batch and pixels; in parts (statistics, finalize,
// apply) so that replicas can share statistics. Ioffe & Szegedy, arXiv 1502.03167.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{
        text(NW_TR("Needs an image, gets a vector of {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  return in[0];
}

std::vector<Weight> weights(const Attrs&, std::span<const Shape> in) {
  const Shape c{in[0][1]};
  return {{.name = "weight", .shape = c, .init = "ones"},
          {.name = "bias", .shape = c, .init = "zeros"},
          {.name = "running_mean", .shape = c, .init = "zeros", .buffer = true},
          {.name = "running_var", .shape = c, .init = "ones", .buffer = true},
          {.name = "num_batches_tracked", .shape = Shape{}, .init = "zeros", .buffer = true}};
}

void lower_inference(const Attrs& a, Emit& e) {
  e.forward("batch_norm_inference",
            {e.input(), e.weight("running_mean"), e.weight("running_var"), e.weight("weight"), e.weight("bias")},
            {e.output()}, {{"eps", a.real("eps")}});
}

void lower(const Attrs& a, Emit& e) {
  if (!e.training()) return lower_inference(a, e);
  const ValueRef x = e.input(), w = e.weight("weight");
  const Shape& s = e.shape(x);
  const std::int64_t channels = s[1], spatial = s[2] * s[3], local = e.world() == 1 ? 1 : 0;
  const ValueRef stats = e.saved("stats", {2, channels}, DType::f64, false),
                 norm = e.saved("mean_invstd", {2, channels}, DType::f32, false);
  e.forward("batch_norm_stats", {x}, {stats});
  if (e.world() > 1) e.forward("all_reduce", {stats}, {});
  e.forward("batch_norm_finalize",
            {stats, e.weight("running_mean"), e.weight("running_var"), e.weight("num_batches_tracked")}, {norm},
            {{"momentum", a.real("momentum")}, {"eps", a.real("eps")}, {"spatial", spatial}, {"local", local}});
  e.forward("batch_norm_apply", {x, norm, w, e.weight("bias")}, {e.output()});
  const ValueRef dy = e.grad_of_output(), grads = e.saved("grad_stats", {2, channels}, DType::f64, false);
  e.backward("batch_norm_grad_stats", {dy, x, norm}, {grads});
  e.backward("batch_norm_grad_weight", {grads}, {e.grad_of_weight("weight"), e.grad_of_weight("bias")});
  if (!e.needs_grad_of_input()) return;
  if (e.world() > 1) e.backward("all_reduce", {grads}, {});
  e.backward("batch_norm_grad_input", {dy, x, norm, w, grads}, {e.grad_of_input()},
             {{"spatial", spatial}, {"local", local}});
}

std::int64_t multiply_adds(const Attrs&, std::span<const Shape>, const Shape& out) { return out.per_sample(); }

}  // namespace

extern const LayerType batch_norm2d_layer{
    .name = "BatchNorm2d",
    .group = "Normalization",
    .stem = "bn",
    .summary = text(NW_TR("Brings each channel to mean 0 and variance 1, then scales it.")),
    .onnx = "BatchNormalization",
    .fields = {real_field("eps", text(NW_TR("Epsilon")), 1e-5, 1e-12, 1,
                          text(NW_TR("Added to the variance, so that nothing is divided by zero."))),
               real_field("momentum", text(NW_TR("Momentum")), 0.1, 0, 1,
                          text(NW_TR("Share of the newest batch in the running mean and variance.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
