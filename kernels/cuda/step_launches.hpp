// SPDX-License-Identifier: Apache-2.0
// The launches of a plan's step, divided where sums over replicas go through host memory.
#pragma once
#include <array>
#include <optional>

#include "kernels/cuda/launches.hpp"
#include "kernels/cuda/reduce.hpp"

namespace nw::cuda {

/// The origin of a step's inputs: `copied` from the host, or `kept` as a data set on the device. Index of arrays of
/// two.
enum InputOrigin : std::size_t { copied, kept };

/// Between two parts of a step: sums over replicas, or weights of which each replica has updated a part, through host
/// memory.
struct Exchange {
  std::byte* device = nullptr;  // null: only the metrics
  std::shared_ptr<std::byte> host;
  std::int64_t count = 0;
  bool wide = false;  // f64
  bool metrics = false;
  std::vector<std::int64_t> bounds{};  // of weights: replica r has updated the bytes from bounds[r] up to bounds[r + 1]
  std::size_t own_begin = 0, own_end = 0;  // of weights: the bytes that this replica has updated
  std::size_t bytes() const { return static_cast<std::size_t>(count * (wide ? 8 : 4)); }
  /// What the others get from this replica.
  std::size_t sent_from() const { return bounds.empty() ? 0 : own_begin; }
  std::size_t sent_to() const { return bounds.empty() ? bytes() : own_end; }
};

/// The launches between two exchanges, and the graphs captured from them.
struct StepPart {
  std::vector<Launch> launches;
  std::optional<Exchange> before, after;
  std::array<DriverGraphExec, 2> graph{};  // by InputOrigin; all parts except the first have one
};

/// All launches of a step, in order.
struct StepLaunches {
  std::array<std::vector<Launch>, 2> prologue;  // by InputOrigin
  std::vector<StepPart> parts;
  std::vector<std::string> choices;  // the library or kernel that computes each step
  std::size_t buckets = 0;           // of gradients that NCCL sums during backward
};

}  // namespace nw::cuda
