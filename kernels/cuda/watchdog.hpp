// SPDX-License-Identifier: Apache-2.0
// Detects a driver call that does not return or a kernel that does not end: the waiting thread cannot report it, so a
// separate thread checks all waiting calls. NETWRIGHT_GPU_PATIENCE_S is the time without progress after which a call is
// reported (4 s; 0: never, for use under a debugger).
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "kernels/result.hpp"

namespace nw::cuda {

struct WatchedCall {
  std::string device, doing;
  std::function<std::string()> place{};  // the device's progress in that call; called on another thread
  const std::int32_t* mark = nullptr;    // changes as long as the device works; null: unknown
  // of a call with several steps: those that have ended, as the mark begins anew with each; called on another thread
  std::function<std::size_t()> ended{};
  // number of devices that wait for each other; while fewer are waiting, the others are busy on the host, unless they
  // have done the steps of this call already
  int ranks = 1;
  std::int64_t last_step = -1;  // of a training's call: its last step; -1: unknown
  std::size_t steps = 0;        // of the call
  // whether another of these devices has failed: nobody is busy on its behalf any more; called on another thread
  std::function<bool()> peers_left{};
  double patience = 1;  // multiple of the watchdog timeout
};

/// This thread waits for a device until the end of the block. No effect inside another Watched.
class Watched {
 public:
  explicit Watched(WatchedCall);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  friend class Watch;
  const WatchedCall what_;
  std::int32_t seen_ = 0;
  int ticks_ = 0;
};

/// Inside a Watched: until the end of the block this thread does not wait for the device.
class WatchdogPause {
 public:
  WatchdogPause();
  ~WatchdogPause();
  WatchdogPause(const WatchdogPause&) = delete;
  WatchdogPause& operator=(const WatchdogPause&) = delete;
};

/// Sets the fatal-error handler: `gone` is called once, on a separate thread, and ends the process. By default the
/// error is written to stderr.
void on_hang(void (*gone)(const Error&));

}  // namespace nw::cuda
