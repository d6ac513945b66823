// SPDX-License-Identifier: Apache-2.0
#include "engine/queue/journal.hpp"

#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "engine/runs/contained.hpp"

namespace nw::queue {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t max_bytes = std::uint64_t{256} << 20;

Result<FileLock> wait_for_lock(const fs::path& folder) {
  for (int tries = 0;; ++tries) {
    auto lock = FileLock::take(folder / "lock");
    if (lock || lock.error().code != Errc::in_use) return lock;
    if (tries == 1000)
      return fail(Errc::in_use, NW_TR("the queue in {0} has been written by another process for 10 s; try again"),
                  folder.string());
    std::this_thread::sleep_for(10ms);
  }
}

}  // namespace

fs::path queue_folder() {
  const char* own = std::getenv("NETWRIGHT_QUEUE");
  return own && *own ? fs::path(own) : data_folder() / "queue";
}

Result<Queue> queue_from_text(std::string_view text, std::string_view where) {
  Queue queue;
  std::size_t number = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    ++number;
    const auto broken = [&](const Error& e) {
      return fail(Errc::bad_input, NW_TR("{0}, line {1}: {2}"), where, number, e.str());
    };
    const auto record = record_from_line(text.substr(begin, end - begin));
    if (!record) return broken(record.error());
    if (!*record) continue;
    if (const Status taken = queue.take(**record); !taken) return broken(taken.error());
  }
  return queue;
}

Result<Queue> read_queue(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(folder / journal_file, ignored))) return Queue();
  NW_ASSIGN(const std::string text, read_inside(folder, journal_file, max_bytes));
  return queue_from_text(text, (folder / journal_file).string());
}

Result<QueueWriter> QueueWriter::open(const fs::path& folder) {
  NW_TRY(make_folder(folder, 0700));
  NW_ASSIGN(FileLock lock, wait_for_lock(folder));
  NW_ASSIGN(LineFile lines, LineFile::open(folder / journal_file));  // drops half a line
  NW_ASSIGN(Queue queue, read_queue(folder));
  return QueueWriter(std::move(lock), std::move(lines), std::move(queue));
}

Status QueueWriter::write(const Record& record) {
  NW_TRY(queue_.take(record));
  NW_TRY(lines_.append(record_line(record)));
  return lines_.sync();
}

}  // namespace nw::queue
