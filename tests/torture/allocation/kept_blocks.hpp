// SPDX-License-Identifier: Apache-2.0
// Which blocks of memory were given out and not given back, and from where; itself it allocates nothing.
#pragma once
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace nw::test {

/// Blocks by their address: a hash table with linear probing. Any thread.
class KeptBlocks {
 public:
  /// `stacks`: keeps the call stack of each block, for count_without(); slow.
  void begin(bool stacks) {
    const std::lock_guard lock(mutex_);
    at_.fill(nullptr);
    count_ = 0;
    stacks_wanted_ = stacks;
  }
  void add(void* block) {
    const std::lock_guard lock(mutex_);
    if (2 * count_ >= places) return;
    std::size_t i = home_of(block);
    while (at_[i]) i = next(i);
    at_[i] = block;
    if (stacks_wanted_) stacks_[i].depth = ::backtrace(stacks_[i].calls.data(), most_calls);
    ++count_;
  }
  void remove(void* block) {
    const std::lock_guard lock(mutex_);
    std::size_t hole = home_of(block);
    while (at_[hole] && at_[hole] != block) hole = next(hole);
    if (!at_[hole]) return;
    --count_;
    // what lies behind moves up, unless it would come before its home
    for (std::size_t i = next(hole); at_[i]; i = next(i)) {
      if ((i - home_of(at_[i])) % places < (i - hole) % places) continue;
      at_[hole] = at_[i];
      if (stacks_wanted_) stacks_[hole] = stacks_[i];
      hole = i;
    }
    at_[hole] = nullptr;
  }
  std::size_t count() const { return count_; }
  /// How many blocks have no call for which `excused` is true in their stack; these are printed.
  template <class Excused>
  std::size_t count_without(const Excused& excused, bool print) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < places; ++i) {
      const Stack& s = stacks_[i];
      const auto calls = s.calls.begin();
      if (!at_[i] ||
          std::any_of(calls, calls + s.depth, [&](void* at) { return excused(reinterpret_cast<std::uintptr_t>(at)); }))
        continue;
      ++found;
      if (print) ::backtrace_symbols_fd(s.calls.data(), s.depth, 2);
    }
    return found;
  }

 private:
  static constexpr std::size_t places = 1 << 16;
  static constexpr int most_calls = 24;
  struct Stack {
    int depth = 0;
    std::array<void*, most_calls> calls{};
  };
  static std::size_t next(std::size_t i) { return (i + 1) % places; }
  static std::size_t home_of(void* block) {
    return (reinterpret_cast<std::uintptr_t>(block) >> 4) * 0x9E3779B97F4A7C15U >> 40 & (places - 1);
  }

  std::mutex mutex_;
  bool stacks_wanted_ = false;
  std::size_t count_ = 0;
  std::array<void*, places> at_{};
  std::array<Stack, places> stacks_{};
};

}  // namespace nw::test
