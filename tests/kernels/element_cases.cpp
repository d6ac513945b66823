// SPDX-License-Identifier: Apache-2.0
// Cases of the element kernels, generated from the rows of kernels/math/activation.hpp.
#include "kernels/math/element.hpp"
#include "tests/kernels/kernel_cases.hpp"

namespace nw::test {
namespace {

double between(Rng& r, double low, double high) { return low + (high - low) * static_cast<double>(r() % 1000) / 999; }

template <class Formula>
math::Parameters<double> draw(Rng& r, KernelCase& k) {
  math::Parameters<double> values;
  for (int i = 0; i < math::parameter_count<Formula>; ++i) {
    const math::Parameter& p = Formula::info.parameters[i];
    values.v[i] = between(r, p.low, p.high);
    k.attrs[p.name] = values.v[i];
  }
  return values;
}

template <class Formula>
KernelCase value(Rng& r) {
  KernelCase k = activation(r);
  k.inputs[0].fill = Fill::wide;
  draw<Formula>(r, k);
  return k;
}

template <class Formula>
KernelCase gradient(Rng& r) {
  KernelCase k = grad_of_x(r);
  k.inputs[1].fill = Fill::wide;
  const math::Parameters<double> p = draw<Formula>(r, k);
  if (Formula::info.gradient_reads == math::Operand::y)
    k.inputs[1].through = [p](double x) { return math::value<Formula, double>(x, p); };
  return k;
}

}  // namespace

std::map<std::string, Generator> element_cases() {
#define NW_CASES(name, Formula, ...) {#name, value<math::Formula>}, {#name "_grad", gradient<math::Formula>},
  return {NW_ELEMENT_KERNELS(NW_CASES)};
#undef NW_CASES
}

}  // namespace nw::test
