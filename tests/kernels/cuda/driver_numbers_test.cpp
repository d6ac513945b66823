// SPDX-License-Identifier: Apache-2.0
// The driver's and NCCL's numbers as declared here against their headers, if installed.
#include <gtest/gtest.h>

#include "kernels/cuda/driver_api.hpp"

#if __has_include(<cuda.h>)
#include <cuda.h>

namespace nw::cuda {
static_assert(error_out_of_memory == CUDA_ERROR_OUT_OF_MEMORY && error_not_ready == CUDA_ERROR_NOT_READY);
static_assert(error_ecc == CUDA_ERROR_ECC_UNCORRECTABLE && error_nvlink == CUDA_ERROR_NVLINK_UNCORRECTABLE);
#if CUDA_VERSION >= 12080
static_assert(error_contained == CUDA_ERROR_CONTAINED);
#endif
static_assert(errors_of_a_lost_device[0] == CUDA_ERROR_NOT_INITIALIZED &&
              errors_of_a_lost_device[1] == CUDA_ERROR_DEINITIALIZED &&
              errors_of_a_lost_device[2] == CUDA_ERROR_DEVICE_UNAVAILABLE &&
              errors_of_a_lost_device[3] == CUDA_ERROR_NO_DEVICE &&
              errors_of_a_lost_device[4] == CUDA_ERROR_INVALID_DEVICE &&
              errors_of_a_lost_device[5] == CUDA_ERROR_SYSTEM_NOT_READY &&
              errors_of_a_lost_device[6] == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
static_assert(attribute_processors == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT &&
              attribute_capability_major == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR &&
              attribute_capability_minor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(stream_non_blocking == CU_STREAM_NON_BLOCKING && event_without_time == CU_EVENT_DISABLE_TIMING &&
              capture_thread_local == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL &&
              graph_keeps_priorities == CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY);
}  // namespace nw::cuda
#endif

#if __has_include(<nccl.h>) && __has_include(<cuda_runtime.h>)
#include <nccl.h>

namespace nw::cuda {
static_assert(sizeof(NcclId) == sizeof(ncclUniqueId));
static_assert(nccl_int64 == ncclInt64 && nccl_float == ncclFloat && nccl_double == ncclDouble && nccl_sum == ncclSum);
static_assert(nccl_in_progress == ncclInProgress && nccl_remote_error == ncclRemoteError);
}  // namespace nw::cuda
#endif

namespace nw::cuda {
namespace {

TEST(DriverNumbers, AreThoseOfTheHeaders) {
#if !__has_include(<cuda.h>)
  GTEST_SKIP() << "cuda.h is not installed";
#elif !__has_include(<nccl.h>)
  GTEST_SKIP() << "nccl.h is not installed; those of cuda.h agree";
#endif
}

}  // namespace
}  // namespace nw::cuda
