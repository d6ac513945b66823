// SPDX-License-Identifier: Apache-2.0
// The parts of an element kernel that are the same for all formulas of activation.hpp: names, and calls with the
// parameters of a step.
#pragma once
#include "kernels/math/activation.hpp"

namespace nw::math {

/// kernel_name<Mish>: "mish"; the gradient's kernel is "mish_grad".
template <class Formula>
inline constexpr const char* kernel_name = nullptr;
#define NW_KERNEL_NAME(name, Formula, ...) \
  template <>                              \
  inline constexpr const char* kernel_name<Formula> = #name;
NW_ELEMENT_KERNELS(NW_KERNEL_NAME)
#undef NW_KERNEL_NAME

constexpr int most_parameters = sizeof(ElementInfo::parameters) / sizeof(Parameter);
constexpr int parameters_of(const ElementInfo& info) {
  int count = 0;
  for (const Parameter& p : info.parameters) count += p.name != nullptr;
  return count;
}
template <class Formula>
inline constexpr int parameter_count = parameters_of(Formula::info);

/// The values of a kernel's parameters, in the order of ElementInfo::parameters.
template <class S>
struct Parameters {
  S v[most_parameters] = {};
};

template <class Formula, class T>
NW_FORMULA T value(T x, Parameters<Scalar<T>> p) {
  if constexpr (parameter_count<Formula> == 0)
    return Formula::value(x);
  else if constexpr (parameter_count<Formula> == 1)
    return Formula::value(x, p.v[0]);
  else
    return Formula::value(x, p.v[0], p.v[1]);
}
/// v: x or y, see ElementInfo::gradient_reads.
template <class Formula, class T>
NW_FORMULA T gradient(T dy, T v, Parameters<Scalar<T>> p) {
  if constexpr (parameter_count<Formula> == 0)
    return Formula::gradient(dy, v);
  else if constexpr (parameter_count<Formula> == 1)
    return Formula::gradient(dy, v, p.v[0]);
  else
    return Formula::gradient(dy, v, p.v[0], p.v[1]);
}

}  // namespace nw::math
