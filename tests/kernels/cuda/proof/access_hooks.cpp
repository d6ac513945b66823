// SPDX-License-Identifier: Apache-2.0
// What the compiler calls in code compiled with -fsanitize=thread; see access.hpp.
#include <cstdint>

#include "tests/kernels/cuda/proof/access.hpp"

namespace nw::proof {
namespace {

thread_local Listener* listener = nullptr;

void heard(const void* at, std::size_t bytes, bool writes, const void* site) {
  if (listener) listener->access({static_cast<const std::byte*>(at), bytes, writes, site});
}

}  // namespace

Listener* listen(Listener* wanted) {
  Listener* const before = listener;
  listener = wanted;
  return before;
}

}  // namespace nw::proof

using nw::proof::heard;

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the compiler's names
extern "C" {
#define NW_HOOK(name, bytes, writes) \
  void __tsan_##name(void* at) { heard(at, bytes, writes, __builtin_return_address(0)); }
#define NW_HOOKS(bytes)                        \
  NW_HOOK(read##bytes, bytes, false)           \
  NW_HOOK(write##bytes, bytes, true)           \
  NW_HOOK(unaligned_read##bytes, bytes, false) \
  NW_HOOK(unaligned_write##bytes, bytes, true)
NW_HOOKS(1)
NW_HOOKS(2)
NW_HOOKS(4)
NW_HOOKS(8)
NW_HOOKS(16)
void __tsan_read_range(void* at, unsigned long bytes) { heard(at, bytes, false, __builtin_return_address(0)); }
void __tsan_write_range(void* at, unsigned long bytes) { heard(at, bytes, true, __builtin_return_address(0)); }
#define NW_ATOMIC_STORE(bits, Type)                                            \
  void __tsan_atomic##bits##_store(volatile Type* at, Type value, int) {       \
    heard(const_cast<Type*>(at), bits / 8, true, __builtin_return_address(0)); \
    __atomic_store_n(at, value, __ATOMIC_RELAXED);                             \
  }
NW_ATOMIC_STORE(32, std::int32_t)
NW_ATOMIC_STORE(64, std::int64_t)
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void*) {}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
