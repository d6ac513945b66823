// SPDX-License-Identifier: Apache-2.0
// Detects a driver call that never returns or a kernel that never ends: the waiting thread cannot report it, so a
// separate thread checks all waiting calls. NETWRIGHT_GPU_PATIENCE_S says for how long nothing may move (4 s; 0: for
// ever, under a debugger).
#pragma once
#include <functional>
#include <string>

#include "kernels/result.hpp"

namespace nw::cuda {

struct WatchedCall {
  std::string device, doing;
  std::function<std::string()> place{};  // the device's position in that call; called on another thread
  const std::int32_t* mark = nullptr;    // changes as long as the device works; null: unknown
  // devices that wait for each other: less than all of them may wait for the host
  int ranks = 1;
  double patience = 1;  // times the usual
};

/// From here to the end of the block this thread waits for a device. Inside another one it does nothing.
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

/// Inside a Watched: from here to the end of the block this thread does something that is not the device's.
class WatchdogPause {
 public:
  WatchdogPause();
  ~WatchdogPause();
  WatchdogPause(const WatchdogPause&) = delete;
  WatchdogPause& operator=(const WatchdogPause&) = delete;
};

/// `gone` is called once, on a separate thread, and ends the process. Without it the sentence goes to stderr.
void on_hang(void (*gone)(const Error&));

}  // namespace nw::cuda
