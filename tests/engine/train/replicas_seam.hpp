// SPDX-License-Identifier: Apache-2.0
// What tests see of the replicas of a training.
#pragma once
#include "engine/train/replicas_rank.hpp"

namespace nw {

struct ReplicasSeam {
  static Executable& executable(Replicas& replicas, std::size_t rank) { return *replicas.ranks_[rank]->train; }
  /// Of its training steps; where processes are stages, of this one's.
  static const Plan& plan(const Replicas& replicas) { return replicas.ranks_.front()->training.plan; }
};

}  // namespace nw
