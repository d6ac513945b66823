// SPDX-License-Identifier: Apache-2.0
// The kernels of the fake GPUs, and the driver's table.
#include "tests/kernels/cuda/fakes/fake_device.hpp"

#include <atomic>
#include <cstring>
#include <memory>

#include "kernels/cuda/blocks/list.hpp"
#include "tests/kernels/cuda/fakes/fake_contexts.hpp"
#include "tests/kernels/cuda/fakes/fake_memory.hpp"
#include "tests/kernels/cuda/fakes/fake_meter.hpp"
#include "tests/kernels/cuda/fakes/fake_streams.hpp"

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
// Threads in another order in every phase, over shared memory that holds garbage at first.
template <class F>
void run_blocks(const void* functor, i64 count) {
  alignas(16) std::byte bytes[sizeof(F)];
  std::memcpy(bytes, functor, sizeof(F));
  const F& f = *reinterpret_cast<const F*>(bytes);
  const auto shared = std::make_unique_for_overwrite<typename F::Shared>();
  for (i64 block = count; block-- > 0;) {
    std::memset(static_cast<void*>(shared.get()), 0xA5, sizeof(typename F::Shared));
    for (int phase = 0; phase < F::phases; ++phase)
      for (int i = 0; i < F::threads; ++i) f(block, phase % 2 ? i : F::threads - 1 - i, phase, *shared);
  }
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
#define NW_FAKE_BLOCKS(name, ...) {"nw_" #name, run_blocks<__VA_ARGS__>, sizeof(__VA_ARGS__)},
        NW_CUDA_BLOCKS(NW_FAKE_BLOCKS)
#undef NW_FAKE_BLOCKS
};

// Set while the library is loaded, perhaps before this file's own objects are made.
std::string& skipped() {
  static std::string& kernel = *new std::string;
  return kernel;
}

// Code may be loaded at this moment, for which the device may have to be idle.
int find_function(DriverFunction* f, DriverModule, const char* name) {
  if (const int code = fake_unsafe_in_capture()) return code;
  if (const int code = fake_response()) return code;
  for (const Kernel& k : kernels)
    if (std::strcmp(k.name, name) == 0) return *f = const_cast<Kernel*>(&k), 0;
  return error_not_found;
}

/// Every word of a functor that may be an address: the others are in no allocation.
std::vector<const void*> addresses_in(const std::vector<std::byte>& functor) {
  std::vector<const void*> all;
  for (std::size_t i = 0; i + sizeof(void*) <= functor.size(); i += alignof(void*)) {
    const void* at = nullptr;
    std::memcpy(&at, functor.data() + i, sizeof at);
    all.push_back(at);
  }
  return all;
}

int launch(DriverFunction f, unsigned x, unsigned y, unsigned z, unsigned block_x, unsigned block_y, unsigned block_z,
           unsigned, DriverStream stream, void** arguments, void**) {
  if (x * y * z == 0 || block_x * block_y * block_z == 0 || block_x * block_y * block_z > 1024)
    return error_invalid_value;
  const auto* kernel = static_cast<const Kernel*>(f);
  std::vector<std::byte> functor(kernel->bytes);
  std::memcpy(functor.data(), arguments[0], functor.size());
  const i64 count = *static_cast<i64*>(arguments[1]);
  const Mark mark = *static_cast<Mark*>(arguments[2]);
  FakeCall call{kernel->name};
  const std::uint64_t id = call.id = fake_next_call();
  call.uses = addresses_in(functor);
  call.uses.push_back(mark.at);
  return fake_enqueue(stream, std::move(call), [=, functor = std::move(functor), gpu = fake_current_gpu()] {
    if (mark.at) publish(mark.at, mark.number);
    if (!fake_kernel_computes(gpu) || skipped() == kernel->name) return;
    FakeMeter* const meter = fake_metered();
    if (!meter || !meter->run({id, kernel->name, functor.data(), functor.size(), count, x, block_x, gpu}))
      kernel->run(functor.data(), count);
  });
}

std::atomic<FakeMeter*> metering{nullptr};
constexpr std::size_t most_copied = std::size_t{8} << 20;  // by a device that does not compute

void* host(DevicePointer p) { return reinterpret_cast<void*>(p); }
/// A copy between the device and the host. Of a graph, the host's memory must be pinned: nothing else has an address
/// that stays. Outside, only copies from pinned memory return before they have read it.
int copy(void* to, const void* from, const void* on_host, std::size_t bytes, DriverStream s, bool may_wait) {
  if (fake_captures(s) && !fake_is_pinned(on_host)) fake_misuse("a graph copies host memory that is not pinned");
  FakeCall call{"copy"};
  call.uses = {to, from};
  call.may_wait = may_wait && fake_is_pinned(on_host);
  call.reads = {FakeRange::of(from, bytes)};
  call.writes = {FakeRange::of(to, bytes)};
  return fake_enqueue(s, std::move(call), [=] {
    if (bytes <= most_copied || fake_computes()) std::memcpy(to, from, bytes);
  });
}
int copy_in(DevicePointer to, const void* from, std::size_t bytes, DriverStream s) {
  if (!fake_captures(s)) fake_moment({"copy", s, host(to)});
  return copy(host(to), from, from, bytes, s, true);
}
int copy_out(void* to, DevicePointer from, std::size_t bytes, DriverStream s) {
  return copy(to, host(from), to, bytes, s, false);
}
int fill(DevicePointer to, unsigned char value, std::size_t bytes, DriverStream s) {
  FakeCall call{"fill"};
  call.uses = {host(to)};
  call.writes = {FakeRange::of(host(to), bytes)};
  return fake_enqueue(s, std::move(call), [=] {
    if (value != 0 || fake_computes()) std::memset(host(to), value, bytes);
  });
}

int name_of_error(int code, const char** name) {
  return *name = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE", 0;
}
int attribute(int* value, int which, int) { return *value = which == attribute_capability_major ? 9 : 0, 0; }
int module_load(DriverModule* m, const void*) {
  static int module = 0;
  if (const int code = fake_unsafe_in_capture()) return code;
  return *m = &module, fake_response();
}

}  // namespace

void fake_skip(const std::string& kernel) { skipped() = kernel; }
void fake_meter(FakeMeter* wanted) { metering = wanted; }
FakeMeter* fake_metered() { return metering; }
bool fake_computes() {
  const FakeMeter* const meter = metering;
  return !meter || meter->computes();
}
std::uint64_t fake_next_call() {
  static std::atomic<std::uint64_t> calls{0};
  return ++calls;
}
void fake_host_touches(int gpu, const std::string& what, std::vector<FakeRange> reads, std::vector<FakeRange> writes) {
  FakeMeter* const meter = metering;
  if (!meter) return;
  FakeCall call{what};
  call.id = fake_next_call();
  call.reads = std::move(reads);
  call.writes = std::move(writes);
  meter->order({FakeOrder::host_touches, gpu, nullptr, nullptr, {std::move(call)}});
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
  t.context_retain = fake_retain;
  t.context_release = fake_release;
  t.context_set = fake_make_current;
  t.module_load = module_load;
  t.module_unload = [](DriverModule) { return 0; };
  t.module_function = find_function;
  t.memory_info = [](std::size_t* free, std::size_t* all) {
    return *free = fake_memory_left(), *all = std::size_t{8} << 30, fake_response();
  };
  t.memory_acquire = fake_device_acquire;
  t.memory_release = fake_device_release;
  t.pinned_acquire = fake_pinned_acquire;
  t.pinned_release = fake_pinned_release;
  t.fill = fill;
  t.copy_in = copy_in;
  t.copy_out = copy_out;
  t.stream_make = fake_stream_make;
  t.stream_make_with_priority = fake_stream_make_with_priority;
  t.stream_drop = fake_stream_drop;
  t.stream_wait = fake_stream_wait;
  t.stream_ready = fake_stream_ready;
  t.stream_wait_event = fake_stream_wait_event;
  t.event_make = fake_event_make;
  t.event_drop = fake_event_drop;
  t.event_record = fake_event_record;
  t.event_wait = fake_event_wait;
  t.event_ms = fake_event_ms;
  t.launch = launch;
  t.capture_begin = fake_capture_begin;
  t.capture_end = fake_capture_end;
  t.graph_make = fake_graph_make;
  t.graph_launch = fake_graph_launch;
  t.graph_drop = fake_graph_drop;
  t.graph_exec_drop = fake_graph_exec_drop;
  return t;
}

}  // namespace nw::cuda
