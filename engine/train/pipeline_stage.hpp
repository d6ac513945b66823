// SPDX-License-Identifier: Apache-2.0
// The members of Pipeline for each stage. Private to pipeline*.cpp.
#pragma once
#include <chrono>
#include <utility>

#include "engine/train/pipeline.hpp"

namespace nw {

/// Adds the time of its own life.
class Timed {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Timed(double& seconds) : seconds_(seconds) {}
  ~Timed() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& seconds_;
  const Clock::time_point begin_ = Clock::now();
};

struct Pipeline::Stage {
  int number = 0;
  std::unique_ptr<Team> team;
  Communicator* replicas = nullptr;
  StagePlan plan;
  // of the micro-batches that are between their passes: micro-batch m has those of m modulo their number
  std::vector<std::unique_ptr<Executable>> forward, backward;
  std::vector<std::pair<std::size_t, int>> gradients;  // index in the update's plan, and in plan.backward
  StageSeconds seconds;
  std::int64_t bytes = 0;
  std::vector<std::byte> message;
  std::vector<float> gradient;
};

}  // namespace nw
