// SPDX-License-Identifier: Apache-2.0
#include "kernels/batch_norm_finalize.hpp"

namespace nw {

PreparedKernel prepare_batch_norm_finalize(KernelContext& c) {
  const auto* stats = c.in<double>(0);
  float *running_mean = c.in(1), *running_var = c.in(2), *out = c.out(0);
  auto* tracked = c.in<std::int64_t>(3);
  const std::int64_t channels = c.out_value(0).shape.elements() / 2;
  const double momentum = real_attr(c.step.attrs, "momentum"), eps = real_attr(c.step.attrs, "eps"),
               spatial = real_attr(c.step.attrs, "spatial");
  const bool local = is_local(c.step);
  const RunState& state = c.state;
  return {{{1, false,
            [=, &state](std::int64_t, int) {
              const double count = batch_norm_count(state.args, local, spatial);
              const bool empty = local && state.args.valid == 0;
              for (std::int64_t i = 0; i < channels; ++i) {
                const double mean = stats[i] / count, var = std::max(0.0, stats[channels + i] / count - mean * mean);
                out[i] = static_cast<float>(mean);
                out[channels + i] = static_cast<float>(1 / std::sqrt(var + eps));
                if (empty || !std::isfinite(mean) || !std::isfinite(stats[channels + i])) continue;
                const double unbiased = count > 1 ? var * count / (count - 1) : var;
                running_mean[i] = static_cast<float>((1 - momentum) * running_mean[i] + momentum * mean);
                running_var[i] = static_cast<float>((1 - momentum) * running_var[i] + momentum * unbiased);
              }
              if (tracked) ++*tracked;
            }}},
          ""};
}

PreparedKernel prepare_batch_norm_grad_weight(KernelContext& c) {
  const auto* dstats = c.in<double>(0);
  float *dw = c.out(0), *db = c.out(1);
  const std::int64_t channels = c.in_value(0).shape.elements() / 2;
  return {{{1, false,
            [=](std::int64_t, int) {
              for (std::int64_t i = 0; i < channels; ++i) {
                if (dw) dw[i] = static_cast<float>(dstats[channels + i]);
                if (db) db[i] = static_cast<float>(dstats[i]);
              }
            }}},
          ""};
}

}  // namespace nw
