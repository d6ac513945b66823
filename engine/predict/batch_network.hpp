// SPDX-License-Identifier: Apache-2.0
// A run's network for a server: batches of any size from numbers in memory to scores in memory.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/runs/run_folder.hpp"
#include "kernels/math/pixel_scale.hpp"

namespace nw {

/// One checkpoint of a run, forward only, on the processor. One thread at a time. It reads nothing from the run's
/// folder once it is open.
class BatchNetwork {
 public:
  struct Options {
    std::string checkpoint = "best";  // a name, "best" or "latest"
    std::int64_t largest_batch = 16;  // images computed at once; kernels compute groups of 16
    int threads = 1;
  };
  static Result<std::unique_ptr<BatchNetwork>> open(const fs::path& run, const Options&);
  virtual ~BatchNetwork() = default;
  virtual const RunDefinition& definition() const = 0;
  virtual const std::string& checkpoint() const = 0;       // its name
  virtual std::int64_t outputs() const = 0;                // scores of one image
  virtual std::span<const PixelScale> scales() const = 0;  // of each channel
  virtual std::int64_t memory_bytes() const = 0;
  /// `nhwc`: normalized images (count, H, W, C), count ≤ largest_batch. Scores: (count, outputs).
  virtual Status run(std::span<const float> nhwc, std::int64_t count, std::vector<float>& scores) = 0;
  /// The probabilities of classes (two for one score) or labels, or the predicted values, of one image's scores.
  virtual std::vector<float> answers(std::span<const float> scores) const = 0;
};

/// The name of the checkpoint that BatchNetwork::open() would take now.
Result<std::string> checkpoint_of(const fs::path& run, const std::string& checkpoint);

}  // namespace nw
