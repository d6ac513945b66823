// SPDX-License-Identifier: Apache-2.0
// How the threads of a launch share its elements or blocks: a grid loops over them. `Thread` is the place of a thread:
// block(), blocks(), thread(), threads() and barrier(), at which all threads of a block wait for each other.
#pragma once
#include "kernels/cuda/elements/common.hpp"

#if defined(__CUDACC__)
#define NW_DEVICE __device__
#else
#define NW_DEVICE
#endif

namespace nw::cuda {

template <class F, class Thread>
NW_DEVICE inline void run_elements(const F& f, i64 count, const Thread& t) {
  const i64 step = static_cast<i64>(t.blocks()) * t.threads();
  for (i64 i = static_cast<i64>(t.block()) * t.threads() + t.thread(); i < count; i += step) f(i);
}

template <class F, class Thread>
NW_DEVICE inline void run_blocks(const F& f, i64 count, typename F::Shared& shared, const Thread& t) {
  for (i64 block = t.block(); block < count; block += t.blocks()) {
    NW_UNROLL
    for (int phase = 0; phase < F::phases; ++phase) {
      f(block, static_cast<int>(t.thread()), phase, shared);
      if (F::phases > 1) t.barrier();
    }
  }
}

}  // namespace nw::cuda
