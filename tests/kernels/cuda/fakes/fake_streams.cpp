// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/fakes/fake_streams.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "tests/kernels/cuda/fakes/fake_contexts.hpp"
#include "tests/kernels/cuda/fakes/fake_memory.hpp"
#include "tests/kernels/cuda/fakes/fake_meter.hpp"
#include "tests/kernels/cuda/fakes/fake_replay.hpp"

namespace nw::cuda {
namespace {

constexpr unsigned long long use_node_priority = 8;  // CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY

struct FakeStream;
/// The calls that a capture has recorded, and the streams that take part in it. The first one began it.
struct Recording {
  std::uint64_t number = 0;
  // shared with the graphs that replay it
  std::shared_ptr<std::vector<Recorded>> calls = std::make_shared<std::vector<Recorded>>();
  std::vector<FakeStream*> streams{};
  std::thread::id thread = std::this_thread::get_id();
  bool spoiled = false;
  int index_of(const FakeStream* s) const {
    return static_cast<int>(std::find(streams.begin(), streams.end(), s) - streams.begin());
  }
};
struct FakeStream {
  const int gpu, priority;
  Recording* capturing = nullptr;
  std::int64_t captured = 0;    // operations of this stream in the capture that nothing waits for yet
  std::future<void> running{};  // the graph that was launched last
  // copies from pinned memory that have not begun, if the fake is late; of all that were put off, the last ones
  std::deque<std::function<void()>> put_off{};
  std::uint64_t all_put_off = 0;
};
struct FakeEvent {
  FakeStream* of = nullptr;
  std::uint64_t capture = 0;  // the number of the capture in which it was recorded last; 0: in none
  std::int64_t captured = 0;  // FakeStream::captured when it was recorded
  std::uint64_t put_off = 0;  // FakeStream::all_put_off when it was recorded
  double ms = 0;              // what fake_take_time() had been told by then
  std::size_t calls = 0;      // of its capture, before it was recorded
};
std::atomic<double> time_taken{0};

// Objects that a lost device did not release remain registered until the process ends, as a driver's objects do.
std::mutex objects_mutex;
std::set<const void*>& objects = *new std::set<const void*>;
template <class T>
T* keep(T* made) {
  const std::scoped_lock lock(objects_mutex);
  objects.insert(made);
  return made;
}
bool exists(const void* object, const char* what) {
  const std::scoped_lock lock(objects_mutex);
  if (objects.count(object)) return true;
  fake_misuse(std::string(what) + " was used that does not exist, or no longer");
  return false;
}
template <class T>
int drop(void* object, const char* what) {
  if (!exists(object, what)) return error_invalid_handle;
  {
    const std::scoped_lock lock(objects_mutex);
    objects.erase(object);
  }
  delete static_cast<T*>(object);
  return fake_current_gpu() < 0 ? error_no_context : fake_sticky_error(fake_current_gpu());
}

std::atomic<std::int64_t> launches{0};
std::atomic<std::uint64_t> captures{0};
std::atomic<bool> late{false};
std::mutex graph_mutex, timeline_mutex;
std::vector<FakeCall>& last_graph = *new std::vector<FakeCall>;
std::vector<FakeMoment>& timeline = *new std::vector<FakeMoment>;
thread_local std::vector<Recording*> captures_here;

void tell(FakeOrder::Kind kind, const FakeStream* s, const void* object = nullptr, std::vector<FakeCall> calls = {}) {
  if (FakeMeter* const meter = fake_metered()) meter->order({kind, s->gpu, s, object, std::move(calls)});
}
int spoil(Recording& r, int code) {
  r.spoiled = true;
  return code;
}
/// The stream, or null with `code`: it does not exist, or belongs to another GPU's context.
FakeStream* used(DriverStream stream, int& code) {
  code = exists(stream, "a stream") ? 0 : error_invalid_handle;
  auto* s = static_cast<FakeStream*>(stream);
  if (code == 0 && s->gpu != fake_current_gpu()) code = error_invalid_handle;
  return code == 0 ? s : nullptr;
}
void catch_up(FakeStream& s, std::uint64_t until) {
  while (!s.put_off.empty() && s.all_put_off - s.put_off.size() < until) {
    s.put_off.front()();
    s.put_off.pop_front();
  }
}
void finish(FakeStream& s) {
  if (s.running.valid()) s.running.get();
  catch_up(s, s.all_put_off);
}

// A graph refers to memory and communicators, which must live whenever it is launched.
bool can_run(const std::vector<Recorded>& graph) {
  for (const Recorded& r : graph) {
    const bool freed = !std::all_of(r.memory.begin(), r.memory.end(), fake_is_allocated);
    if (freed) fake_misuse("a graph was launched whose " + r.call.what + " uses freed memory");
    const bool dropped = r.call.needs_owner && r.call.needs.expired();
    if (dropped) fake_misuse("a graph was launched whose " + r.call.what + " uses a destroyed communicator");
    if (freed || dropped) return false;
  }
  return true;
}

}  // namespace

int fake_unsafe_in_capture() {
  for (Recording* r : captures_here) r->spoiled = true;
  return captures_here.empty() ? 0 : capture_unsupported;
}
bool fake_captures(DriverStream stream) { return static_cast<FakeStream*>(stream)->capturing != nullptr; }

// Executed at once, or recorded for the graph.
int fake_enqueue(DriverStream stream, FakeCall what, std::function<void()> work) {
  if (const int code = fake_response()) return code;
  int code = 0;
  FakeStream* s = used(stream, code);
  if (!s) return code;
  if (what.id == 0) what.id = fake_next_call();
  auto unless_failed = [gpu = s->gpu, work = std::move(work)] {
    if (fake_works(gpu)) work();
  };
  if (!s->capturing) {
    tell(FakeOrder::work, s, nullptr, {what});
    if (late && what.may_wait) {
      s->put_off.push_back(unless_failed);
      ++s->all_put_off;
      return 0;
    }
    finish(*s);
    unless_failed();
    return 0;
  }
  if (s->capturing->spoiled) return capture_invalidated;
  what.stream = s->capturing->index_of(s);
  what.priority = s->priority;
  ++s->captured;
  std::vector<std::uint64_t> memory;
  for (const void* at : what.uses) {
    // the bytes between a functor's members may be an old address, of another GPU, whose thread frees it at any time
    const bool of_another = fake_gpu_of(at) >= 0 && fake_gpu_of(at) != s->gpu;
    if (const std::uint64_t number = of_another ? 0 : fake_allocation(at)) memory.push_back(number);
  }
  s->capturing->calls->push_back({std::move(what), unless_failed, std::move(memory)});
  return 0;
}

int fake_stream_make(DriverStream* s, unsigned flags) { return fake_stream_make_with_priority(s, flags, 0); }
int fake_stream_make_with_priority(DriverStream* s, unsigned, int priority) {
  if (const int code = fake_response()) return code;
  return *s = keep(new FakeStream{fake_current_gpu(), priority}), 0;
}
int fake_stream_drop(DriverStream stream) {
  if (!exists(stream, "a stream")) return error_invalid_handle;
  auto* s = static_cast<FakeStream*>(stream);
  if (s->capturing) fake_misuse("a stream was destroyed that captures");
  finish(*s);
  return drop<FakeStream>(stream, "a stream");
}
int fake_stream_wait(DriverStream stream) {
  int code = 0;
  FakeStream* s = used(stream, code);
  if (!s) return code;
  if (s->capturing) return spoil(*s->capturing, capture_unsupported);
  fake_moment({"host", stream});
  tell(FakeOrder::host_waits_for_stream, s);
  finish(*s);
  return fake_response();
}
int fake_stream_ready(DriverStream stream) {
  int code = 0;
  FakeStream* s = used(stream, code);
  if (!s) return code;
  if (s->capturing) return spoil(*s->capturing, capture_unsupported);
  if (!s->running.valid() || s->running.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready)
    return fake_stream_wait(stream);
  const int failed = fake_sticky_error(s->gpu);
  return failed ? failed : error_not_ready;
}

void fake_take_time(double ms) { time_taken.store(time_taken.load() + ms); }
double fake_time_taken_ms() { return time_taken.load(); }
int fake_event_make(DriverEvent* e, unsigned) {
  if (const int code = fake_response()) return code;
  return *e = keep(new FakeEvent), 0;
}
int fake_event_drop(DriverEvent e) { return drop<FakeEvent>(e, "an event"); }
int fake_event_record(DriverEvent event, DriverStream stream) {
  if (const int code = fake_response()) return code;
  int code = exists(event, "an event") ? 0 : error_invalid_handle;
  FakeStream* s = code == 0 ? used(stream, code) : nullptr;
  if (!s) return code;
  if (s->capturing && s->capturing->spoiled) return capture_invalidated;
  *static_cast<FakeEvent*>(event) = {s,           s->capturing ? s->capturing->number : 0,
                                     s->captured, s->all_put_off,
                                     time_taken,  s->capturing ? s->capturing->calls->size() : 0};
  if (s->capturing) return 0;
  fake_moment({"record", stream, event});
  tell(FakeOrder::record, s, event);
  return 0;
}
int fake_event_wait(DriverEvent event) {
  if (!exists(event, "an event")) return error_invalid_handle;
  auto* e = static_cast<FakeEvent*>(event);
  if (e->capture) return captured_event;
  fake_moment({"host", e->of, event});
  if (e->of) tell(FakeOrder::host_waits_for_event, e->of, event);
  if (e->of && e->of->running.valid()) e->of->running.get();
  if (e->of) catch_up(*e->of, e->put_off);
  return fake_response();
}
int fake_event_ms(float* ms, DriverEvent begin, DriverEvent end) {
  for (const DriverEvent event : {begin, end}) {
    if (!exists(event, "an event")) return error_invalid_handle;
    if (static_cast<FakeEvent*>(event)->capture) return captured_event;
  }
  const double taken = static_cast<FakeEvent*>(end)->ms - static_cast<FakeEvent*>(begin)->ms;
  return *ms = taken > 0 ? static_cast<float>(taken) : 0.25F, fake_response();
}

namespace {
/// A capturing stream waits for an event of its capture, or a stream joins the capture of the event.
int wait_in_capture(FakeStream& s, const FakeEvent& e) {
  Recording* of = e.of->capturing;
  if (!of || of->number != e.capture) return captured_event;  // the capture has ended
  if (of->spoiled) return capture_invalidated;
  if (s.capturing && s.capturing != of) return spoil(*s.capturing, capture_merge);
  if (!s.capturing) {
    s.capturing = of;
    s.captured = 0;
    of->streams.push_back(&s);
  }
  if (&s == e.of) return 0;
  FakeCall wait{"wait", of->index_of(&s)};
  wait.waits_for = of->index_of(e.of);
  wait.waits_until = e.calls;
  of->calls->push_back({std::move(wait), nullptr});
  if (e.of->captured == e.captured && e.of != of->streams.front()) e.of->captured = 0;
  ++s.captured;
  return 0;
}
}  // namespace

int fake_stream_wait_event(DriverStream stream, DriverEvent event, unsigned) {
  if (const int code = fake_response()) return code;
  int code = exists(event, "an event") ? 0 : error_invalid_handle;
  FakeStream* s = code == 0 ? used(stream, code) : nullptr;
  if (!s) return code;
  const FakeEvent& e = *static_cast<FakeEvent*>(event);
  if (e.capture) return wait_in_capture(*s, e);
  if (s->capturing) return e.of ? spoil(*s->capturing, capture_isolation) : 0;
  fake_moment({"wait", stream, event});
  tell(FakeOrder::wait, s, event);
  if (e.of && e.of->running.valid()) e.of->running.get();
  if (e.of) catch_up(*e.of, e.put_off);
  return 0;
}

int fake_capture_begin(DriverStream stream, int) {
  if (const int code = fake_response()) return code;
  int code = 0;
  FakeStream* s = used(stream, code);
  if (!s) return code;
  if (s->capturing) return spoil(*s->capturing, capture_unsupported);
  finish(*s);
  s->capturing = keep(new Recording{++captures});
  s->capturing->streams.push_back(s);
  s->captured = 0;
  captures_here.push_back(s->capturing);
  return 0;
}

namespace {
// The work of every stream but the first must be waited for, at last by the first.
bool is_joined(const Recording& r) {
  return std::all_of(r.streams.begin() + 1, r.streams.end(), [](const FakeStream* s) { return s->captured == 0; });
}
}  // namespace

int fake_capture_end(DriverStream stream, DriverGraph* graph) {
  *graph = nullptr;
  int code = 0;
  FakeStream* s = used(stream, code);
  if (!s) return code;
  Recording* r = s->capturing;
  if (!r) return error_invalid_value;
  if (r->streams.front() != s) return spoil(*r, capture_unmatched);
  if (r->thread != std::this_thread::get_id()) return spoil(*r, capture_wrong_thread);
  std::erase(captures_here, r);
  code = fake_response();
  if (code == 0 && r->spoiled) code = capture_invalidated;
  if (code == 0 && !is_joined(*r)) code = capture_unjoined;
  for (FakeStream* other : r->streams) other->capturing = nullptr;
  r->streams.clear();
  if (code != 0) return drop<Recording>(r, "a capture"), code;
  return *graph = r, 0;
}
int fake_graph_make(DriverGraphExec* made, DriverGraph graph, unsigned long long flags) {
  if (const int code = fake_response()) return code;
  if (!exists(graph, "a graph")) return error_invalid_handle;
  auto* copy = keep(new Recording(*static_cast<Recording*>(graph)));
  *made = copy;
  const std::scoped_lock lock(graph_mutex);
  last_graph.clear();
  for (const Recorded& c : *copy->calls) last_graph.push_back(c.call);
  if (!(flags & use_node_priority))  // the priority of the stream that launches it counts
    for (FakeCall& c : last_graph) c.priority = 0;
  return 0;
}
int fake_graph_launch(DriverGraphExec graph, DriverStream stream) {
  if (const int code = fake_response()) return code;
  int code = exists(graph, "a graph") ? 0 : error_invalid_handle;
  FakeStream* s = code == 0 ? used(stream, code) : nullptr;
  if (!s) return code;
  if (s->capturing) return spoil(*s->capturing, capture_unsupported);
  ++launches;
  fake_moment({"graph", stream, graph});
  auto calls = static_cast<Recording*>(graph)->calls;  // not const: the launch must not keep it when it has ended
  if (fake_metered()) {
    std::vector<FakeCall> all;
    for (const Recorded& r : *calls) all.push_back(r.call);
    tell(FakeOrder::graph, s, graph, std::move(all));
  }
  if (!can_run(*calls)) return error_invalid_value;
  s->running = std::async(std::launch::async, [before = std::move(s->running), first = std::exchange(s->put_off, {}),
                                               calls, put_off = late.load()]() mutable {
    if (before.valid()) before.get();  // graphs run one after the other; a launch does not wait
    for (const auto& copy : first) copy();
    const auto of_this_launch = std::move(calls);
    Replay(*of_this_launch, put_off).run();
  });
  return 0;
}
int fake_graph_drop(DriverGraph g) { return drop<Recording>(g, "a graph"); }
int fake_graph_exec_drop(DriverGraphExec g) { return drop<Recording>(g, "a graph"); }

void fake_late(bool wanted) { late = wanted; }
void fake_moment(FakeMoment m) {
  const std::scoped_lock lock(timeline_mutex);
  timeline.push_back(std::move(m));
}
std::vector<FakeMoment> fake_timeline() {
  const std::scoped_lock lock(timeline_mutex);
  return std::exchange(timeline, {});
}
std::int64_t fake_graph_launches() { return launches; }
std::vector<FakeCall> fake_last_graph() {
  const std::scoped_lock lock(graph_mutex);
  return last_graph;
}

}  // namespace nw::cuda
