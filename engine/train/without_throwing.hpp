// SPDX-License-Identifier: Apache-2.0
// A lack of memory as an error. Private to engine/train.
#pragma once
#include <new>

#include "kernels/result.hpp"

namespace nw {

/// The result of `work`, a function without arguments that returns a Status; std::bad_alloc is Errc::out_of_memory.
template <class Work>
Status without_throwing(const Work& work) try {
  return work();
} catch (const std::bad_alloc&) { return fail(Errc::out_of_memory, NW_TR("there is not enough memory")); }

}  // namespace nw
