// SPDX-License-Identifier: GPL-3.0-or-later
// Counts failed starts, so that a project, a setting or a layout that makes the start fail cannot make every further
// start fail.
#pragma once
#include "engine/core/files.hpp"

namespace nw::ui {

class StartGuard {
 public:
  static constexpr int enough = 3;
  /// Counts this start in `file`. Without access to the file no start is counted.
  explicit StartGuard(fs::path file);
  /// True when at least `enough` consecutive starts before this one failed.
  bool safe() const { return failed_ >= enough; }
  /// The window is shown and responds: resets the count.
  void startSucceeded();

 private:
  fs::path file_;
  int failed_ = 0;
};

}  // namespace nw::ui
