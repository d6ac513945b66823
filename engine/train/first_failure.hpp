// SPDX-License-Identifier: Apache-2.0
// The error of several threads that work together. Private to engine/train.
#pragma once
#include <span>

#include "kernels/result.hpp"

namespace nw {

/// The first error in order; one caused by the failure of another (Errc::stopped) only if there is no other.
inline Status first_failure(std::span<const Status> done) {
  const Status* failure = nullptr;
  for (const Status& s : done)
    if (!s && (!failure || failure->error().code == Errc::stopped)) failure = &s;
  return failure ? *failure : Status();
}

}  // namespace nw
