// SPDX-License-Identifier: Apache-2.0
// How threads wait for each other: they spin while the other thread is probably running, then sleep. On a busy machine
// the scheduler favours a thread that slept over one that yields repeatedly.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif
#if defined(__linux__)
#include <sys/prctl.h>
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

/// This thread's sleeps end at most 1 µs late, not 50 µs as is usual.
inline void sleep_precisely() {
#if defined(__linux__)
  thread_local const int done = ::prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
  static_cast<void>(done);
#endif
}

/// Between two looks at messages of other processes: spins, then sleeps.
class Pause {
 public:
  void take() {
    if (++turns_ <= 2000) return relax();
    if (turns_ == 2001) sleep_precisely();
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }

 private:
  int turns_ = 0;
};

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
