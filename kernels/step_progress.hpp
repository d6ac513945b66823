// SPDX-License-Identifier: Apache-2.0
// Where a step is: for messages about a device or a process that was lost in it.
#pragma once

namespace nw {

/// What an Executable may also be.
class StepProgress {
 public:
  virtual ~StepProgress() = default;
  /// Index of the plan's step that is being computed, or that is computed together with that one; -1: none. Any thread.
  virtual int running_step() const = 0;
};

}  // namespace nw
