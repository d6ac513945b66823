// SPDX-License-Identifier: Apache-2.0
// Passes the training loop's results to the event sink and the files: collects steps into records, at most 30 a second,
// and samples the machine once a second, on a separate thread, so that the loop never waits for a file.
#pragma once
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/monitor/energy.hpp"
#include "engine/runs/events.hpp"
#include "engine/train/run_files.hpp"

namespace nw {

/// The results of one step, passed by the training loop.
struct StepNote {
  std::int64_t step = 0;
  double epoch = 0, loss = 0, accuracy = 0, learning_rate = 0, grad_norm = 0;
  std::int64_t samples = 0;
  double penalty = 0;  // L1 and L2; no part of the loss
};

class Monitor;

class Recorder {
 public:
  /// `files` may be null; both arguments must outlive the recorder.
  Recorder(EventSink& sink, RunFiles* files);
  ~Recorder();  // posts the collected steps
  /// From now on the machine is sampled once a second, and the energy of processors and these GPUs is added up.
  /// `bus_ids`: see Monitor::put_first().
  void watch_machine(std::vector<int> gpus = {}, std::vector<std::string> bus_ids = {});
  /// Adds a step. May be called from any thread; never waits for a file.
  void add(const StepNote&);
  /// Posts an event. May be called from any thread; the steps collected before are posted first, to keep the order.
  void post(decltype(Event::what));
  /// Posts the last event, with the energy used. No event follows, not even a due sample of the machine.
  void post_last(Ended&);
  /// Seconds since the recorder was made.
  double seconds() const;
  /// The time between false and true (pauses, evaluation, saving) does not count for the throughput.
  void set_training(bool);

 private:
  using Clock = std::chrono::steady_clock;
  void work();
  void stop();
  std::vector<int> watched_gpus();
  Steps take_record(bool all);
  void flush_steps(bool all);
  void write_due(Monitor* sampled);
  void send(decltype(Event::what));

  const Clock::time_point start_ = Clock::now();
  EventSink& sink_;
  RunFiles* const files_;
  std::mutex sending_;  // taken before gather_; keeps events in order
  std::mutex gather_;
  // guarded by gather_
  Steps steps_;
  std::int64_t samples_ = 0, most_samples_ = 0;   // of this record; of one step so far
  double trained_s_ = 0, training_since_s_ = -1;  // of this record; < 0: not training now
  std::vector<float> losses_;
  double next_sample_s_ = std::numeric_limits<double>::infinity();
  std::vector<int> gpus_;
  std::vector<std::string> bus_ids_;  // until they are passed to the monitor
  EnergyMeter energy_;                // used by thread_ until it ends
  bool leaving_ = false;
  std::condition_variable changed_;
  std::jthread thread_;  // last member: ends before the others are destroyed
};

}  // namespace nw
