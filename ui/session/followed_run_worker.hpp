// SPDX-License-Identifier: GPL-3.0-or-later
// The reading end of a FollowedRun: one thread that tails a run folder and hands whole batches to the GUI thread, one
// at a time and at most 30 times a second, so that a slow window is never flooded.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "ui/session/followed_run.hpp"

namespace nw::ui {

/// The data read since the previous batch.
struct FollowedRun::Batch {
  std::vector<Event> events;
  std::unique_ptr<RunDefinition> definition;  // in the first one that has it
  bool alive = false;                         // somebody held the lock before the events were read
  bool drained = false;                       // the file was read to its end
  QString givenName;                          // by the user; empty: none
  std::int64_t damagedStatistics = 0;         // lines of statistics.jsonl that cannot be read
};

struct FollowedRun::Worker {
  explicit Worker(fs::path run) : tail(run), layers(run, statistics_file), folder(std::move(run)) {}
  ~Worker();
  /// `deliver` is called on the thread of `context`.
  void begin(QObject* context, std::function<void(Batch&)> deliver);

  // worker thread only
  EventTail tail, layers;
  fs::path folder;
  int definitionTries = 0;
  bool hasDefinition = false, wasAlive = false, wasDrained = false;
  std::int64_t wasDamaged = 0;
  QString name, wasName;  // the given one
  std::chrono::steady_clock::time_point nameRead{};

  // shared
  struct UpdateQueue {
    std::mutex mutex;
    std::condition_variable_any changed;
    bool busy = false, closed = false;  // guarded by mutex
  };
  std::shared_ptr<UpdateQueue> box = std::make_shared<UpdateQueue>();
  std::jthread thread;

 private:
  void loop(const std::stop_token& stop, QObject* context, const std::function<void(Batch&)>& deliver);
  Batch read();
  void readName();
  bool isChange(const Batch& batch);
  void hand(Batch batch, QObject* context, const std::function<void(Batch&)>& deliver);
};

}  // namespace nw::ui
