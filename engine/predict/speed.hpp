// SPDX-License-Identifier: Apache-2.0
// Inference speed of a trained network for each device and batch size.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/backend/devices.hpp"
#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw {

struct InferenceSpeed {
  std::string device, description;  // the requested name; the hardware's name
  int threads = 1;
  std::int64_t batch = 1, calls = 0;
  double latency_ms = 0, slowest_ms = 0;  // of a call: median, 99th percentile
  double images_per_s = 0;
  double energy_j = -1;  // joules per image, of the GPU and of processors with a counter; -1: not known
};

struct SpeedRequest {
  fs::path run;
  std::string checkpoint = "best";
  std::vector<std::string> devices{"cpu"};  // as parsed by inference_device()
  std::vector<std::int64_t> batches{1, 8, 64};
  double seconds = 1;                   // per measurement
  const GraphDoc* untrained = nullptr;  // timed in place of the run's network; its weights are zeros
};
inline constexpr std::int64_t largest_inference_batch = 4096;

/// Resolves "cpu", "cuda:0", "reference" …; "cpu@2" uses two threads.
Result<ResolvedDevice> inference_device(const std::string& name);
/// Times consecutive calls from normalized images in memory to scores in memory, on noise; the first calls are a
/// warm-up and are not counted. `progress` gets 0…1; false cancels (Errc::stopped).
Result<std::vector<InferenceSpeed>> measure_inference(const SpeedRequest&,
                                                      const std::function<bool(double)>& progress = {});

/// The batches of `after` that take no less time than in `before`: less than a twentieth faster.
std::vector<std::int64_t> not_faster(const std::vector<InferenceSpeed>& before,
                                     const std::vector<InferenceSpeed>& after);

}  // namespace nw
