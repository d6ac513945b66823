// SPDX-License-Identifier: Apache-2.0
// Energy and utilization of the GPUs of a training, read on a thread of its own: a driver takes up to 50 ms to answer,
// for which the training must not wait. Private to engine/train.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/monitor/energy.hpp"

namespace nw {

class GpuWatch {
 public:
  /// What the driver says of one GPU.
  struct Counters {
    double energy_j = -1;  // since an arbitrary time; -1: not known
    double busy = -1;      // 0…1; -1: not known
  };
  struct Reading {
    double at_s = -1;              // seconds since the watch was made; -1: nothing was read yet
    std::vector<Counters> gpus{};  // energy: since the first reading; -1: there were no two readings
  };
  using Read = std::function<std::vector<Counters>()>;
  /// `read` is called on the watch's thread only, at once and then every `interval`; it gives the same GPUs each time.
  explicit GpuWatch(Read read, std::chrono::milliseconds interval = std::chrono::seconds(1));
  ~GpuWatch();
  /// The last reading. Any thread; does not wait for the driver.
  Reading last() const;

 private:
  void work();
  Reading read_now(double at_s);

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const Read read_;
  const std::chrono::milliseconds interval_;
  std::vector<EnergyMeter> meters_;  // of thread_
  mutable std::mutex mutex_;
  std::condition_variable leave_;
  Reading last_;          // guarded by mutex_
  bool leaving_ = false;  // guarded by mutex_
  std::jthread thread_;   // last member: ends before the others are destroyed
};

/// Asks NVML for the GPUs of these numbers (2: cuda:2).
GpuWatch::Read read_gpus(std::vector<int> numbers);

}  // namespace nw
