// SPDX-License-Identifier: Apache-2.0
// Fake GPUs, which compute on the CPU: their memory is the host's and their kernels are the same element functors, run
// from the last index to the first. Graphs run on a separate thread, streams are synchronized by events, and any call
// can be made to fail. The fake is as strict as the driver: see fake_streams.hpp and fake_misuses().
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/driver_api.hpp"
#include "tests/kernels/cuda/fakes/fake_libraries.hpp"

namespace nw::cuda {

struct FakeFault {
  std::int64_t at_call = -1;  // counted from 0 over all functions that can fail; -1: never
  // the driver's error code; those that spoil a context stay until it is released, others (2, out of memory) occur once
  int code = 0;
  int gpu = -1;  // only calls for this GPU are counted; -1: all
  // the kernel that fails instead of a call, counted from 0 in execution order; it and all later ones compute nothing
  std::int64_t at_kernel = -1;
  // making the failed GPU's context current succeeds all the same, as it may
  bool quiet_contexts = false;
};
inline constexpr int fake_hangs = -1;  // a code: the call, or the kernel, never ends

/// A driver API table filled with the fakes; it counts calls from now on. From the failing call on every call in that
/// GPU's context fails, as after a sticky error. It has the libraries that FakeLibraries enables.
const DriverApi& fake_driver_api(FakeFault fault = {}, const FakeLibraries& = {});
bool fake_captures(DriverStream);
/// Driver calls since the last fake_driver_api().
std::int64_t fake_calls();
/// Declares the function of the interface that this thread is about to call, by its name in DriverTable; the text lives
/// as long as the program. Returns, of the call that was made to fail, that name; empty: none has failed yet.
void fake_calling(const char* name);
const char* fake_failed_call();
/// Kernels that ran since the last fake_driver_api().
std::int64_t fake_kernels_run();
/// Bytes of device and pinned memory that are allocated and not released.
std::int64_t fake_bytes();
/// Sets the free bytes of device memory, to test networks that do not fit.
void fake_free_memory(std::size_t bytes);
/// True: in graphs the work of all streams but the first, and outside of them copies from pinned memory, are executed
/// as late as the events allow.
void fake_late(bool late);
/// What the plug-in did since the last call of this function that no driver survives, though it may not say so: a graph
/// launched with freed memory or a destroyed communicator, an object used after its end.
std::vector<std::string> fake_misuses();
/// A kernel of this name computes nothing, without an error: a device that computes wrong. Empty: none.
void fake_skip(const std::string& kernel);
/// True: the driver API table has NCCL.
void fake_nccl(bool there);
/// Calls of NCCL since the last call of this function that would never have returned.
std::int64_t fake_nccl_stuck();

/// Bytes of memory.
struct FakeRange {
  const std::byte *begin = nullptr, *end = nullptr;
  static FakeRange of(const void* at, std::size_t bytes) {
    return {static_cast<const std::byte*>(at), static_cast<const std::byte*>(at) + bytes};
  }
};
/// One call that was enqueued while the last graph was captured.
struct FakeCall {
  std::string what;                 // "nw_conv2d", "copy", "all_reduce", "wait"
  int stream = 0;                   // 0: the stream that began the capture; 1, 2, …: those that joined it
  std::size_t count = 0;            // elements of an all_reduce
  int waits_for = 0;                // of a "wait": the stream that is waited for
  int priority = 0;                 // of its stream, if the graph keeps it: lower is more urgent
  std::vector<const void*> uses{};  // addresses; those in device or pinned memory must be there whenever it is launched
  bool needs_owner = false;         // `needs` must not have expired either
  std::weak_ptr<const void> needs{};
  bool may_wait = false;        // outside of a capture it may be executed later than enqueued
  std::uint64_t id = 0;         // different from those of all other calls
  std::size_t waits_until = 0;  // of a "wait": the calls of the capture before the event was recorded
  /// Of copies and calls of libraries. What a kernel reads and writes is found by running it.
  std::vector<FakeRange> reads{}, writes{};
  double operations = 0;  // of a library: multiplications and additions
};
std::vector<FakeCall> fake_last_graph();
/// An operation outside of captures: "copy" (object: the destination), "graph", "record" and "wait" (object: the
/// event), "host" (the host waited for the stream), or one that a test added with fake_moment().
struct FakeMoment {
  std::string what;
  const void *stream = nullptr, *object = nullptr;
};
void fake_moment(FakeMoment);
/// All operations since the last call, in order.
std::vector<FakeMoment> fake_timeline();
/// The time that cuDNN's engines have taken by their description (FakeLibraries::engines).
double fake_time_taken_ms();
/// Graphs and single operations launched on a device.
std::int64_t fake_graph_launches();

// Between the parts of the fake.
int fake_response();
int fake_enqueue(DriverStream stream, FakeCall what, std::function<void()> work);
std::uint64_t fake_next_call();
const Nccl& fake_nccl_library();
DriverTable fake_driver_table();
void fake_set(FakeFault);
void fake_misuse(const std::string& what);
std::size_t fake_memory_left();
/// False: a meter measures without computing.
bool fake_computes();

}  // namespace nw::cuda
