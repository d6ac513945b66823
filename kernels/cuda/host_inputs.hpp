// SPDX-License-Identifier: Apache-2.0
// Inputs from the host: pinned memory, of which one half is filled while the other is copied; copies on a stream of
// their own into memory beside the step's inputs, so that they overlap with the step before.
#pragma once
#include "kernels/cuda/step_stream.hpp"

namespace nw::cuda {

/// The halves of the pinned memory, the memory beside the step's inputs, and the stream of the copies.
class HostInputs {
 public:
  /// `plan`, `team` and `step` outlive the object.
  HostInputs(const Plan& plan, Team* team, StepStream& step);
  /// Makes the stream of the copies and its events. The GPU must be the thread's.
  Status open();
  /// Destroys the graph and the events; then the stream.
  void drop_graph();
  void drop_events();
  void drop_stream();
  void take_memory(ExecutableMemory&);

  /// The pinned area of an input that is to be filled next; null: the value is no input.
  std::byte* area(int value) const { return areas_[slot_][static_cast<std::size_t>(value)].get(); }
  /// Where an input's copies go on the device, so that the step's own input is not touched; null: no input.
  std::byte* brought(int value) const { return brought_[static_cast<std::size_t>(value)]; }
  /// The graph that moves the copies to the step's inputs; null: not captured.
  DriverGraphExec& take_graph() { return take_graph_; }

  /// Fills the areas with a step's inputs. Error: an image cannot be made.
  Status load(const StepArgs& args);
  /// Copies what was filled last to the device, once the step before has taken what lies there.
  Status copy();
  /// The stream of the step waits until the copies have arrived.
  Status await_copies();
  /// Enqueues the graph that takes the copies.
  Status take();
  /// Fills the other half from here on.
  void swap() { slot_ = 1 - slot_; }
  /// Waits until the copies have been made.
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
  DriverEvent arrived_ = nullptr, taken_ = nullptr;  // brought_ is full; brought_ may be written again
  DriverGraphExec take_graph_ = nullptr;
};

}  // namespace nw::cuda
