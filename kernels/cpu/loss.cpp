// SPDX-License-Identifier: Apache-2.0
// Softmax and the losses. The sums of a loss are stored per shard; RunState adds them in order.
#include <algorithm>

#include "kernels/catalogue.hpp"
#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

PreparedKernel softmax(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  return {{per_shard(c, [=, &k](std::int64_t s, int) { k.softmax(x.shard(s), y.shard(s), x.channels, x.pixels()); })},
          ""};
}

PreparedKernel softmax_grad(KernelContext& c) {
  const Lanes dy = in(c, 0), y = in(c, 1), dx = out(c, 0);
  const VectorKernels& k = vector_of(c);
  return {{per_shard(c,
                     [=, &k](std::int64_t s, int) {
                       k.softmax_gradient(dy.shard(s), y.shard(s), dx.shard(s), y.channels, y.pixels());
                     })},
          ""};
}

/// What a loss takes besides its scores and targets.
struct LossForm {
  void (*one)(LossArgs&) = nullptr;
  std::int64_t target_bytes = 0;  // of one sample's label or targets
  double smoothing = 0, gamma = 0;
  std::span<const double> weights = {};
  bool shares = false;
};

PreparedKernel loss(KernelContext& c, const LossForm& form) {
  const Lanes x = in(c, 0);
  const auto* wanted = c.in<std::byte>(1);
  float* dx = c.out(0);
  c.need_worker_scratch(x.floats() * 4);
  const auto partials = c.losses(shards_for(c.plan.batch));
  const RunState& state = c.state;
  double* weights = form.weights.empty() ? nullptr : c.own<double>(std::ssize(form.weights));
  std::copy(form.weights.begin(), form.weights.end(), weights);
  const auto shard = [=, &state](std::int64_t s, int worker) {
    LossArgs a{x.shard(s),
               dx ? dx + s * x.floats() : nullptr,
               reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]),
               wanted + s * shard_samples * form.target_bytes,
               x.per_sample(),
               valid_lanes(state, s),
               form.smoothing,
               1.0 / loss_divisor(state.args),
               0,
               0,
               weights,
               form.gamma,
               form.shares};
    form.one(a);
    partials[static_cast<std::size_t>(s)] = {a.loss, a.correct, a.lanes};
  };
  return {{per_shard(c, shard)}, ""};
}

PreparedKernel cross_entropy(KernelContext& c) {
  LossForm f{.smoothing = real_attr(c.step.attrs, "label_smoothing", 0),
             .gamma = real_attr(c.step.attrs, "focal_gamma", 0),
             .weights = reals_attr(c.step.attrs, "class_weights"),
             .shares = takes_shares(c.plan, c.step)};
  const VectorKernels& k = vector_of(c);
  f.target_bytes = f.shares ? in(c, 0).per_sample() * 4 : 8;
  const bool general = f.gamma != 0 || !f.weights.empty();
  f.one = general ? k.general_cross_entropy : f.shares ? k.shared_cross_entropy : k.cross_entropy;
  return loss(c, f);
}
PreparedKernel bce_with_logits(KernelContext& c) {
  return loss(c, {.one = vector_of(c).bce,
                  .target_bytes = in(c, 0).per_sample() * 4,
                  .gamma = real_attr(c.step.attrs, "focal_gamma", 0),
                  .weights = reals_attr(c.step.attrs, "pos_weight")});
}
PreparedKernel mse(KernelContext& c) {
  return loss(c, {.one = vector_of(c).mse, .target_bytes = in(c, 0).per_sample() * 4});
}

}  // namespace

KernelTable loss_kernels() {
  return {{"softmax", softmax},
          {"softmax_grad", softmax_grad},
          {"cross_entropy", cross_entropy},
          {"bce_with_logits", bce_with_logits},
          {"mse", mse}};
}

}  // namespace nw::cpu
