// SPDX-License-Identifier: Apache-2.0
// A library to be loaded before a program (LD_PRELOAD): of its allocations by operator new of at least FAIL_NEW_BYTES,
// the one that FAIL_NEW_AT names (1-based) fails. At its end the program's number of such allocations is written to the
// file FAIL_NEW_COUNT.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::size_t number_of(const char* name) {
  const char* text = std::getenv(name);
  return text ? static_cast<std::size_t>(std::atoll(text)) : 0;
}

std::atomic<std::size_t> made{0};

bool fails(std::size_t bytes) {
  static const std::size_t at = number_of("FAIL_NEW_AT"), least = number_of("FAIL_NEW_BYTES");
  return bytes >= least && made.fetch_add(1) + 1 == at;
}

void* allocated(std::size_t bytes, std::size_t alignment) {
  if (fails(bytes)) return nullptr;
  if (bytes == 0) bytes = 1;
  if (alignment == 0) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* or_throw(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

struct Count {
  ~Count() {
    const char* file = std::getenv("FAIL_NEW_COUNT");
    std::FILE* out = file ? std::fopen(file, "w") : nullptr;
    if (!out) return;
    std::fprintf(out, "%zu", made.load());
    std::fclose(out);
  }
} count;

std::size_t of(std::align_val_t a) { return static_cast<std::size_t>(a); }

}  // namespace

void* operator new(std::size_t n) { return or_throw(allocated(n, 0)); }
void* operator new[](std::size_t n) { return or_throw(allocated(n, 0)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocated(n, 0); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocated(n, 0); }
void* operator new(std::size_t n, std::align_val_t a) { return or_throw(allocated(n, of(a))); }
void* operator new[](std::size_t n, std::align_val_t a) { return or_throw(allocated(n, of(a))); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
