// SPDX-License-Identifier: Apache-2.0
// The processor's tile unit. Uses instructions instead of the compiler's intrinsics: those of GCC 12 do not declare
// that they read memory, so that the compiler may move preceding stores after them.
#pragma once
#include "kernels/cpu/tiles/tile_unit.hpp"

namespace nw::cpu {
namespace {

class AmxUnit {
 public:
  explicit AmxUnit(const TileSetup& setup) {
    if (setup == now_) return;
    const TilePalette p = setup.palette(setup.a, setup.b);
    asm volatile("ldtilecfg %0" : : "m"(p) : "memory");
    now_ = setup;
  }
  static void release() {
    if (now_.palette) asm volatile("tilerelease");
    now_ = {};
  }
  AmxUnit(const AmxUnit&) = delete;
  AmxUnit& operator=(const AmxUnit&) = delete;
  template <int t>
  void zero() {
    asm volatile("tilezero %%tmm%c0" : : "i"(t));
  }
  template <int t>
  void load(const void* from, std::int64_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(t) : "memory");
  }
  template <int t>
  void store(void* to, std::int64_t stride) const {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "i"(t) : "memory");
  }
  template <int c, int a, int b>
  void multiply() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(c), "i"(a), "i"(b));
  }
  template <int c, int a, int b>
  void multiply_bytes() {
    asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(c), "i"(a), "i"(b));
  }
  void stay_awake() { asm volatile("vaddps %0, %0, %0" : "+x"(zero_)); }

 private:
  typedef float Four __attribute__((vector_size(16)));
  Four zero_ = {};
  static inline thread_local TileSetup now_;  // this thread's tiles
};

}  // namespace
}  // namespace nw::cpu
