// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<int> count{0};
}

#ifdef NW_THREAD_SANITIZED  // the sanitizer's runtime defines operator new and reports allocations

#include <sanitizer/allocator_interface.h>

namespace {
[[maybe_unused]] const int hooked = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++count; }, [](const volatile void*) {});
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
