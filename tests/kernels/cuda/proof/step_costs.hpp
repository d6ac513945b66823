// SPDX-License-Identifier: Apache-2.0
// The launches of a template's whole training step on a GPU, in order, with what each costs. The plug-in prepares and
// captures the step on a fake GPU that computes nothing, so that networks of any size can be measured.
#pragma once
#include "engine/design/project_file.hpp"
#include "tests/kernels/cuda/proof/launch_meter.hpp"

namespace nw::proof {

struct StepCosts {
  std::string net;
  std::int64_t batch = 0;
  DType precision = DType::f32;
  std::vector<Cost> launches;
  /// Of several steps: pairs of work that share memory without an order, waits for events, and streams.
  std::vector<std::string> unordered;
  int waits = 0;
  std::size_t lanes = 0;
  double read() const;
  double written() const;
  double operations() const;
  /// The launch whose threads wait for the most loads, and `wide` threads or fewer.
  const Cost& deepest(double wide) const;
};

/// The batch of a template in tables of speed: that of docs/gpu.md, or its own.
std::int64_t usual_batch(const Template&);
/// `left_out`: of OrderMeter.
StepCosts costs_of(const Template&, DType precision, std::int64_t batch, int left_out = -1);

}  // namespace nw::proof
