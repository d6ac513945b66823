// SPDX-License-Identifier: Apache-2.0
// The element kernels, computed in double; sums of values.
#include "kernels/element_parameters.hpp"
#include "kernels/math/bfloat16.hpp"
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

template <class Formula>
PreparedKernel value(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const auto parameters = element_parameters<Formula, double>(c.step.attrs);
  return each_sample(c, [x, y, parameters](std::int64_t n) {
    for (std::int64_t e = 0; e < x.per_sample(); ++e)
      y.sample(n)[e] = static_cast<float>(math::value<Formula, double>(x.sample(n)[e], parameters));
  });
}

template <class Formula>
PreparedKernel gradient(KernelContext& c) {
  const Image dy = in(c, 0), v = in(c, 1), dx = out(c, 0);
  const auto parameters = element_parameters<Formula, double>(c.step.attrs);
  return each_sample(c, [dy, v, dx, parameters](std::int64_t n) {
    for (std::int64_t e = 0; e < dy.per_sample(); ++e)
      dx.sample(n)[e] =
          static_cast<float>(math::gradient<Formula, double>(dy.sample(n)[e], v.sample(n)[e], parameters));
  });
}

PreparedKernel round_bf16(KernelContext& c) {
  const float* x = c.in(0);
  float* y = c.out(0);
  const Value& v = c.in_value(0);
  const std::int64_t count = v.batched ? v.shape.per_sample() : v.shape.elements();
  const auto part = [=](std::int64_t n) {
    for (std::int64_t e = n * count; e < (n + 1) * count; ++e) y[e] = math::round_bf16(x[e]);
  };
  return v.batched ? each_sample(c, part) : whole([=] { part(0); });
}

// y = finish(sum of the inputs from index `first` on, element)
template <class F>
PreparedKernel sum_of_inputs(KernelContext& c, int first, F finish) {
  std::vector<Image> terms;
  for (int i = first; i < static_cast<int>(c.step.inputs.size()); ++i) terms.push_back(in(c, i));
  const Image y = out(c, 0);
  return each_sample(c, [terms, y, finish](std::int64_t n) {
    for (std::int64_t e = 0; e < y.per_sample(); ++e) {
      double sum = 0;
      for (const Image& t : terms) sum += t.sample(n)[e];
      y.sample(n)[e] = finish(static_cast<float>(sum), n * y.per_sample() + e);
    }
  });
}
PreparedKernel add(KernelContext& c) {
  return sum_of_inputs(c, 0, [](float sum, std::int64_t) { return sum; });
}
PreparedKernel add_relu(KernelContext& c) {
  return sum_of_inputs(c, 0, [](float sum, std::int64_t) { return rectified(sum); });
}
PreparedKernel add_relu_grad(KernelContext& c) {
  return sum_of_inputs(c, 1, [open = gate(c, 0)](float sum, std::int64_t e) { return open.passes(e) ? sum : 0.0f; });
}

}  // namespace

KernelTable elementwise_kernels() {
#define NW_ENTRIES(name, Formula, ...) {#name, value<math::Formula>}, {#name "_grad", gradient<math::Formula>},
  return {{"round_bf16", round_bf16},
          {"add", add},
          {"add_relu", add_relu},
          {"add_relu_grad", add_relu_grad},
          NW_ELEMENT_KERNELS(NW_ENTRIES)};
#undef NW_ENTRIES
}

}  // namespace nw::reference
