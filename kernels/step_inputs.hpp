// SPDX-License-Identifier: Apache-2.0
// Steps whose inputs come from the host, run many at a time: while one is computed the next one's are made and brought
// to the device.
#pragma once
#include "kernels/api.hpp"

namespace nw {

/// What a channel's pixel value v (0 … 255) becomes: (v / 255 - mean) / deviation, each operation rounded to f32.
struct PixelScale {
  float mean = 0, deviation = 1;
};

/// StepArgs::images of a step that may be run so.
class StepInputs : public ImageMaker {
 public:
  /// Pixels of sample `i` of the batch, (H,W,C), where they lie in memory and scaling them is all that make() would do;
  /// null: it has to be asked.
  virtual const std::uint8_t* pixels(std::int64_t i) const {
    (void)i;
    return nullptr;
  }
  /// One for each channel, for pixels().
  virtual std::span<const PixelScale> pixel_scales() const { return {}; }
  /// Writes all inputs of this step, images too, where Executable::input_area says now.
  virtual Status load(Executable&) const = 0;
};

/// An Executable that takes such steps in run_many().
class TakesInputs {
 public:
  virtual ~TakesInputs() = default;
  /// How many it should be given at once; 1: it cannot.
  virtual std::int64_t loaded_at_once() const = 0;
};

}  // namespace nw
