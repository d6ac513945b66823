// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kernels/api.hpp"

namespace nw::cuda {

/// The GPUs of the driver API in use; returned by the plug-in.
const Backend& cuda_backend();

}  // namespace nw::cuda
