// SPDX-License-Identifier: Apache-2.0
// How threads of this room wait for each other: spin while the other is likely running, then give the processor away.
#pragma once
#include <atomic>
#include <thread>

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

/// Rounds of relax() before giving up the processor: some 30 µs; next to none when threads outnumber processors.
inline int spins_for(int threads) { return threads <= processors() ? 1000 : 20; }

template <class Done>
void spin_then_yield(int spins, Done done) {
  for (int i = 0; i < spins; ++i) {
    if (done()) return;
    relax();
  }
  while (!done()) std::this_thread::yield();
}

}  // namespace nw
