// SPDX-License-Identifier: Apache-2.0
// Inputs from the host: pinned memory, of which one half is filled while the other is copied. The copies use a separate
// stream and go to memory beside the step's inputs, so that they overlap with the previous step.
#pragma once
#include "kernels/cuda/step_stream.hpp"

namespace nw::cuda {

/// The halves of the pinned memory, the memory beside the step's inputs, and the stream of the copies.
class HostInputs {
 public:
  /// `plan`, `team` and `step` outlive the object.
  HostInputs(const Plan& plan, Team* team, StepStream& step);
  /// Makes the stream of the copies and its events. The GPU must be current on this thread.
  Status open();
  /// Destroys the graph and the events; then the stream.
  void drop_graph();
  void drop_events();
  void drop_stream();
  void take_memory(ExecutableMemory&);

  /// The pinned area of an input that is filled next; null: the value is not an input.
  std::byte* area(int value) const { return areas_[slot_][static_cast<std::size_t>(value)].get(); }
  /// The destination of an input's copies on the device, separate from the step's own input; null: not an input.
  std::byte* brought(int value) const { return brought_[static_cast<std::size_t>(value)]; }
  /// The graph that moves the copies to the step's inputs; null: not captured.
  DriverGraphExec& take_graph() { return take_graph_; }

  /// Fills the areas with the inputs of a step. Error: an image cannot be read.
  Status load(const StepArgs& args);
  /// Copies the area filled last to the device, once the previous step has consumed the previous copies.
  Status copy();
  /// Makes the stream of the step wait until the copies have ended.
  Status await_copies();
  /// Enqueues the graph that moves the copies to the step's inputs.
  Status take();
  /// Selects the other half for filling.
  void swap() { slot_ = 1 - slot_; }
  /// Waits until the copies have ended.
  Status wait() const;

 private:
  std::size_t bytes_of(std::size_t value) const;

  const Plan& plan_;
  Team* const team_;
  StepStream& step_;
  std::array<std::vector<std::shared_ptr<std::byte>>, 2> areas_;  // by value index
  std::size_t slot_ = 0;                                          // the half to be filled
  std::vector<std::byte*> brought_;
  DriverStream side_ = nullptr;
  DriverEvent arrived_ = nullptr, taken_ = nullptr;  // arrived_: brought_ is full; taken_: brought_ may be overwritten
  DriverGraphExec take_graph_ = nullptr;
};

}  // namespace nw::cuda
