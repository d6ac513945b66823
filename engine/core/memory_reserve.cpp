// SPDX-License-Identifier: Apache-2.0
#include "engine/core/memory_reserve.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace nw {
namespace {

constexpr std::size_t reserve_bytes = std::size_t{1} << 20;
std::atomic<void*> reserve{nullptr};

void give_up_reserve() {
  void* const kept = reserve.exchange(nullptr);
  if (!kept) throw std::bad_alloc();
  std::free(kept);
}

}  // namespace

void keep_memory_reserve() noexcept {
  std::set_new_handler(give_up_reserve);
  if (reserve.load()) return;
  void* const memory = std::malloc(reserve_bytes);
  if (!memory) return;
  std::memset(memory, 1, reserve_bytes);  // pages that were never written to are no memory yet
  std::free(reserve.exchange(memory));
}

}  // namespace nw
