// SPDX-License-Identifier: Apache-2.0
// Bursts of steps that can be ended early.
#pragma once
#include "kernels/api.hpp"

namespace nw {

/// Asked before each of several steps that are run at once whether to begin it, so that a request to stop or pause does
/// not wait for all of them. All replicas get the same answer for the same step.
class StepGate {
 public:
  virtual ~StepGate() = default;
  /// `i`: index of the step, from 0; each replica asks in order, on its own thread. After false it begins no other one.
  virtual bool may_begin(std::size_t i) = 0;
};

/// What an Executable may also be.
class InterruptibleExecutable {
 public:
  virtual ~InterruptibleExecutable() = default;
  /// Executable::run_many(). Returns the number of steps that were run: all, or those before the gate's first no; the
  /// first step is run in any case.
  virtual Result<std::size_t> run_until(std::span<const StepArgs> steps, std::span<StepMetrics> results, StepGate&) = 0;
};

}  // namespace nw
