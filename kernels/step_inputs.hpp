// SPDX-License-Identifier: Apache-2.0
// Steps whose inputs come from the host, run many at a time: while one is computed the next one's are made and brought to the device.
#pragma once
#include "kernels/api.hpp"

namespace nw {

/// StepArgs::images of a step that may be run so.
class StepInputs : public ImageMaker {
 public:
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
