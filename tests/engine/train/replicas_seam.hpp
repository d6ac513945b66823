// SPDX-License-Identifier: Apache-2.0
// What tests see of the replicas of a training.
#pragma once
#include <cmath>

#include "engine/train/replicas_rank.hpp"

namespace nw {

struct ReplicasSeam {
  static Executable& executable(Replicas& replicas, std::size_t rank) { return *replicas.ranks_[rank]->train; }
  /// Of its training steps; where processes are stages, of this one's.
  static const Plan& plan(const Replicas& replicas) { return replicas.ranks_.front()->training.plan; }
  /// Changes the last number of a weight on the device of this number in the process. False: there is no such weight.
  static bool change(Replicas& replicas, std::size_t device, const std::string& weight, float (*to)(float)) {
    const int value = plan(replicas).find(weight);
    if (value < 0) return false;
    const Shape& shape = plan(replicas).values[static_cast<std::size_t>(value)].shape;
    std::vector<float> numbers(static_cast<std::size_t>(shape.elements()));
    executable(replicas, device).read(value, std::as_writable_bytes(std::span(numbers)));
    numbers.back() = to(numbers.back());
    executable(replicas, device).write(value, std::as_bytes(std::span(numbers)));
    return true;
  }
  static float next(float number) { return std::nextafter(number, 1e9F); }  // one bit
};

}  // namespace nw
