// SPDX-License-Identifier: Apache-2.0
// Every form of operator new and delete of a program, by three functions that whoever includes this defines before: for
// one file of a program or of a library that is loaded before it.
#pragma once
#include <cstdlib>
#include <new>

namespace nw::test {

/// Whether an allocation of so many bytes is to fail; called once for each.
bool fails(std::size_t bytes);
/// Called for each block that is given out, and for each that is given back.
void gave_out(void* block);
void took_back(void* block);

inline void* allocated(std::size_t bytes, std::size_t alignment) {
  if (fails(bytes)) return nullptr;
  if (bytes == 0) bytes = 1;
  void* const block = alignment == 0 ? std::malloc(bytes)
                                     : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (block) gave_out(block);
  return block;
}
inline void* or_throw(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}
inline void released(void* block) {
  if (block) took_back(block);
  std::free(block);
}
inline std::size_t of(std::align_val_t a) { return static_cast<std::size_t>(a); }

}  // namespace nw::test

void* operator new(std::size_t n) { return nw::test::or_throw(nw::test::allocated(n, 0)); }
void* operator new[](std::size_t n) { return nw::test::or_throw(nw::test::allocated(n, 0)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return nw::test::allocated(n, 0); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return nw::test::allocated(n, 0); }
void* operator new(std::size_t n, std::align_val_t a) {
  return nw::test::or_throw(nw::test::allocated(n, nw::test::of(a)));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  return nw::test::or_throw(nw::test::allocated(n, nw::test::of(a)));
}
void operator delete(void* p) noexcept { nw::test::released(p); }
void operator delete[](void* p) noexcept { nw::test::released(p); }
void operator delete(void* p, std::size_t) noexcept { nw::test::released(p); }
void operator delete[](void* p, std::size_t) noexcept { nw::test::released(p); }
void operator delete(void* p, std::align_val_t) noexcept { nw::test::released(p); }
void operator delete[](void* p, std::align_val_t) noexcept { nw::test::released(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { nw::test::released(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { nw::test::released(p); }
