// SPDX-License-Identifier: Apache-2.0
// How fast a trained network answers, device by device and batch by batch.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/backend/devices.hpp"
#include "engine/core/files.hpp"

namespace nw {

struct InferenceSpeed {
  std::string device, description;  // as requested; the device's own name
  int threads = 1;
  std::int64_t batch = 1, calls = 0;
  double latency_ms = 0, slowest_ms = 0;  // of a call: median, 99th of a hundred
  double images_per_s = 0;
  double energy_j = -1;  // per image; -1: no counter is readable
};

struct SpeedRequest {
  fs::path run;
  std::string checkpoint = "best";
  std::vector<std::string> devices{"cpu"};  // as inference_device() reads them
  std::vector<std::int64_t> batches{1, 8, 64};
  double seconds = 1;  // each
};
inline constexpr std::int64_t largest_inference_batch = 4096;

/// "cpu", "cuda:0", "reference" …; "cpu@2" with two threads.
Result<ResolvedDevice> inference_device(const std::string& name);
/// From normalised images in memory to scores in memory, on noise, one call after the other; the first calls warm up
/// and do not count. `progress` gets 0…1; false cancels (Errc::stopped).
Result<std::vector<InferenceSpeed>> measure_inference(const SpeedRequest&,
                                                      const std::function<bool(double)>& progress = {});

}  // namespace nw
