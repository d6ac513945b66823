// SPDX-License-Identifier: Apache-2.0
// Batches made ahead of time by one thread, so that the devices never wait for pixels.
#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "engine/data/dataset.hpp"

namespace nw {

/// One global batch, in border layout; what lies behind `valid` samples is zero.
struct Batch {
  std::vector<float> images;            // (capacity, H, W, C)
  std::vector<std::int64_t> labels;     // (capacity)
  std::vector<float> targets;           // (capacity, target_width)
  std::vector<std::int64_t> samples;    // (capacity) data-set indices
  std::int64_t valid = 0, epoch = 0, index = 0;
};

/// What a loader makes batches of.
struct BatchSource {
  const BatchMaker* maker = nullptr;    // outlives the loader
  bool shuffle = false, augment = false;
  std::int64_t batch = 1;               // samples of a full batch
  std::int64_t capacity = 1;            // samples there is room for, >= batch: devices times their share
  std::int64_t image_elements = 1;
  std::int64_t target_width = 0;        // 0: class labels; 1: the label as a number; more: one-hot
};
std::int64_t batches_per_epoch(const BatchSource&);

/// Fills `out` with positions [index * batch, …) of `order`, which maker->order() gave.
Status make_batch(const BatchSource&, std::span<const std::int64_t> order, std::int64_t epoch, std::int64_t index, Batch& out);

class BatchLoader {
 public:
  /// From batch `index` of `epoch` on, epoch after epoch, up to `end_epoch`. The first batch may be the epoch's end already.
  BatchLoader(BatchSource, std::int64_t epoch, std::int64_t index, std::int64_t end_epoch);
  ~BatchLoader();
  /// The next batch, valid until the next call; null when there are no more. One caller.
  Result<const Batch*> next();

 private:
  void work(std::int64_t epoch, std::int64_t index, std::int64_t end_epoch);
  std::optional<std::size_t> wait_for_room();
  void hand_over(Status);

  const BatchSource source_;
  std::vector<Batch> ring_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // guarded by mutex_: batches made and batches taken since the start; the taken one is still in its user's hands
  std::size_t made_ = 0, taken_ = 0;
  bool ended_ = false, leaving_ = false;
  std::optional<Error> error_;
  std::jthread thread_;                 // last: ends before the rest goes
};

}  // namespace nw
