// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long an event loop is blocked: a timer that should fire every few milliseconds, and the gaps between its
// timeouts. Belongs to the thread whose loop is measured.
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <vector>

namespace nw::test {

class Heartbeat : public QObject {
 public:
  explicit Heartbeat(int interval_ms = 5, QObject* parent = nullptr) : QObject(parent) {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(interval_ms);
    connect(&timer_, &QTimer::timeout, this, &Heartbeat::beat);
  }
  void start() {
    gaps_ms_.clear();
    clock_.start();
    timer_.start();
  }
  void stop() {
    if (timer_.isActive()) beat();  // the gap that stop() ends counts too
    timer_.stop();
  }
  std::size_t beats() const { return gaps_ms_.size(); }
  /// The quantile `q` (0…1) of the gaps in milliseconds; 0 without any.
  double quantile_ms(double q) const {
    if (gaps_ms_.empty()) return 0;
    std::vector<double> sorted = gaps_ms_;
    std::sort(sorted.begin(), sorted.end());
    const double place = std::ceil(q * static_cast<double>(sorted.size())) - 1;
    return sorted[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(sorted.size() - 1)))];
  }
  double longest_ms() const { return gaps_ms_.empty() ? 0 : *std::max_element(gaps_ms_.begin(), gaps_ms_.end()); }

 private:
  void beat() { gaps_ms_.push_back(static_cast<double>(clock_.nsecsElapsed()) / 1e6), clock_.restart(); }
  QTimer timer_;
  QElapsedTimer clock_;
  std::vector<double> gaps_ms_;
};

}  // namespace nw::test
