// SPDX-License-Identifier: GPL-3.0-or-later
// How long the event loop is away in a step: by the wall clock, and by the processor time of its thread, which other
// programs of a loaded machine do not lengthen (but which counts neither files nor locks that the thread waits for).
#pragma once
#include <QString>
#include <chrono>
#include <ctime>
#include <vector>

namespace nw::ui {

struct Gap {
  double wall = 0, busy = 0;  // milliseconds
  QString step;
};

/// Measures steps of one thread.
class GapClock {
 public:
  /// A step begins; it waits for `pause_ms` on purpose.
  void begin(int pause_ms);
  /// The step of this description has ended.
  void end(const QString& step);
  /// Lines about the longest gaps: the longest by the wall clock, and the five that kept the thread busy longest.
  QString report() const;

 private:
  static double busyNow();
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double busyBefore_ = 0, waited_ = 0;
  long slow_ = 0, steps_ = 0;
  Gap longest_;
  std::vector<Gap> busiest_;  // falling
};

}  // namespace nw::ui
