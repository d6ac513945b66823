// SPDX-License-Identifier: Apache-2.0
// Element-wise programs, computed in double.
#include "kernels/formula_program.hpp"
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

PreparedKernel formula(KernelContext& c) {
  const math::Program program = program_of(c.step.attrs);
  std::vector<Image> inputs;
  for (int i = 0; i < program.inputs; ++i) inputs.push_back(in(c, i));
  const Image y = out(c, 0);
  return each_sample(c, [program, inputs, y](std::int64_t n) {
    for (std::int64_t e = 0; e < y.per_sample(); ++e) {
      double x[math::Program::most_inputs] = {};
      for (std::size_t i = 0; i < inputs.size(); ++i) x[i] = inputs[i].sample(n)[e];
      y.sample(n)[e] = static_cast<float>(math::run<double>(program, x));
    }
  });
}

}  // namespace

KernelTable formula_kernels() { return {{"formula", formula}}; }

}  // namespace nw::reference
