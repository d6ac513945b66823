// SPDX-License-Identifier: Apache-2.0
// The process of a queue: starts items on free devices, follows them, writes how they ended.
#pragma once
#include <map>

#include "app/cli/child_process.hpp"
#include "engine/queue/journal.hpp"

namespace nw::cli {

class QueueProcess {
 public:
  /// `lock`: the queue's daemon_lock, held until nothing is left to do.
  QueueProcess(fs::path folder, FileLock lock, std::vector<std::string> gpus);
  /// Until no item runs and none can start, or a signal came: then the items stop with checkpoints, and the next
  /// process goes on with them. Returns the exit code.
  int run();

 private:
  /// One look at the queue. False: nothing is left to do, and the lock is released.
  Result<bool> round();
  Status write_ends(queue::QueueWriter&);
  /// Items whose process was another queue process's child: once it has ended they start again.
  Status take_over(queue::QueueWriter&);
  void stop_unwanted(const queue::Queue&);
  Status start_some(queue::QueueWriter&);
  Status start(queue::QueueWriter&, const queue::Start&);
  Status fail_impossible(queue::QueueWriter&);
  void stop_all();

  const fs::path folder_;
  std::optional<FileLock> lock_;
  const std::vector<std::string> gpus_;
  std::map<std::int64_t, ChildProcess> children_;  // by item
};

/// The arguments that train the item from where it is; empty: its run has finished. Chooses the folder of its run.
Result<std::vector<std::string>> arguments_of(queue::Item&, const std::vector<std::string>& devices);

}  // namespace nw::cli
