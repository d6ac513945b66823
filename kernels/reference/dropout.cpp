// SPDX-License-Identifier: Apache-2.0
// Dropout whose mask is a function of (seed, key, epoch, sample, element): forward and backward compute it separately.
#include "kernels/math/philox.hpp"
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

PreparedKernel dropout(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const auto p = static_cast<float>(real_attr(c.step.attrs, "p"));
  const auto key = static_cast<std::uint32_t>(int_attr(c.step.attrs, "key"));
  const std::int64_t share = int_attr(c.step.attrs, "share", 0), together[] = {1, x.h * x.w, x.per_sample()};
  const std::int64_t each = together[share];  // elements that one random number decides on
  const bool training = c.plan.training;
  const RunState& state = c.state;
  return each_sample(c, [x, y, p, key, each, training, &state](std::int64_t n) {
    const StepArgs& a = state.args;
    const RandomKey random{a.seed, key, static_cast<std::uint32_t>(a.epoch),
                           static_cast<std::uint64_t>(a.sample ? a.sample[n] : n)};
    const float scale = p < 1 ? 1 / (1 - p) : 0;
    for (std::int64_t ch = 0; ch < x.c; ++ch)
      for (std::int64_t iy = 0; iy < x.h; ++iy)
        for (std::int64_t ix = 0; ix < x.w; ++ix) {
          const auto element = static_cast<std::uint32_t>(((ch * x.h + iy) * x.w + ix) / each);
          const bool keep = philox_uniform(random, element) >= p;
          const float v = x.at(n, ch, iy, ix);
          y.at(n, ch, iy, ix) = !training ? v : keep ? v * scale : 0;
        }
  });
}

}  // namespace

KernelTable dropout_kernels() { return {{"dropout", dropout}}; }

}  // namespace nw::reference
