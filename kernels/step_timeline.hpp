// SPDX-License-Identifier: Apache-2.0
// When a device computed and exchanged gradients in a step: for charts of how the two overlap.
#pragma once
#include <chrono>
#include <vector>

namespace nw {

using StepClock = std::chrono::steady_clock;

/// `bucket`: some gradients on their way, from their completion on this device until their sums are here; `exchange`:
/// the device itself moves or adds numbers in its backward pass; `wait`: from the end of that pass until all sums are
/// here.
enum class StepPart { forward, backward, bucket, exchange, wait, update };

struct StepSpan {
  StepPart part = StepPart::forward;
  int bucket = 0;                 // from 1, in the order of their completion; 0: of another part
  double begin_s = 0, end_s = 0;  // from the begin of the step
  bool operator==(const StepSpan&) const = default;
};

/// What an Executable may also be.
class StepTimeline {
 public:
  virtual ~StepTimeline() = default;
  /// Of the last step: forward, backward, wait and update first. Empty: it exchanges no gradients. Between steps only.
  virtual std::vector<StepSpan> timeline() const = 0;
};

}  // namespace nw
