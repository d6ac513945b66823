// SPDX-License-Identifier: Apache-2.0
// The records of kernels/optimizers in one list. Nothing else is in this file: a test that adds an optimizer links a
// list of its own in its place.
#include <cstring>

#include "kernels/optimizer_list.hpp"  // made by CMake from the files in kernels/optimizers

namespace nw {
namespace {

template <class O>
constexpr Optimizer listed() {
  static_assert(sizeof(typename O::Scalars) <= Optimizer::most_scalar_bytes);
  static_assert(std::size(O::fields) <= Optimizer::most_fields && std::size(O::state) <= Optimizer::most_states);
  Optimizer o = O::record;
  o.scalars = [](const double* values, const UpdatePoint& at, void* to) {
    const typename O::Scalars s = O::scalars(values, at);
    std::memcpy(to, &s, sizeof s);
  };
  return o;
}

}  // namespace

std::span<const Optimizer> all_optimizers() {
#define NW_LISTED(E, name, Type) listed<optimizers::Type>(),
  static constexpr Optimizer list[] = {NW_OPTIMIZERS(NW_LISTED, )};
#undef NW_LISTED
  return list;
}

}  // namespace nw
