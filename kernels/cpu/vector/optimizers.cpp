// SPDX-License-Identifier: Apache-2.0
// Every element function of kernels/optimizers over vectors. Nothing else is in this file, see
// kernels/optimizer_records.cpp.
#include "kernels/cpu/vector/each_vector.hpp"
#include "kernels/cpu/vector/sources.hpp"
#include "kernels/optimizer_list.hpp"  // made by CMake

namespace nw::cpu::NW_ISA {
namespace {

static_assert(UpdateArgs::most_states == Optimizer::most_states &&
              UpdateArgs::most_scalar_bytes == Optimizer::most_scalar_bytes);

/// See ScalarMath.
struct VectorMath {
  using Number = Vec;
  static NW_INLINE Vec shrink(Vec w, float factor) { return w * factor; }
  static NW_INLINE Vec weighted_square(float weight, Vec g) { return weight * (g * g); }
  static NW_INLINE Vec over_root(float rate, Vec number, Vec v, RootScale scale, float eps) {
    return NW_ISA::over_root(rate * number, v, scale.inverse, eps);
  }
  static NW_INLINE Vec positive_part(Vec v) { return v < 0.0f ? Vec{} : v; }
  static NW_INLINE Vec sign(Vec v) { return (v > 0.0f ? all(1.0f) : Vec{}) - (v < 0.0f ? all(1.0f) : Vec{}); }
};

template <class O, bool penalised>
void update_of(const UpdateArgs& given) {
  const UpdateArgs a = given;  // a copy: stores cannot alias it
  typename O::Scalars scalars;
  __builtin_memcpy(&scalars, a.scalars, sizeof scalars);
  constexpr int states = static_cast<int>(sizeof(O::state) / sizeof(OptimizerState));
  each_vector(a.count, [&](i64 i, int n) {
    Vec w = load_some(a.w + i, n), g = load_some(a.g + i, n), s[states];
    if (penalised) g = g + a.l2 * w + a.l1 * VectorMath::sign(w);
#pragma GCC unroll 4
    for (int k = 0; k < states; ++k) s[k] = a.state[k] ? load_some(a.state[k] + i, n) : Vec{};
    O::template update<VectorMath>(scalars, w, g, s);
#pragma GCC unroll 4
    for (int k = 0; k < states; ++k)
      if (a.state[k]) store_some(a.state[k] + i, s[k], n);
    store_some(a.w + i, w, n);
  });
}

template <class O>
void update(const UpdateArgs& a) {
  (a.l1 != 0.0f || a.l2 != 0.0f ? update_of<O, true> : update_of<O, false>)(a);
}

}  // namespace

#define NW_UPDATE(E, name, Type) update<optimizers::Type>,
extern const Update updates[] = {NW_OPTIMIZERS(NW_UPDATE, )};
#undef NW_UPDATE

}  // namespace nw::cpu::NW_ISA
