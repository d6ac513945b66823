// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/fakes/fake_device.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "kernels/cuda/elements/list.hpp"

namespace nw::cuda {
namespace {

using Runner = void (*)(const void* functor, i64 count);

template <class F>
void run_all(const void* functor, i64 count) {
  alignas(16) std::byte bytes[sizeof(F)];
  std::memcpy(bytes, functor, sizeof(F));
  const F& f = *reinterpret_cast<const F*>(bytes);
  for (i64 i = count; i-- > 0;) f(i);
}
struct Kernel {
  const char* name;
  Runner run;
  std::size_t bytes;
};
const Kernel kernels[] = {
#define NW_FAKE_KERNEL(name, ...) {"nw_" #name, run_all<__VA_ARGS__>, sizeof(__VA_ARGS__)},
    NW_CUDA_ELEMENTS(NW_FAKE_KERNEL)
#undef NW_FAKE_KERNEL
};

struct FakeStream;
struct Recorded {
  FakeCall call;
  std::function<void()> work;  // null: the first stream waits here for the other streams
};
/// The calls that a capture has recorded, and the streams that take part in it.
struct Recording {
  // shared with the graphs that replay it
  std::shared_ptr<std::vector<Recorded>> calls = std::make_shared<std::vector<Recorded>>();
  std::vector<FakeStream*> streams;
};
struct FakeStream {
  Recording* capturing = nullptr;
  bool open = false;          // has captured work that no stream waits for yet
  std::future<void> running;  // the graph that was launched last
};
struct FakeEvent {
  FakeStream* of = nullptr;
};

// Objects that a lost device did not release remain registered until the process ends, as a driver's objects do.
std::mutex objects_mutex;
std::set<void*>& objects = *new std::set<void*>;
template <class T>
T* keep(T* made) {
  const std::scoped_lock lock(objects_mutex);
  objects.insert(made);
  return made;
}
template <class T>
int drop(void* object) {
  const std::scoped_lock lock(objects_mutex);
  objects.erase(object);
  delete static_cast<T*>(object);
  return 0;
}
std::atomic<std::int64_t> calls{0}, taken{0}, launches{0};
std::atomic<std::size_t> free_bytes{std::size_t{8} << 30};
std::atomic<bool> late{false};
std::atomic<bool> failed{false};
std::atomic<bool> kernel_failed{false};
std::atomic<std::int64_t> kernels_run{0};
FakeFault fault;
thread_local int current_gpu = 0;
int contexts[8] = {0, 1, 2, 3, 4, 5, 6, 7};
std::mutex sizes_mutex, graph_mutex;
std::map<void*, std::size_t>& sizes = *new std::map<void*, std::size_t>;
std::vector<FakeCall>& last_graph = *new std::vector<FakeCall>;
std::mutex timeline_mutex;
std::vector<FakeMoment>& timeline = *new std::vector<FakeMoment>;

bool is_faulty() { return fault.gpu < 0 || fault.gpu == current_gpu; }
[[noreturn]] void hang() {
  for (;;) ::pause();
}
bool kernel_fails() {
  const std::int64_t kernel = kernels_run++;
  if (fault.at_kernel < 0 || kernel != fault.at_kernel) return false;
  if (fault.code == fake_hangs) hang();
  return kernel_failed = true;
}

void finish(FakeStream& s) {
  if (s.running.valid()) s.running.get();
}

void* take(std::size_t bytes) {
  void* p = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(p, 0xCD, bytes);
  const std::scoped_lock lock(sizes_mutex);
  sizes[p] = bytes;
  taken += static_cast<std::int64_t>(bytes);
  return p;
}
int give_back(void* p) {
  const std::scoped_lock lock(sizes_mutex);
  taken -= static_cast<std::int64_t>(sizes.at(p));
  sizes.erase(p);
  std::free(p);
  return 0;
}
void* host(DevicePointer p) { return reinterpret_cast<void*>(p); }

int device_acquire(DevicePointer* p, std::size_t bytes) {
  if (const int code = fake_response()) return code;
  if (bytes > free_bytes) return error_out_of_memory;
  return *p = reinterpret_cast<DevicePointer>(take(bytes)), 0;
}
int pinned_acquire(void** p, std::size_t bytes, unsigned) {
  if (const int code = fake_response()) return code;
  return *p = take(bytes), 0;
}
int find_function(DriverFunction* f, DriverModule, const char* name) {
  if (const int code = fake_response()) return code;
  for (const Kernel& k : kernels)
    if (std::strcmp(k.name, name) == 0) return *f = const_cast<Kernel*>(&k), 0;
  return 500;
}
int launch(DriverFunction f, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, DriverStream stream,
           void** arguments, void**) {
  const auto* kernel = static_cast<const Kernel*>(f);
  std::vector<std::byte> functor(kernel->bytes);
  std::memcpy(functor.data(), arguments[0], functor.size());
  const i64 count = *static_cast<i64*>(arguments[1]);
  const Mark mark = *static_cast<Mark*>(arguments[2]);
  const bool may_fail = is_faulty();
  return fake_enqueue(stream, {kernel->name}, [kernel, functor = std::move(functor), count, mark, may_fail] {
    if (mark.at) publish(mark.at, mark.number);
    if (!may_fail || !kernel_fails()) kernel->run(functor.data(), count);
  });
}
int copy_in(DevicePointer to, const void* from, std::size_t bytes, DriverStream s) {
  if (!static_cast<FakeStream*>(s)->capturing) fake_moment({"copy", s, host(to)});
  return fake_enqueue(s, {"copy"}, [=] { std::memcpy(host(to), from, bytes); });
}
int copy_out(void* to, DevicePointer from, std::size_t bytes, DriverStream s) {
  return fake_enqueue(s, {"copy"}, [=] { std::memcpy(to, host(from), bytes); });
}
int fill(DevicePointer to, unsigned char value, std::size_t bytes, DriverStream s) {
  return fake_enqueue(s, {"fill"}, [=] { std::memset(host(to), value, bytes); });
}

int capture_begin(DriverStream stream, int) {
  if (const int code = fake_response()) return code;
  auto* s = static_cast<FakeStream*>(stream);
  finish(*s);
  s->capturing = keep(new Recording);
  s->capturing->streams.push_back(s);
  return 0;
}
int capture_end(DriverStream stream, DriverGraph* graph) {
  auto* s = static_cast<FakeStream*>(stream);
  Recording* r = std::exchange(s->capturing, nullptr);
  bool unjoined = false;
  for (FakeStream* other : r->streams) {
    if (other != s) unjoined |= std::exchange(other->open, false);
    other->capturing = nullptr;
  }
  *graph = r;
  if (const int code = fake_response()) return code;
  return unjoined ? 904 : 0;  // CUDA_ERROR_STREAM_CAPTURE_UNJOINED
}
int graph_make(DriverGraphExec* made, DriverGraph graph, unsigned long long) {
  if (const int code = fake_response()) return code;
  auto* copy = keep(new Recording(*static_cast<Recording*>(graph)));
  *made = copy;
  const std::scoped_lock lock(graph_mutex);
  last_graph.clear();
  for (const Recorded& c : *copy->calls) last_graph.push_back(c.call);
  return 0;
}
// In the order of the capture, or with the work of all other streams delayed until the first one waits for it.
void play(const std::vector<Recorded>& graph, bool put_off) {
  std::vector<const Recorded*> waiting;
  const auto catch_up = [&] {
    for (const Recorded* r : waiting) r->work();
    waiting.clear();
  };
  for (const Recorded& r : graph) {
    if (!r.work)
      catch_up();
    else if (put_off && r.call.stream > 0)
      waiting.push_back(&r);
    else
      r.work();
  }
  catch_up();
}
int graph_launch(DriverGraphExec graph, DriverStream stream) {
  if (const int code = fake_response()) return code;
  ++launches;
  fake_moment({"graph", stream, graph});
  auto* s = static_cast<FakeStream*>(stream);
  s->running = std::async(
      std::launch::async,
      [before = std::move(s->running), calls = static_cast<Recording*>(graph)->calls, put_off = late.load()]() mutable {
        if (before.valid()) before.get();  // graphs run one after the other; a launch does not wait
        const auto of_this_launch = std::move(calls);
        play(*of_this_launch, put_off);
      });
  return 0;
}

int stream_wait(DriverStream stream) {
  fake_moment({"host", stream});
  finish(*static_cast<FakeStream*>(stream));
  return fake_response();
}
int stream_ready(DriverStream stream) {
  auto* s = static_cast<FakeStream*>(stream);
  if (!s->running.valid() || s->running.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready)
    return stream_wait(stream);
  const int code = failed ? fake_response() : 0;
  return code ? code : error_not_ready;
}
int drop_stream(DriverStream stream) {
  finish(*static_cast<FakeStream*>(stream));
  return drop<FakeStream>(stream);
}
int event_record(DriverEvent event, DriverStream stream) {
  if (const int code = fake_response()) return code;
  static_cast<FakeEvent*>(event)->of = static_cast<FakeStream*>(stream);
  if (!static_cast<FakeStream*>(stream)->capturing) fake_moment({"record", stream, event});
  return 0;
}
int stream_wait_event(DriverStream stream, DriverEvent event, unsigned) {
  if (const int code = fake_response()) return code;
  auto *s = static_cast<FakeStream*>(stream), *other = static_cast<FakeEvent*>(event)->of;
  if (!s->capturing && (!other || !other->capturing)) fake_moment({"wait", stream, event});
  if (!other || !other->capturing) return other ? (finish(*other), 0) : 0;
  Recording& r = *other->capturing;
  if (!s->capturing) {
    s->capturing = &r;
    r.streams.push_back(s);
  }
  if (s == r.streams.front()) {
    r.calls->push_back({{"wait"}, nullptr});
    other->open = false;
  }
  return 0;
}
int name_of_error(int code, const char** name) {
  return *name = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE", 0;
}
int attribute(int* value, int which, int) { return *value = which == attribute_capability_major ? 9 : 0, 0; }
int context_set(DriverContext c) {
  current_gpu = *static_cast<int*>(c);
  return fake_response();
}

}  // namespace

int fake_response() {
  if (!is_faulty()) return 0;
  const std::int64_t call = calls++;
  const bool now =
      kernel_failed ||
      (fault.at_call >= 0 && (fault.code == error_out_of_memory ? call == fault.at_call : call >= fault.at_call));
  if (now && fault.code == fake_hangs) hang();
  if (now) failed = fault.code != error_out_of_memory;
  return now ? fault.code : 0;
}

// Executed at once, or recorded for the graph.
int fake_enqueue(DriverStream stream, FakeCall what, std::function<void()> work) {
  if (const int code = fake_response()) return code;
  auto* s = static_cast<FakeStream*>(stream);
  const bool may_fail = is_faulty();
  const auto unless_failed = [may_fail, work = std::move(work)] {
    if (!may_fail || !kernel_failed) work();
  };
  if (!s->capturing) {
    finish(*s);
    unless_failed();
    return 0;
  }
  const auto& all = s->capturing->streams;
  what.stream = static_cast<int>(std::find(all.begin(), all.end(), s) - all.begin());
  s->open = what.stream > 0;
  s->capturing->calls->push_back({std::move(what), unless_failed});
  return 0;
}

DriverTable fake_driver_table() {
  DriverTable t{};
  t.init = [](unsigned) { return 0; };
  t.driver_version = [](int* v) { return *v = 13000, 0; };
  t.error_name = t.error_string = name_of_error;
  t.device_count = [](int* n) { return *n = 4, 0; };
  t.device_get = [](int* d, int i) { return *d = i, 0; };
  t.device_name = [](char* to, int size, int) {
    return std::snprintf(to, static_cast<std::size_t>(size), "Fake GPU"), 0;
  };
  t.device_memory = [](std::size_t* bytes, int) { return *bytes = std::size_t{8} << 30, 0; };
  t.device_attribute = attribute;
  t.device_bus_id = [](char* to, int size, int device) {
    return std::snprintf(to, static_cast<std::size_t>(size), "0000:%02x:00.0", 0x10 + device), 0;
  };
  t.context_retain = [](DriverContext* c, int device) { return *c = &contexts[device], fake_response(); };
  t.context_release = [](int) { return 0; };
  t.context_set = context_set;
  t.module_load = [](DriverModule* m, const void*) { return *m = &fault, fake_response(); };
  t.module_unload = [](DriverModule) { return 0; };
  t.module_function = find_function;
  t.memory_info = [](std::size_t* free, std::size_t* all) {
    return *free = free_bytes, *all = std::size_t{8} << 30, fake_response();
  };
  t.memory_acquire = device_acquire;
  t.memory_release = [](DevicePointer p) { return give_back(host(p)); };
  t.pinned_acquire = pinned_acquire;
  t.pinned_release = give_back;
  t.fill = fill;
  t.copy_in = copy_in;
  t.copy_out = copy_out;
  t.stream_make = [](DriverStream* s, unsigned) {
    if (const int code = fake_response()) return code;
    return *s = keep(new FakeStream), 0;
  };
  t.stream_drop = drop_stream;
  t.stream_wait = stream_wait;
  t.stream_ready = stream_ready;
  t.stream_wait_event = stream_wait_event;
  t.event_make = [](DriverEvent* e, unsigned) {
    if (const int code = fake_response()) return code;
    return *e = keep(new FakeEvent), 0;
  };
  t.event_drop = drop<FakeEvent>;
  t.event_record = event_record;
  t.event_ms = [](float* ms, DriverEvent, DriverEvent) { return *ms = 0.25F, fake_response(); };
  t.launch = launch;
  t.capture_begin = capture_begin;
  t.capture_end = capture_end;
  t.graph_make = graph_make;
  t.graph_launch = graph_launch;
  t.graph_drop = drop<Recording>;
  t.graph_exec_drop = drop<Recording>;
  return t;
}

void fake_set(FakeFault wanted) {
  fault = wanted;
  calls = kernels_run = 0;
  failed = kernel_failed = false;
}
bool fake_captures(DriverStream stream) { return static_cast<FakeStream*>(stream)->capturing != nullptr; }
std::int64_t fake_calls() { return calls; }
std::int64_t fake_kernels_run() { return kernels_run; }
std::int64_t fake_bytes() { return taken; }
void fake_free_memory(std::size_t bytes) { free_bytes = bytes; }
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
