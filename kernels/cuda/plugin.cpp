// SPDX-License-Identifier: Apache-2.0
// The entry point of the shared library, and the device's kernels as compiled by nvcc.
#include "kernels/cuda/backend.hpp"
#include "kernels/cuda/driver_api.hpp"
#include "kernels/cuda/watchdog.hpp"

asm(".section .rodata\n"
    ".balign 64\n"
    ".globl nw_cuda_kernels\n"
    ".hidden nw_cuda_kernels\n"
    "nw_cuda_kernels:\n"
    ".incbin \"" NW_CUDA_KERNELS
    "\"\n"
    ".byte 0\n"
    ".text\n");
extern "C" __attribute__((visibility("hidden"))) const unsigned char nw_cuda_kernels[];

/// Sets the function that is called when a GPU does not respond; see nw::cuda::on_hang.
extern "C" __attribute__((visibility("default"))) void netwright_on_hang(void (*gone)(const nw::Error&)) {
  nw::cuda::on_hang(gone);
}

extern "C" __attribute__((visibility("default"))) const nw::Backend* netwright_backend() {
  static const nw::cuda::DriverApi with_kernels = [] {
    nw::cuda::DriverApi b = nw::cuda::system_driver_api();
    b.kernels = nw_cuda_kernels;
    return b;
  }();
  nw::cuda::use_driver_api(&with_kernels);
  return &nw::cuda::cuda_backend();
}
