// SPDX-License-Identifier: Apache-2.0
// Small complete checkpoints in a run folder that a test or a screenshot writes.
#pragma once
#include <algorithm>
#include <stdexcept>

#include "engine/train/checkpoint.hpp"

namespace nw::test {

/// A checkpoint of one tensor, to which `latest` and, with `best`, also `best` point.
inline void write_checkpoint(const fs::path& run, std::int64_t step, bool best = false) {
  const auto tensors = [] {
    return std::vector<TensorSource>{{"w", DType::f32, {4096}, [](std::span<std::byte> bytes) {
                                        std::fill(bytes.begin(), bytes.end(), std::byte{0});
                                        return Status();
                                      }}};
  };
  Progress progress;
  progress.step = step;
  const auto saved = save_checkpoint(run, progress, tensors(), tensors());
  if (!saved) throw std::runtime_error(saved.error().str());
  for (const char* pointer : {"latest", "best"})
    if (pointer[0] == 'l' || best)
      if (const Status done = point_at_checkpoint(run, pointer, checkpoint_name(step)); !done)
        throw std::runtime_error(done.error().str());
}

}  // namespace nw::test
