// SPDX-License-Identifier: Apache-2.0
// What a plan becomes on a device: the launches of a step, cut where sums over replicas go through host memory.
#pragma once
#include <array>
#include <optional>

#include "kernels/cuda/launches.hpp"
#include "kernels/cuda/reduce.hpp"

namespace nw::cuda {

/// Where the inputs of a step come from: `copied` from the host, or `kept` as a data set on the device. An index of
/// arrays of two.
enum InputOrigin : std::size_t { copied, kept };

/// Between two parts of a step: sums over replicas, through host memory.
struct Exchange {
  std::byte* device = nullptr;  // null: only the metrics
  std::shared_ptr<std::byte> host;
  std::int64_t count = 0;
  bool wide = false;  // f64
  bool metrics = false;
  std::size_t bytes() const { return static_cast<std::size_t>(count * (wide ? 8 : 4)); }
};

/// Launches between two exchanges, and the graphs made of them.
struct StepPart {
  std::vector<Launch> launches;
  std::optional<Exchange> before, after;
  std::array<DriverGraphExec, 2> graph{};  // by InputOrigin; parts behind the first have one
};

/// All launches of a step, in order.
struct StepLaunches {
  std::array<std::vector<Launch>, 2> prologue;  // by InputOrigin
  std::vector<StepPart> parts;
  std::vector<std::string> choices;  // which library or kernel computes a step
  std::size_t buckets = 0;           // of gradients that NCCL sums during backward
};

}  // namespace nw::cuda
