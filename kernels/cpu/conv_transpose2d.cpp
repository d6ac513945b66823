// SPDX-License-Identifier: Apache-2.0
// The transpose of a convolution is the input gradient of that convolution and vice versa, so this file calls those
// kernels. Only the bias differs, because it belongs to the larger image.
#include "kernels/cpu/operators.hpp"

namespace nw::cpu {

PreparedKernel prepare_as(KernelContext& c, const KernelTable& table, std::string kernel, std::vector<int> inputs,
                          std::vector<int> outputs) {
  Step step = c.step;
  step.kernel = std::move(kernel);
  step.inputs = std::move(inputs);
  step.outputs = std::move(outputs);
  KernelContext inner(c.plan, step, c.storage, c.state, c.backend);
  inner.workers = c.workers;
  PreparedKernel prepared = find_entry(table, step.kernel)->prepare(inner);
  c.need_worker_scratch(inner.worker_bytes);
  c.need_shared_scratch(inner.shared_bytes);
  return prepared;
}

namespace {

/// Prepares the kernel of a convolution between the same images, with some of this step's values.
PreparedKernel convolution(KernelContext& c, std::string kernel, std::vector<int> inputs, std::vector<int> outputs) {
  static const KernelTable table = conv2d_kernels();
  return prepare_as(c, table, std::move(kernel), std::move(inputs), std::move(outputs));
}

PreparedKernel conv_transpose2d(KernelContext& c) {
  PreparedKernel all = convolution(c, "conv2d_grad_input", {c.step.inputs[0], c.step.inputs[1]}, c.step.outputs);
  const float* b = c.in(2);
  if (!b) return all;
  const Lanes y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  all.phases.push_back(per_shard(c, [=, &k](std::int64_t s, int) {
    for (std::int64_t ch = 0; ch < y.channels; ++ch) {
      float* image = y.shard(s) + ch * y.pixels() * shard_samples;
      k.norm_apply({image, nullptr, image, 0, 1, b[ch], false, y.pixels()});
    }
  }));
  return all;
}

PreparedKernel conv_transpose2d_grad_input(KernelContext& c) {
  return convolution(c, "conv2d", c.step.inputs, c.step.outputs);
}

PreparedKernel conv_transpose2d_grad_weight(KernelContext& c) {
  PreparedKernel all = convolution(c, "conv2d_grad_weight", {c.step.inputs[1], c.step.inputs[0]}, {c.step.outputs[0]});
  float* db = c.out(1);
  if (!db) return all;
  const Lanes dy = in(c, 0);
  auto* sums = c.own<float>(shards_for(c.plan.batch) * dy.channels);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  all.phases.push_back(per_shard(c, [=, &k](std::int64_t s, int) {
    for (std::int64_t ch = 0; ch < dy.channels; ++ch) {
      float acc[shard_samples] = {};
      k.sum_pixels(dy.shard(s) + ch * dy.pixels() * shard_samples, dy.pixels(), acc);
      k.sum_lanes(acc, 1, sums + s * dy.channels + ch, false);
    }
  }));
  all.phases.push_back(
      serial([=, &k, &state] { k.sum_parts(sums, dy.channels, state.active_shards, dy.channels, db); }));
  return all;
}

}  // namespace

KernelTable conv_transpose2d_kernels() {
  return {{"conv_transpose2d", conv_transpose2d},
          {"conv_transpose2d_grad_input", conv_transpose2d_grad_input},
          {"conv_transpose2d_grad_weight", conv_transpose2d_grad_weight, always_alone}};
}

}  // namespace nw::cpu
