// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/metrics.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

namespace nw::serve_http {
namespace {

/// Of this process.
std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

void begin(std::string& out, std::string_view name, std::string_view kind, std::string_view help) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, kind);
}

template <class V>
void one(std::string& out, std::string_view name, std::string_view kind, std::string_view help, V value) {
  begin(out, name, kind, help);
  fmt::format_to(std::back_inserter(out), "{} {}\n", name, value);
}

}  // namespace

void Metrics::answered(std::string_view route, std::string_view model, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++answered_[Labels{{std::string(route), std::string(model)}, status}];
  if (route != "infer" || status != 200) return;
  auto found = latency_.find(model);
  if (found == latency_.end()) found = latency_.emplace(std::string(model), Latency{}).first;
  std::size_t bucket = 0;
  while (bucket < latency_s.size() && seconds > latency_s[bucket]) ++bucket;
  ++found->second.count[bucket];
  found->second.sum_s += seconds;
}

void Metrics::executed(std::int64_t images, double seconds) {
  const std::lock_guard lock(mutex_);
  ++executions_;
  images_ += images;
  executing_s_ += seconds;
}

void Metrics::reloaded(bool well) {
  const std::lock_guard lock(mutex_);
  ++(well ? reloads_ : failed_reloads_);
}

std::string Metrics::text(const Gauges& now) const {
  const std::lock_guard lock(mutex_);
  std::string out;
  const auto at = std::back_inserter(out);
  begin(out, "netwright_requests_total", "counter", "Answered requests.");
  for (const auto& [labels, count] : answered_)
    fmt::format_to(at, "netwright_requests_total{{route=\"{}\",model=\"{}\",status=\"{}\"}} {}\n", labels.first.first,
                   labels.first.second, labels.second, count);
  begin(out, "netwright_inference_seconds", "histogram", "Time from a request's head to its reply.");
  for (const auto& [model, l] : latency_) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < latency_s.size(); ++i)
      fmt::format_to(at, "netwright_inference_seconds_bucket{{model=\"{}\",le=\"{}\"}} {}\n", model, latency_s[i],
                     sum += l.count[i]);
    sum += l.count.back();
    fmt::format_to(at, "netwright_inference_seconds_bucket{{model=\"{0}\",le=\"+Inf\"}} {1}\n", model, sum);
    fmt::format_to(at, "netwright_inference_seconds_sum{{model=\"{0}\"}} {1}\n", model, l.sum_s);
    fmt::format_to(at, "netwright_inference_seconds_count{{model=\"{0}\"}} {1}\n", model, sum);
  }
  one(out, "netwright_executions_total", "counter", "Executions of networks.", executions_);
  one(out, "netwright_images_total", "counter", "Images in these executions.", images_);
  one(out, "netwright_execution_seconds_total", "counter", "Time of these executions.", executing_s_);
  one(out, "netwright_reloads_total", "counter", "Checkpoints loaded while serving.", reloads_);
  one(out, "netwright_failed_reloads_total", "counter", "Checkpoints that could not be loaded.", failed_reloads_);
  one(out, "netwright_connections", "gauge", "Open connections.", now.connections);
  one(out, "netwright_requests_in_progress", "gauge", "Requests without a complete reply.", now.requests);
  one(out, "netwright_waiting_images", "gauge", "Images that wait for an execution.", now.waiting_images);
  begin(out, "netwright_model_version", "gauge", "1 for the version of each network that is served.");
  for (const auto& [model, version] : now.versions)
    fmt::format_to(at, "netwright_model_version{{model=\"{}\",version=\"{}\"}} 1\n", model, version);
  one(out, "process_resident_memory_bytes", "gauge", "Resident memory.", resident_bytes());
  return out;
}

}  // namespace nw::serve_http
