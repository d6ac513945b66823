// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/gap_clock.hpp"

#include <algorithm>

namespace nw::ui {
namespace {
constexpr double slow_ms = 200;
constexpr std::size_t kept = 5;
}  // namespace

double GapClock::busyNow() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e6;
}

void GapClock::begin(int pause_ms) {
  began_ = std::chrono::steady_clock::now();
  busyBefore_ = busyNow();
  waited_ = pause_ms;
}

void GapClock::end(const QString& step) {
  const double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  const Gap gap{wall - waited_, busyNow() - busyBefore_, step};
  ++steps_;
  slow_ += gap.busy > slow_ms;
  if (gap.wall > longest_.wall) longest_ = gap;
  const auto place = std::find_if(busiest_.begin(), busiest_.end(), [&](const Gap& g) { return g.busy < gap.busy; });
  busiest_.insert(place, gap);
  if (busiest_.size() > kept) busiest_.pop_back();
}

QString GapClock::report() const {
  QString lines = QStringLiteral("longest gap %1 ms (%2); %3 of %4 gaps kept the thread busy for more than %5 ms\n")
                      .arg(longest_.wall, 0, 'f', 0)
                      .arg(longest_.step)
                      .arg(slow_)
                      .arg(steps_)
                      .arg(slow_ms);
  for (const Gap& gap : busiest_)
    lines +=
        QStringLiteral("  busy %1 ms of %2 ms: %3\n").arg(gap.busy, 0, 'f', 0).arg(gap.wall, 0, 'f', 0).arg(gap.step);
  return lines;
}

}  // namespace nw::ui
