// SPDX-License-Identifier: Apache-2.0
// Puts the images of concurrent requests into one execution of a network.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/serve_http/metrics.hpp"
#include "engine/serve_http/models.hpp"

namespace nw::serve_http {

/// Images of one request, and what receives their scores.
struct BatchJob {
  ModelPointer model;
  std::int64_t images = 0;
  std::vector<float> nhwc;  // normalized
  /// Called once, from the batcher's thread, with (images, outputs) scores.
  std::function<void(Result<std::vector<float>>)> done;
};

/// One thread that runs the networks. Jobs are executed in the order in which they arrive, except that later ones of
/// the same network join the first. A job of more images than one execution takes is executed alone, in pieces.
class Batcher {
 public:
  struct Options {
    std::int64_t largest_batch = 16;   // images of one execution
    std::int64_t queue_images = 1024;  // that may wait
    double wait_s = 0.002;             // the longest time for which an execution waits for more requests
  };
  Batcher(const Options&, Metrics&);
  ~Batcher();  // executes what is queued, then ends
  Batcher(const Batcher&) = delete;
  /// False: the queue is full, and the job was not taken.
  bool add(BatchJob&&);
  std::int64_t waiting_images() const;

 private:
  void work();
  std::vector<BatchJob> next_jobs(std::unique_lock<std::mutex>&);
  void execute(std::vector<BatchJob>& jobs);
  Result<std::vector<float>> scores_of(std::vector<BatchJob>& jobs, std::int64_t images);
  std::int64_t waiting_of(const Model*) const;

  const Options options_;
  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // guarded by mutex_
  std::deque<BatchJob> queue_;
  std::int64_t waiting_images_ = 0;
  bool ending_ = false;
  // of the thread
  std::int64_t expected_images_ = 0;  // that clients will probably send again: those of the last execution
  double last_run_s_ = 0;
  std::vector<float> staging_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace nw::serve_http
