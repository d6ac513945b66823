// SPDX-License-Identifier: Apache-2.0
// What the fake GPUs are asked to do, for a test that measures it instead of, or beside, having it done.
#pragma once
#include <vector>

#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::cuda {

/// One launch of a kernel, when the device would run it.
struct FakeKernel {
  std::uint64_t call;  // FakeCall::id
  const char* name;
  const void* functor;
  std::size_t bytes;   // of the functor
  std::int64_t count;  // of elements, or of blocks
  unsigned blocks, threads;
  int gpu;
};
/// What a thread of the program did, in its order. Of a graph: `calls`, in the order of the capture.
struct FakeOrder {
  enum Kind { work, record, wait, graph, host_waits_for_stream, host_waits_for_event, host_touches } kind;
  int gpu = -1;
  const void* stream = nullptr;
  const void* object = nullptr;   // an event, or a graph
  std::vector<FakeCall> calls{};  // of work: one; of host_touches: one, with the ranges
};
class FakeMeter {
 public:
  virtual ~FakeMeter() = default;
  /// Runs a kernel, as far as it should be; false: the fake GPU runs it.
  virtual bool run(const FakeKernel&) = 0;
  virtual void order(const FakeOrder&) {}
  /// False: libraries and sums over GPUs compute nothing, copies of more than 8 MiB are left out, and memory is only
  /// reserved, so that plans of any size can be measured. Memory that nobody wrote is zero then.
  virtual bool computes() const { return true; }
};
/// From now on; null: none. Objects must not outlive a meter that does not compute.
void fake_meter(FakeMeter*);
FakeMeter* fake_metered();
/// Declares that the host reads or writes pinned memory now.
void fake_host_touches(int gpu, const std::string& what, std::vector<FakeRange> reads, std::vector<FakeRange> writes);

}  // namespace nw::cuda
