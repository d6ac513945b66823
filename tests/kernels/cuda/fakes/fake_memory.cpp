// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/fakes/fake_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "tests/kernels/cuda/fakes/fake_contexts.hpp"
#include "tests/kernels/cuda/fakes/fake_streams.hpp"

namespace nw::cuda {
namespace {

struct Allocation {
  std::size_t bytes;
  std::uint64_t number;
  bool pinned;
  int gpu = -1;           // whose context was current
  bool reserved = false;  // its pages are there when they are written first
};
std::mutex mutex;
std::map<const std::byte*, Allocation>& allocations = *new std::map<const std::byte*, Allocation>;
std::set<std::uint64_t>& numbers = *new std::set<std::uint64_t>;
std::uint64_t last_number = 0;
std::int64_t taken = 0;
std::size_t free_bytes = std::size_t{8} << 30;  // when it was set
/// Bytes that each GPU has given since; a function, for the free memory may be set before this file's variables exist.
std::map<int, std::int64_t>& taken_since() {
  static auto& bytes = *new std::map<int, std::int64_t>;
  return bytes;
}

std::size_t left_of(int gpu) {
  const auto left = static_cast<std::int64_t>(free_bytes) - taken_since()[gpu];
  return static_cast<std::size_t>(std::max<std::int64_t>(0, left));
}

void* reserve(std::size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
void* take(std::size_t bytes, bool pinned) {
  const bool reserved = !fake_computes() && bytes > 0;
  void* const p = reserved ? reserve(bytes) : std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!reserved) std::memset(p, 0xCD, bytes);
  const std::scoped_lock lock(mutex);
  allocations[static_cast<std::byte*>(p)] = {bytes, ++last_number, pinned, fake_current_gpu(), reserved};
  numbers.insert(last_number);
  taken += static_cast<std::int64_t>(bytes);
  if (!pinned) taken_since()[fake_current_gpu()] += static_cast<std::int64_t>(bytes);
  return p;
}
/// Freed in any case, as all memory of a context whose error stays is when it ends.
int give_back(void* p, bool pinned) {
  if (const int code = fake_unsafe_in_capture()) return code;
  const std::scoped_lock lock(mutex);
  const auto at = allocations.find(static_cast<std::byte*>(p));
  if (at == allocations.end() || at->second.pinned != pinned) {
    fake_misuse("memory was freed that is not allocated, or in another way than it was allocated");
    return error_invalid_value;
  }
  taken -= static_cast<std::int64_t>(at->second.bytes);
  if (!pinned) taken_since()[at->second.gpu] -= static_cast<std::int64_t>(at->second.bytes);
  numbers.erase(at->second.number);
  if (at->second.reserved)
    ::munmap(p, at->second.bytes);
  else
    std::free(p);
  allocations.erase(at);
  return fake_current_gpu() < 0 ? error_no_context : fake_sticky_error(fake_current_gpu());
}
const Allocation* around(const void* at) {
  auto after = allocations.upper_bound(static_cast<const std::byte*>(at));
  if (after == allocations.begin()) return nullptr;
  const auto& [begin, a] = *--after;
  return static_cast<const std::byte*>(at) < begin + a.bytes ? &a : nullptr;
}

}  // namespace

int fake_device_acquire(DevicePointer* p, std::size_t bytes) {
  if (const int code = fake_unsafe_in_capture()) return code;
  if (const int code = fake_response()) return code;
  if (bytes > fake_memory_left()) return error_out_of_memory;
  return *p = reinterpret_cast<DevicePointer>(take(bytes, false)), 0;
}
int fake_device_release(DevicePointer p) { return give_back(reinterpret_cast<void*>(p), false); }
int fake_pinned_acquire(void** p, std::size_t bytes, unsigned) {
  if (const int code = fake_unsafe_in_capture()) return code;
  if (const int code = fake_response()) return code;
  return *p = take(bytes, true), 0;
}
int fake_pinned_release(void* p) { return give_back(p, true); }

std::uint64_t fake_allocation(const void* at) {
  const std::scoped_lock lock(mutex);
  const Allocation* a = around(at);
  return a ? a->number : 0;
}
bool fake_is_pinned(const void* at) {
  const std::scoped_lock lock(mutex);
  const Allocation* a = around(at);
  return a && a->pinned;
}
int fake_gpu_of(const void* at) {
  const std::scoped_lock lock(mutex);
  const Allocation* a = around(at);
  return a && !a->pinned ? a->gpu : -1;
}
bool fake_is_allocated(std::uint64_t number) {
  const std::scoped_lock lock(mutex);
  return numbers.count(number) > 0;
}

FakeRange fake_range_around(const void* at) {
  const std::scoped_lock lock(mutex);
  auto after = allocations.upper_bound(static_cast<const std::byte*>(at));
  if (after == allocations.begin() || !around(at)) return {};
  const auto& [begin, a] = *--after;
  return {begin, begin + a.bytes};
}

std::int64_t fake_bytes() {
  const std::scoped_lock lock(mutex);
  return taken;
}
void fake_free_memory(std::size_t bytes) {
  const std::scoped_lock lock(mutex);
  free_bytes = bytes;
  taken_since().clear();
}
std::size_t fake_memory_left() {
  const std::scoped_lock lock(mutex);
  return left_of(fake_current_gpu());
}

}  // namespace nw::cuda
