// SPDX-License-Identifier: Apache-2.0
// Every element function of kernels/optimizers over single numbers. Nothing else is in this file, see
// kernels/optimizer_records.cpp.
#include "kernels/reference/optimizers.hpp"

#include "kernels/optimizer_list.hpp"  // made by CMake

namespace nw::reference {
namespace {

template <class O>
void update(const UpdateArgs& a) {
  const auto& scalars = *static_cast<const typename O::Scalars*>(a.scalars);
  constexpr std::size_t states = std::size(O::state);
  for (std::int64_t e = 0; e < a.count; ++e) {
    float s[states]{};
    for (std::size_t i = 0; i < states; ++i)
      if (a.state[i]) s[i] = a.state[i][e];
    O::template update<ScalarMath>(scalars, a.w[e], a.g[e] + a.penalty.gradient(a.w[e]), s);
    for (std::size_t i = 0; i < states; ++i)
      if (a.state[i]) a.state[i][e] = s[i];
  }
}

}  // namespace

std::span<const Update> updates() {
#define NW_UPDATE(E, name, Type) update<optimizers::Type>,
  static constexpr Update list[] = {NW_OPTIMIZERS(NW_UPDATE, )};
#undef NW_UPDATE
  return list;
}

}  // namespace nw::reference
