// SPDX-License-Identifier: Apache-2.0
// GPUs that are this processor: their memory is the host's and their kernels are the same element functors, run from
// the last index to the first. Graphs run on a thread of their own, streams are joined by events, and any call can be
// told to fail.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "kernels/cuda/driver_api.hpp"
#include "tests/kernels/cuda/fakes/fake_libraries.hpp"

namespace nw::cuda {

struct FakeFault {
  std::int64_t at_call = -1;  // counted from 0 over all functions that can fail; -1: never
  int code = 0;               // of the driver; 2, out of memory, happens once, all others last
  int gpu = -1;               // only calls for this one count; -1: all
  // a kernel that ends so instead, counted from 0 as they run; with it and behind it nothing is computed
  std::int64_t at_kernel = -1;
};
inline constexpr int fake_hangs = -1;  // a code: the call, or the kernel, never ends

/// A border to the fakes; calls are counted from here on. From the failing call on every one fails, as after a sticky
/// error. It has the libraries that are asked for.
const DriverApi& fake_driver_api(FakeFault fault = {}, const FakeLibraries& = {});
bool fake_captures(DriverStream);
/// Calls since then.
std::int64_t fake_calls();
/// Kernels that ran since then.
std::int64_t fake_kernels_run();
/// Bytes of device and pinned memory that are taken and not given back.
std::int64_t fake_bytes();
/// Of the device memory that is left; for networks that do not fit.
void fake_free_memory(std::size_t bytes);
/// True: what other streams than the first are given happens as late as the events allow.
void fake_late(bool late);
/// True: the border has an NCCL.
void fake_nccl(bool there);

/// One thing that was enqueued while the last graph was captured.
struct FakeCall {
  std::string what;       // "nw_conv2d", "copy", "all_reduce", "wait"
  int stream = 0;         // 0: where the capture began; 1, 2, …: those that joined it
  std::size_t count = 0;  // elements of an all_reduce
};
std::vector<FakeCall> fake_last_graph();
/// What happened outside of captures, in order: "copy" (object: where to), "graph", "record" and "wait" (an event),
/// "host" (it waited for that stream), and what a test put there itself.
struct FakeMoment {
  std::string what;
  const void *stream = nullptr, *object = nullptr;
};
void fake_moment(FakeMoment);
/// All since the last call.
std::vector<FakeMoment> fake_timeline();
/// Graphs and single things handed to a device.
std::int64_t fake_graph_launches();

// Between the parts of the fake.
int fake_response();
int fake_enqueue(DriverStream stream, FakeCall what, std::function<void()> work);
const Nccl& fake_nccl_library();
DriverTable fake_driver_table();
void fake_set(FakeFault);

}  // namespace nw::cuda
