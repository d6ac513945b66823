// SPDX-License-Identifier: Apache-2.0
// The memory of the fake GPUs, which is the host's: what is allocated, and by which number an allocation can be known
// after it was freed and another one has its address. Between the parts of the fake.
#pragma once
#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::cuda {

int fake_device_acquire(DevicePointer*, std::size_t bytes);
int fake_device_release(DevicePointer);
int fake_pinned_acquire(void**, std::size_t bytes, unsigned flags);
int fake_pinned_release(void*);

/// The number of the allocation that contains this address, from 1; 0: none.
std::uint64_t fake_allocation(const void* at);
bool fake_is_pinned(const void* at);
/// The allocation that contains this address; empty: none.
FakeRange fake_range_around(const void* at);
/// The GPU whose memory this is; -1: of none, or pinned memory.
int fake_gpu_of(const void* at);
/// Whether the allocation of this number has not been freed.
bool fake_is_allocated(std::uint64_t number);

}  // namespace nw::cuda
