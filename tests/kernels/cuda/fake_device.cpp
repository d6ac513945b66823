// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/fake_device.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/elements/list.hpp"

namespace nw::cuda {
namespace {

using Runner = void (*)(const void* functor, i64 count);
using Work = std::vector<std::function<void()>>;

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

struct FakeStream {
  Work* capturing = nullptr;
};
// What a lost device never gave back stays known to the end of the process, as a driver's objects do.
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
std::atomic<std::int64_t> calls{0}, taken{0};
FakeFault fault;
std::mutex sizes_mutex;
std::map<void*, std::size_t>& sizes = *new std::map<void*, std::size_t>;

int answer() {
  const std::int64_t call = calls++;
  return fault.at_call >= 0 && call >= fault.at_call ? fault.code : 0;
}
// Done at once, or kept for the graph.
int enqueue(DriverStream stream, std::function<void()> work) {
  if (const int code = answer()) return code;
  auto* s = static_cast<FakeStream*>(stream);
  if (s->capturing) s->capturing->push_back(std::move(work));
  else work();
  return 0;
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

int find_function(DriverFunction* f, DriverModule, const char* name) {
  if (const int code = answer()) return code;
  for (const Kernel& k : kernels)
    if (std::strcmp(k.name, name) == 0) return *f = const_cast<Kernel*>(&k), 0;
  return 500;
}
int launch(DriverFunction f, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, DriverStream stream, void** arguments, void**) {
  const auto* kernel = static_cast<const Kernel*>(f);
  std::vector<std::byte> functor(kernel->bytes);
  std::memcpy(functor.data(), arguments[0], functor.size());
  const i64 count = *static_cast<i64*>(arguments[1]);
  return enqueue(stream, [kernel, functor = std::move(functor), count] { kernel->run(functor.data(), count); });
}
int copy_in(DevicePointer to, const void* from, std::size_t bytes, DriverStream s) {
  return enqueue(s, [=] { std::memcpy(host(to), from, bytes); });
}
int copy_out(void* to, DevicePointer from, std::size_t bytes, DriverStream s) {
  return enqueue(s, [=] { std::memcpy(to, host(from), bytes); });
}
int fill(DevicePointer to, unsigned char value, std::size_t bytes, DriverStream s) {
  return enqueue(s, [=] { std::memset(host(to), value, bytes); });
}
int capture_begin(DriverStream s, int) {
  if (const int code = answer()) return code;
  return static_cast<FakeStream*>(s)->capturing = keep(new Work), 0;
}
int capture_end(DriverStream s, DriverGraph* graph) {
  *graph = std::exchange(static_cast<FakeStream*>(s)->capturing, nullptr);
  return answer();
}
int graph_make(DriverGraphExec* made, DriverGraph graph, unsigned long long) {
  if (const int code = answer()) return code;
  return *made = keep(new Work(*static_cast<Work*>(graph))), 0;
}
int graph_launch(DriverGraphExec graph, DriverStream) {
  if (const int code = answer()) return code;
  for (const auto& work : *static_cast<Work*>(graph)) work();
  return 0;
}
int name_of_error(int code, const char** name) { return *name = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE", 0; }
int attribute(int* value, int which, int) { return *value = which == attribute_capability_major ? 9 : 0, 0; }

DriverTable table() {
  DriverTable t{};
  t.init = [](unsigned) { return 0; };
  t.driver_version = [](int* v) { return *v = 13000, 0; };
  t.error_name = t.error_string = name_of_error;
  t.device_count = [](int* n) { return *n = 2, 0; };
  t.device_get = [](int* d, int i) { return *d = i, 0; };
  t.device_name = [](char* to, int size, int) { return std::snprintf(to, static_cast<std::size_t>(size), "Fake GPU"), 0; };
  t.device_memory = [](std::size_t* bytes, int) { return *bytes = std::size_t{8} << 30, 0; };
  t.device_attribute = attribute;
  t.context_retain = [](DriverContext* c, int) { return *c = &fault, answer(); };
  t.context_release = [](int) { return 0; };
  t.context_set = [](DriverContext) { return answer(); };
  t.module_load = [](DriverModule* m, const void*) { return *m = &fault, answer(); };
  t.module_unload = [](DriverModule) { return 0; };
  t.module_function = find_function;
  t.memory_info = [](std::size_t* free, std::size_t* all) { return *free = *all = std::size_t{8} << 30, 0; };
  t.memory_take = [](DevicePointer* p, std::size_t bytes) {
    if (const int code = answer()) return code;
    return *p = reinterpret_cast<DevicePointer>(take(bytes)), 0;
  };
  t.memory_give_back = [](DevicePointer p) { return give_back(host(p)); };
  t.pinned_take = [](void** p, std::size_t bytes, unsigned) {
    if (const int code = answer()) return code;
    return *p = take(bytes), 0;
  };
  t.pinned_give_back = give_back;
  t.fill = fill;
  t.copy_in = copy_in;
  t.copy_out = copy_out;
  t.stream_make = [](DriverStream* s, unsigned) {
    if (const int code = answer()) return code;
    return *s = keep(new FakeStream), 0;
  };
  t.stream_drop = drop<FakeStream>;
  t.stream_wait = [](DriverStream) { return answer(); };
  t.launch = launch;
  t.capture_begin = capture_begin;
  t.capture_end = capture_end;
  t.graph_make = graph_make;
  t.graph_launch = graph_launch;
  t.graph_drop = drop<Work>;
  t.graph_exec_drop = drop<Work>;
  return t;
}

}  // namespace

const Border& fake_border(FakeFault wanted) {
  static const Border fake{table(), {}, "kernels"};
  fault = wanted;
  calls = 0;
  return fake;
}
std::int64_t fake_calls() { return calls; }
std::int64_t fake_bytes() { return taken; }

}  // namespace nw::cuda
