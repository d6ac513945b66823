// SPDX-License-Identifier: Apache-2.0
// The journal of a queue: journal.jsonl in its folder, one record a line. Several processes append to it, each while it
// holds the folder's lock for a moment. A line counts once its newline is written. Schema 1:
// {"schema":1,"type":"item",…}. Beside it: daemon.lock, held by the process that starts the items; item-0001.txt, what
// the processes of an item printed; item-0001.netwright, the project as it was when the item was added.
#pragma once
#include "engine/core/files.hpp"
#include "engine/queue/queue.hpp"

namespace nw::queue {

inline constexpr const char* journal_file = "journal.jsonl";
inline constexpr const char* daemon_lock = "daemon.lock";

std::string record_line(const Record&);
/// nullopt: a record of a type that a newer version writes. Errc::bad_input: a malformed one.
Result<std::optional<Record>> record_from_line(std::string_view line);

/// The queue that the whole lines of a journal add up to. Errc::bad_input: the number of the line that cannot be, and
/// why.
Result<Queue> queue_from_text(std::string_view text, std::string_view where);
/// A folder without a journal is an empty queue. Untrusted: no links are followed.
Result<Queue> read_queue(const fs::path& folder);

/// The user's queue: $NETWRIGHT_QUEUE, or "queue" in data_folder().
fs::path queue_folder();

/// A writer of a queue's folder, for a moment: others wait for it.
class QueueWriter {
 public:
  /// Makes the folder (mode 0700), waits up to 10 s for its lock, and reads the journal. Errc::in_use: another process
  /// held the lock all the time.
  static Result<QueueWriter> open(const fs::path& folder);
  const Queue& queue() const { return queue_; }
  /// Updates queue(), appends the record and syncs the file. Errc::usage, Errc::bad_input: nothing changes.
  Status write(const Record&);

 private:
  QueueWriter(FileLock lock, LineFile lines, Queue queue)
      : lock_(std::move(lock)), lines_(std::move(lines)), queue_(std::move(queue)) {}
  FileLock lock_;
  LineFile lines_;
  Queue queue_;
};

}  // namespace nw::queue
