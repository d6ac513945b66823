// SPDX-License-Identifier: Apache-2.0
// The fake driver is as strict as NVIDIA's: what stream capture forbids gives the documented error and spoils the
// capture, errors stay in the context where they occurred, and graphs refer to what they captured.
#include <gmock/gmock.h>

#include <thread>

#include "kernels/cuda/elements/common.hpp"
#include "tests/kernels/cuda/fakes/fake_contexts.hpp"
#include "tests/kernels/cuda/fakes/fake_streams.hpp"

namespace nw::cuda {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FakeDriver : public testing::Test {
 protected:
  FakeDriver() {
    fake_driver_api();
    use(0);
    for (DriverStream* s : {&main_, &side_}) EXPECT_EQ(d.stream_make(s, stream_non_blocking), 0);
    for (DriverEvent* e : {&first_, &second_}) EXPECT_EQ(d.event_make(e, event_without_time), 0);
    EXPECT_EQ(d.memory_acquire(&memory_, 64), 0);
    EXPECT_EQ(d.pinned_acquire(&pinned_, 64, 0), 0);
  }
  ~FakeDriver() override {
    fake_driver_api();
    use(0);
    for (const DriverStream s : {main_, side_}) d.stream_drop(s);
    for (const DriverEvent e : {first_, second_}) d.event_drop(e);
    if (memory_) d.memory_release(memory_);
    d.pinned_release(pinned_);
  }
  int use(int gpu) {
    DriverContext context = nullptr;
    EXPECT_EQ(d.context_retain(&context, gpu), 0);
    return d.context_set(context);
  }
  int begin(DriverStream s) { return d.capture_begin(s, capture_thread_local); }
  int end(DriverStream s) {
    DriverGraph graph = nullptr;
    const int code = d.capture_end(s, &graph);
    EXPECT_EQ(graph == nullptr, code != 0) << "a capture that failed has no graph";
    if (graph) d.graph_drop(graph);
    return code;
  }
  int copy(DriverStream s) { return d.copy_in(memory_, pinned_, 64, s); }
  int fork() { return d.event_record(first_, main_) + d.stream_wait_event(side_, first_, 0); }
  int join() { return d.event_record(second_, side_) + d.stream_wait_event(main_, second_, 0); }
  DriverGraphExec captured_copy() {
    EXPECT_EQ(begin(main_) + copy(main_), 0);
    DriverGraph graph = nullptr;
    DriverGraphExec made = nullptr;
    EXPECT_EQ(d.capture_end(main_, &graph), 0);
    EXPECT_EQ(d.graph_make(&made, graph, 0), 0);
    d.graph_drop(graph);
    return made;
  }

  const DriverTable d = fake_driver_table();
  DriverStream main_ = nullptr, side_ = nullptr;
  DriverEvent first_ = nullptr, second_ = nullptr;
  DevicePointer memory_ = 0;
  void* pinned_ = nullptr;
};

TEST_F(FakeDriver, CaptureOfAForkThatIsJoinedSucceeds) {
  ASSERT_EQ(begin(main_), 0);
  EXPECT_EQ(fork(), 0);
  EXPECT_EQ(copy(side_), 0);
  EXPECT_EQ(join(), 0);
  EXPECT_EQ(end(main_), 0);
}

// What waits for the device, or may do so, is not permitted on a thread that captures.
TEST_F(FakeDriver, CallsThatMayWaitSpoilACapture) {
  DevicePointer more = 0;
  void* pinned = nullptr;
  DriverModule module = nullptr;
  DriverFunction function = nullptr;
  const std::pair<const char*, std::function<int()>> forbidden[] = {
      {"stream_wait", [&] { return d.stream_wait(main_); }},
      {"stream_ready", [&] { return d.stream_ready(main_); }},
      {"memory_acquire", [&] { return d.memory_acquire(&more, 64); }},
      {"memory_release", [&] { return d.memory_release(memory_); }},
      {"pinned_acquire", [&] { return d.pinned_acquire(&pinned, 64, 0); }},
      {"pinned_release", [&] { return d.pinned_release(pinned_); }},
      {"module_load", [&] { return d.module_load(&module, ""); }},
      {"module_function", [&] { return d.module_function(&function, nullptr, "nw_relu_f32"); }},
      {"capture_begin", [&] { return begin(main_); }}};
  for (const auto& [name, call] : forbidden) {
    SCOPED_TRACE(name);
    ASSERT_EQ(begin(main_), 0);
    EXPECT_EQ(call(), capture_unsupported);
    EXPECT_EQ(copy(main_), capture_invalidated) << "the capture is spoilt";
    EXPECT_EQ(end(main_), capture_invalidated);
    EXPECT_EQ(copy(main_), 0) << "the stream works again once the capture has ended";
  }
  std::thread other([&] { EXPECT_EQ(use(0) + d.memory_acquire(&more, 64) + d.memory_release(more), 0); });
  other.join();
}

TEST_F(FakeDriver, ACaptureEndsWhereItBegan) {
  ASSERT_EQ(begin(main_), 0);
  EXPECT_EQ(fork(), 0);
  EXPECT_EQ(end(side_), capture_unmatched);
  EXPECT_EQ(end(main_), capture_invalidated);
  ASSERT_EQ(begin(main_), 0);
  std::thread([&] { EXPECT_EQ(use(0) + end(main_), capture_wrong_thread); }).join();
  EXPECT_EQ(end(main_), capture_invalidated);
}

TEST_F(FakeDriver, AStreamThatIsNotWaitedForAtItsEndIsUnjoined) {
  ASSERT_EQ(begin(main_), 0);
  EXPECT_EQ(fork() + copy(side_), 0);
  EXPECT_EQ(end(main_), capture_unjoined);
  ASSERT_EQ(begin(main_), 0);
  EXPECT_EQ(fork() + copy(side_) + join() + copy(side_), 0);
  EXPECT_EQ(end(main_), capture_unjoined) << "the last copy came after the event";
}

TEST_F(FakeDriver, EventsDoNotLeadIntoOrOutOfACapture) {
  EXPECT_EQ(d.event_record(first_, side_), 0);
  ASSERT_EQ(begin(main_), 0);
  EXPECT_EQ(d.stream_wait_event(main_, first_, 0), capture_isolation);
  EXPECT_EQ(end(main_), capture_invalidated);
  float ms = 0;
  ASSERT_EQ(begin(main_), 0);
  EXPECT_EQ(d.event_record(first_, main_), 0);
  EXPECT_EQ(d.event_wait(first_), captured_event);
  EXPECT_EQ(d.event_ms(&ms, first_, first_), captured_event);
  EXPECT_EQ(begin(side_), 0);
  EXPECT_EQ(d.stream_wait_event(side_, first_, 0), capture_merge);
  EXPECT_EQ(end(side_), capture_invalidated);
  EXPECT_EQ(end(main_), 0);
  EXPECT_EQ(d.stream_wait_event(side_, first_, 0), captured_event) << "its capture has ended";
}

TEST_F(FakeDriver, AnErrorStaysInTheContextWhereItOccurred) {
  fake_driver_api({.at_call = 0, .code = 700});
  EXPECT_EQ(copy(main_), 700);
  EXPECT_EQ(d.stream_wait(main_), 700);
  EXPECT_EQ(d.event_record(first_, main_), 700);
  DevicePointer other = 0;
  EXPECT_EQ(use(1), 0) << "another context works";
  EXPECT_EQ(d.memory_acquire(&other, 64), 0);
  EXPECT_EQ(d.memory_release(other), 0);
  DriverContext context = fake_context(0);
  EXPECT_EQ(d.context_set(context), 700);
}

TEST_F(FakeDriver, AnErrorOfACallOnlyOccursOnce) {
  for (const int code : {error_out_of_memory, error_invalid_value, int{capture_unsupported}}) {
    fake_driver_api({.at_call = 0, .code = code});
    EXPECT_EQ(copy(main_), code);
    EXPECT_EQ(copy(main_), 0);
  }
}

TEST_F(FakeDriver, ObjectsBelongToTheContextThatMadeThem) {
  EXPECT_EQ(use(1), 0);
  EXPECT_EQ(copy(main_), error_invalid_handle);
  EXPECT_EQ(use(0), 0);
  EXPECT_EQ(copy(main_), 0);
  std::thread([&] { EXPECT_EQ(copy(main_), error_no_context); }).join();
}

TEST_F(FakeDriver, AGraphNeedsTheMemoryThatItCaptured) {
  const DriverGraphExec graph = captured_copy();
  EXPECT_EQ(d.graph_launch(graph, main_) + d.stream_wait(main_), 0);
  EXPECT_THAT(fake_misuses(), IsEmpty());
  EXPECT_EQ(d.memory_release(memory_), 0);
  DevicePointer again = 0;
  EXPECT_EQ(d.memory_acquire(&again, 64), 0);  // perhaps at the same place
  EXPECT_EQ(d.graph_launch(graph, main_), error_invalid_value);
  memory_ = again;
  EXPECT_THAT(fake_misuses(), ElementsAre(HasSubstr("freed memory")));
  d.graph_exec_drop(graph);
}

/// A functor is copied with the bytes between its members, which may hold what the stack held before: an address of
/// another GPU, whose thread frees that memory at any time.
TEST_F(FakeDriver, AGraphIsNotToldOfTheEndOfAnotherGpusMemory) {
  DevicePointer other = 0;
  EXPECT_EQ(use(1) + d.memory_acquire(&other, 64) + use(0), 0);
  alignas(16) DevicePointer functor[72];
  std::fill(std::begin(functor), std::end(functor), other);
  i64 none = 0;
  Mark mark{};
  void* arguments[] = {functor, &none, &mark};
  DriverFunction kernel = nullptr;
  EXPECT_EQ(d.module_function(&kernel, nullptr, "nw_add_f32"), 0);
  ASSERT_EQ(begin(main_), 0);
  EXPECT_EQ(d.launch(kernel, 1, 1, 1, 256, 1, 1, 0, main_, arguments, nullptr), 0);
  DriverGraph graph = nullptr;
  DriverGraphExec made = nullptr;
  EXPECT_EQ(d.capture_end(main_, &graph), 0);
  EXPECT_EQ(d.graph_make(&made, graph, 0), 0);
  EXPECT_EQ(use(1) + d.memory_release(other) + use(0), 0);
  EXPECT_EQ(d.graph_launch(made, main_), 0);
  EXPECT_EQ(d.stream_wait(main_), 0);
  EXPECT_THAT(fake_misuses(), IsEmpty());
  d.graph_exec_drop(made);
  d.graph_drop(graph);
}

TEST_F(FakeDriver, AGraphCopiesPinnedMemoryOnly) {
  std::vector<std::byte> pageable(64);
  ASSERT_EQ(begin(main_), 0);
  EXPECT_EQ(d.copy_in(memory_, pageable.data(), 64, main_), 0);
  EXPECT_EQ(end(main_), 0);
  EXPECT_THAT(fake_misuses(), ElementsAre(HasSubstr("not pinned")));
}

TEST_F(FakeDriver, AnObjectIsNotUsedAfterItsEnd) {
  const DriverGraphExec graph = captured_copy();
  EXPECT_EQ(d.graph_exec_drop(graph), 0);
  EXPECT_EQ(d.graph_launch(graph, main_), error_invalid_handle);
  EXPECT_EQ(d.graph_exec_drop(graph), error_invalid_handle);
  EXPECT_EQ(d.memory_release(reinterpret_cast<DevicePointer>(pinned_)), error_invalid_value);
  EXPECT_THAT(fake_misuses(), Contains(HasSubstr("a graph was used")).Times(2));
}

TEST_F(FakeDriver, AGraphNeedsTheCommunicatorThatItCaptured) {
  const NcclTable& nccl = fake_nccl_library().table;
  NcclId id{};
  NcclComm comm = nullptr;
  ASSERT_EQ(nccl.unique_id(&id) + nccl.comm_make(&comm, 1, id, 0), 0);
  ASSERT_EQ(begin(main_), 0);
  auto* at = reinterpret_cast<void*>(memory_);
  EXPECT_EQ(nccl.all_reduce(at, at, 16, nccl_float, nccl_sum, comm, main_), 0);
  DriverGraph graph = nullptr;
  DriverGraphExec made = nullptr;
  EXPECT_EQ(d.capture_end(main_, &graph) + d.graph_make(&made, graph, 0), 0);
  d.graph_drop(graph);
  EXPECT_EQ(d.graph_launch(made, main_) + d.stream_wait(main_), 0);
  EXPECT_THAT(fake_misuses(), IsEmpty());
  nccl.comm_abort(comm);
  EXPECT_EQ(fake_nccl_stuck(), 1) << "the library would wait for the graph for ever";
  EXPECT_EQ(d.graph_launch(made, main_), error_invalid_value);
  EXPECT_THAT(fake_misuses(), ElementsAre(HasSubstr("destroyed communicator")));
  d.graph_exec_drop(made);
}

TEST_F(FakeDriver, CopiesFromPinnedMemoryMayBeLate) {
  fake_late(true);
  std::memset(pinned_, 1, 64);
  EXPECT_EQ(copy(main_) + d.event_record(first_, main_), 0);
  std::memset(pinned_, 2, 64);
  EXPECT_EQ(d.event_wait(first_), 0);
  EXPECT_EQ(*reinterpret_cast<std::uint8_t*>(memory_), 2) << "the host wrote before the copy had read";
  fake_late(false);
}

}  // namespace
}  // namespace nw::cuda
