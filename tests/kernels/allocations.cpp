// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NW_OPERATOR_NEW_IS_TAKEN
#endif
#endif

namespace {
std::atomic<int> count{0};
}

#ifdef NW_OPERATOR_NEW_IS_TAKEN   // by the sanitizer's runtime, which tells of every allocation instead

#include <sanitizer/allocator_interface.h>

namespace {
[[maybe_unused]] const int hooked = __sanitizer_install_malloc_and_free_hooks([](const volatile void*, std::size_t) { ++count; }, [](const volatile void*) {});
}

#else

void* operator new(std::size_t bytes) {
  ++count;
  if (void* p = std::malloc(bytes ? bytes : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

#endif

int nw::test::allocations() { return count; }
