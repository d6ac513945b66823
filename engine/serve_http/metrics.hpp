// SPDX-License-Identifier: Apache-2.0
// Counters of a server, in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace nw::serve_http {

/// Values at this moment that nobody counts.
struct Gauges {
  std::int64_t connections = 0, requests = 0, waiting_images = 0;
  std::map<std::string, std::string> versions;  // model: the version that is served
};

/// Safe from several threads.
class Metrics {
 public:
  /// An answered request. `route`: of a fixed list; `model`: a served one, or empty.
  void answered(std::string_view route, std::string_view model, int status, double seconds);
  /// One execution of a network.
  void executed(std::int64_t images, double seconds);
  void reloaded(bool well);
  std::string text(const Gauges&) const;

 private:
  static constexpr std::array<double, 12> latency_s{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                    0.05,   0.1,   0.25,   0.5,   1,    5};
  struct Latency {
    std::array<std::int64_t, latency_s.size() + 1> count{};
    double sum_s = 0;
  };
  using Labels = std::pair<std::pair<std::string, std::string>, int>;  // route, model, status

  mutable std::mutex mutex_;
  std::map<Labels, std::int64_t, std::less<>> answered_;
  std::map<std::string, Latency, std::less<>> latency_;  // of inferences that succeeded, by model
  std::int64_t executions_ = 0, images_ = 0, reloads_ = 0, failed_reloads_ = 0;
  double executing_s_ = 0;
};

}  // namespace nw::serve_http
