// SPDX-License-Identifier: Apache-2.0
// How threads of this room wait for each other: spin while the other is likely running, then sleep. Who slept is served
// soon on a busy machine; who yields over and over is not.
#pragma once
#include <atomic>
#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace nw {

int processors();  // of this machine, as this process may use them; at least 1

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

/// Rounds of relax() before sleeping: some 30 µs; next to none when threads outnumber processors.
inline int spins_for(int threads) { return threads <= processors() ? 1000 : 20; }

/// Changes `word` and wakes who waits for that. By exchange: notify_all() of libstdc++ looks with a mere load whether
/// anybody sleeps, and behind a plain store the processor may do that load first; a sleeper missed so sleeps for ever.
inline void set_and_wake(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  word.exchange(value, std::memory_order_seq_cst);
  word.notify_all();
}

/// Returns once `word` is no longer `old`; who changes it does so by set_and_wake() or another read-modify-write and
/// notify_all().
inline void spin_then_sleep(int spins, const std::atomic<std::uint32_t>& word, std::uint32_t old) {
  for (int i = 0; i < spins && word.load(std::memory_order_acquire) == old; ++i) relax();
  word.wait(old, std::memory_order_acquire);
}

}  // namespace nw
