// SPDX-License-Identifier: Apache-2.0
// A GPU that is this processor: its memory is the host's and its kernels are the same element functors, run from the last index
// to the first. It can be told to fail at its n-th call.
#pragma once
#include "kernels/cuda/border.hpp"

namespace nw::cuda {

struct FakeFault {
  std::int64_t at_call = -1;  // counted from 0 over all functions that can fail; -1: never
  int code = 0;
};

/// A border to the fake; calls are counted from here on. From the failing call on every one fails, as after a sticky error.
const Border& fake_border(FakeFault fault = {});
/// Calls since then.
std::int64_t fake_calls();
/// Bytes of device and pinned memory that are taken and not given back.
std::int64_t fake_bytes();

}  // namespace nw::cuda
