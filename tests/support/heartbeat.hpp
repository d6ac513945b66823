// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long an event loop is blocked: a timer that should fire every few milliseconds, and the gaps between its
// timeouts. Belongs to the thread whose loop is measured.
#pragma once
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace nw::test {

/// The time between two beats, in milliseconds.
struct Gap {
  double wall = 0;
  double processor = 0;  // that the thread has used
  double own = 0;        // wall, less the time in which the thread could run and other programs had the processors
};

class Heartbeat : public QObject {
 public:
  explicit Heartbeat(int interval_ms = 5, QObject* parent = nullptr)
      : QObject(parent), scheduled_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(interval_ms);
    connect(&timer_, &QTimer::timeout, this, &Heartbeat::beat);
  }
  ~Heartbeat() override {
    if (scheduled_ >= 0) ::close(scheduled_);
  }
  void start() {
    gaps_.clear();
    clock_.start();
    processor_ms_ = processor_ms();
    waited_ms_ = waited_ms();
    timer_.start();
  }
  void stop() {
    if (timer_.isActive()) beat();  // the gap that stop() ends counts too
    timer_.stop();
  }
  std::size_t beats() const { return gaps_.size(); }
  /// Whether Gap::own is known; else it is Gap::wall.
  bool knows_own() const { return scheduled_ >= 0; }
  /// The quantile `q` (0…1) of the gaps in milliseconds; 0 without any.
  double quantile_ms(double q, double Gap::*of = &Gap::wall) const {
    if (gaps_.empty()) return 0;
    std::vector<double> sorted;
    for (const Gap& gap : gaps_) sorted.push_back(gap.*of);
    std::sort(sorted.begin(), sorted.end());
    const double place = std::ceil(q * static_cast<double>(sorted.size())) - 1;
    return sorted[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(sorted.size() - 1)))];
  }
  double longest_ms(double Gap::*of = &Gap::wall) const { return quantile_ms(1, of); }

 private:
  static double processor_ms() {
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
  }
  /// How long this thread has waited for a processor: the second number of schedstat, in nanoseconds.
  double waited_ms() const {
    char text[128] = {};
    unsigned long long used = 0, waited = 0;
    if (scheduled_ < 0 || ::pread(scheduled_, text, sizeof text - 1, 0) <= 0) return 0;
    return std::sscanf(text, "%llu %llu", &used, &waited) == 2 ? static_cast<double>(waited) / 1e6 : 0;
  }
  void beat() {
    const double wall = static_cast<double>(clock_.nsecsElapsed()) / 1e6, used = processor_ms(), waited = waited_ms();
    gaps_.push_back({wall, used - processor_ms_, wall - (waited - waited_ms_)});
    processor_ms_ = used, waited_ms_ = waited;
    clock_.restart();
  }
  QTimer timer_;
  QElapsedTimer clock_;
  int scheduled_ = -1;
  double processor_ms_ = 0, waited_ms_ = 0;
  std::vector<Gap> gaps_;
};

}  // namespace nw::test
