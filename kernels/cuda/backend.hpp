// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kernels/api.hpp"

namespace nw::cuda {

/// The GPUs behind the border in use; the plug-in hands it out.
const Backend& cuda_backend();

}  // namespace nw::cuda
