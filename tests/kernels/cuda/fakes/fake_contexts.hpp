// SPDX-License-Identifier: Apache-2.0
// Which fake GPU a thread uses, what has failed on it, and what the plug-in did that no driver survives. Between the
// parts of the fake.
#pragma once
#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::cuda {

inline constexpr int fake_gpus = 8;
inline constexpr int error_invalid_value = 1, error_no_context = 201, error_invalid_handle = 400, error_not_found = 500;

/// The GPU whose context is current on this thread; -1: none.
int fake_current_gpu();
DriverContext fake_context(int gpu);
int fake_make_current(DriverContext);
int fake_retain(DriverContext*, int gpu);
/// With its last owner a context goes, and its sticky error with it.
int fake_release(int gpu);

/// The response of a call that can fail: counted, and the sticky error of the context that is current.
int fake_response();
/// The sticky error of a GPU's context: every later call in this context returns it. 0: none.
int fake_sticky_error(int gpu);
/// Whether the next kernel of this GPU computes. False: it fails, or an earlier one has failed.
bool fake_kernel_computes(int gpu);
/// Whether work other than a kernel is done: after a sticky error nothing is.
inline bool fake_works(int gpu) { return fake_sticky_error(gpu) == 0; }

}  // namespace nw::cuda
