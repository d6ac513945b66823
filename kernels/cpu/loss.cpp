// SPDX-License-Identifier: Apache-2.0
// Softmax and the losses. The sums of a loss are stored per shard; RunState adds them in order.
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

// `target_bytes`: size of one sample's label or targets.
PreparedKernel loss(KernelContext& c, void (*one)(LossArgs&), std::int64_t target_bytes, double smoothing) {
  const Lanes x = in(c, 0);
  const auto* wanted = c.in<std::byte>(1);
  float* dx = c.out(0);
  c.need_worker_scratch(x.floats() * 4);
  const auto partials = c.losses(shards_for(c.plan.batch));
  const RunState& state = c.state;
  const auto shard = [=, &state](std::int64_t s, int worker) {
    LossArgs a{x.shard(s),
               dx ? dx + s * x.floats() : nullptr,
               reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]),
               wanted + s * shard_samples * target_bytes,
               x.per_sample(),
               valid_lanes(state, s),
               smoothing,
               1.0 / static_cast<double>(state.args.global_valid),
               0,
               0};
    one(a);
    partials[static_cast<std::size_t>(s)] = {a.loss, a.correct, a.lanes};
  };
  return {{per_shard(c, shard)}, ""};
}

PreparedKernel cross_entropy(KernelContext& c) {
  const double smoothing = real_attr(c.step.attrs, "label_smoothing", 0);
  if (takes_shares(c.plan, c.step))
    return loss(c, vector_of(c).shared_cross_entropy, in(c, 0).per_sample() * 4, smoothing);
  return loss(c, vector_of(c).cross_entropy, 8, smoothing);
}
PreparedKernel bce_with_logits(KernelContext& c) { return loss(c, vector_of(c).bce, in(c, 0).per_sample() * 4, 0); }
PreparedKernel mse(KernelContext& c) { return loss(c, vector_of(c).mse, in(c, 0).per_sample() * 4, 0); }

}  // namespace

KernelTable loss_kernels() {
  return {{"softmax", softmax},
          {"softmax_grad", softmax_grad},
          {"cross_entropy", cross_entropy},
          {"bce_with_logits", bce_with_logits},
          {"mse", mse}};
}

}  // namespace nw::cpu
