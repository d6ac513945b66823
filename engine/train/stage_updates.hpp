// SPDX-License-Identifier: Apache-2.0
// The update of a network whose stages are on devices that have their own memory (GPUs): each holds the weights,
// gradients and optimizer's state of its own stage. Together they are the update of one device.
#pragma once
#include <vector>

#include "engine/backend/devices.hpp"
#include "engine/compile/stages.hpp"
#include "kernels/rank_communicator.hpp"

namespace nw {

/// Reads and writes are of the values of StagedPlan::update. A run updates all stages at the same time, each on a
/// thread; sums over all weights are exchanged through host memory, in the order of the stages.
class StageUpdates final : public Executable {
 public:
  /// `devices`: of the stages in order.
  static Result<std::unique_ptr<StageUpdates>> make(const StagedPlan&, const std::vector<ResolvedDevice>& devices);
  ~StageUpdates() override;

  /// Holds the weights of the stage.
  Executable& of_stage(int stage) const { return *updates_[static_cast<std::size_t>(stage)]; }

  Status run(const StepArgs&) override;
  StepMetrics metrics() const override;
  void write(int value, std::span<const std::byte> bytes) override;
  void read(int value, std::span<std::byte> bytes) const override;
  Status health() const override;
  std::int64_t memory_bytes() const override;

 private:
  struct Place {
    int stage = 0, value = -1;  // value: of the stage's plan
  };
  StageUpdates() = default;
  void find_places(const StagedPlan&);

  std::vector<std::unique_ptr<Team>> teams_;  // by stage, as those below
  std::vector<std::unique_ptr<RankCommunicator>> communicators_;
  std::vector<std::unique_ptr<Executable>> updates_;
  std::vector<Place> places_;      // by the values of all stages; without a place: a value that no step reads
  std::unique_ptr<Team> threads_;  // one for each stage; the caller is the first
};

}  // namespace nw
