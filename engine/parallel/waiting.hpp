// SPDX-License-Identifier: Apache-2.0
// How threads wait for each other: they spin while the other thread is probably running, then sleep. On a busy machine
// the scheduler favours a thread that slept over one that yields repeatedly.
#pragma once
#include <atomic>
#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace nw {

int processors();  // processors that this process may use; at least 1

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

/// Calls of relax() before sleeping: about 30 µs; almost none if threads outnumber processors.
inline int spins_for(int threads) { return threads <= processors() ? 1000 : 20; }

/// Changes `word` and wakes its waiters. An exchange is required: notify_all() of libstdc++ checks for waiters with a
/// plain load, which the processor may reorder before a plain store; a waiter missed in this way would sleep for ever.
inline void set_and_wake(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  word.exchange(value, std::memory_order_seq_cst);
  word.notify_all();
}

/// Returns once `word` differs from `old`. It must be changed by set_and_wake(), or by another read-modify-write
/// operation and notify_all().
inline void spin_then_sleep(int spins, const std::atomic<std::uint32_t>& word, std::uint32_t old) {
  for (int i = 0; i < spins && word.load(std::memory_order_acquire) == old; ++i) relax();
  word.wait(old, std::memory_order_acquire);
}

}  // namespace nw
