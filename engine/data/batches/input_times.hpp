// SPDX-License-Identifier: Apache-2.0
// The time of preparing images, for finding the bottleneck: all threads add their times while it is measured.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>

namespace nw {

/// Nanoseconds summed over all threads. decode: reading pixels from their source; augment: crop, flip, transforms;
/// copy: normalizing into the batch.
struct InputTimes {
  std::atomic<bool> counting{false};
  std::atomic<std::int64_t> decode_ns{0}, augment_ns{0}, copy_ns{0};
};

/// Measures one thread: each call adds the time since the previous call to one of the three sums. While nothing is
/// measured, the clock is not read.
class InputLaps {
 public:
  explicit InputLaps(InputTimes* times)
      : times_(times && times->counting.load(std::memory_order_relaxed) ? times : nullptr) {
    if (times_) last_ = now();
  }
  ~InputLaps() {
    if (!times_) return;
    times_->decode_ns += decode_;
    times_->augment_ns += augment_;
    times_->copy_ns += copy_;
  }
  InputLaps(const InputLaps&) = delete;
  void decoded() { lap(decode_); }
  void augmented() { lap(augment_); }
  void copied() { lap(copy_); }

 private:
  static std::int64_t now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
  void lap(std::int64_t& to) {
    if (!times_) return;
    const std::int64_t t = now();
    to += t - last_;
    last_ = t;
  }
  InputTimes* const times_;
  std::int64_t last_ = 0, decode_ = 0, augment_ = 0, copy_ = 0;
};

}  // namespace nw
