// SPDX-License-Identifier: Apache-2.0
// Measures what every device of a training does, and reports it. Private to engine/train.
#pragma once
#include <memory>
#include <vector>

#include "engine/monitor/energy.hpp"
#include "engine/train/gpu_watch.hpp"
#include "engine/train/run_report.hpp"
#include "engine/train/stragglers.hpp"

namespace nw {

class RankWatch {
 public:
  /// Both arguments must outlive this object. The network must be ready.
  RankWatch(TrainingState& state, RunReport& report);
  ~RankWatch();
  /// Called after `count` training steps that took `seconds`, with the wait for their images. Reports about once a
  /// second, later in a run less often. In a process that is not the first, tells the first one.
  void after_steps(std::int64_t count, double seconds);
  /// Reports the epoch that has just ended; called in all processes.
  Status after_epoch();
  /// Reports the epoch of a pipeline that has just ended: the stages of all its replicas are the ranks.
  void after_epoch(const std::vector<PipelineTimes>& by_replica);

 private:
  using Clock = TrainingState::Clock;
  /// What a rank has done since its process began.
  struct Known {
    ProcessGroup::Figures figures{};
    std::string host, device;
  };
  void read_processors();
  std::vector<Known> local() const;
  std::vector<Known> replicas_here() const;
  std::vector<Known> stages_here() const;
  void tell_and_read();
  std::vector<Known> all() const;
  RankTimes between(const std::vector<Known>& before, const std::vector<Known>& now) const;

  TrainingState& state_;
  RunReport& report_;
  const std::string host_;
  std::int64_t steps_ = 0;
  double seconds_ = 0, processors_read_s_ = -1;
  EnergyMeter processors_;
  std::unique_ptr<GpuWatch> gpus_;  // by local rank; null: no GPUs
  std::vector<Known> reported_, epoch_began_;
  Clock::time_point last_report_ = Clock::now();
  Stragglers stragglers_;
};

}  // namespace nw
