// SPDX-License-Identifier: GPL-3.0-or-later
// Starts that did not come up are counted, so that whatever stops the window (a project, a setting, a layout) does not
// stop it for ever.
#pragma once
#include "engine/core/files.hpp"

namespace nw::ui {

class StartGuard {
 public:
  static constexpr int enough = 3;
  /// Counts this start in `file`. A file that cannot be read or written counts nothing.
  explicit StartGuard(fs::path file);
  /// `enough` starts in a row before this one did not come up.
  bool safe() const { return failed_ >= enough; }
  /// The window is there and is served: all is forgotten.
  void startSucceeded();

 private:
  fs::path file_;
  int failed_ = 0;
};

}  // namespace nw::ui
