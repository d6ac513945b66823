// SPDX-License-Identifier: Apache-2.0
#include "app/cli/queue_process.hpp"

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>

#include "app/cli/queue_commands.hpp"
#include "engine/backend/devices.hpp"
#include "engine/runs/contained.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::cli {
namespace {

using namespace std::chrono_literals;

volatile std::sig_atomic_t queue_signal = 0;
// The first signal stops the items with checkpoints; the second one ends the process by the default action.
extern "C" void stop_queue(int signal) {
  queue_signal = signal;
  std::signal(signal, SIG_DFL);
}

double queue_time() { return static_cast<double>(std::time(nullptr)); }

std::string log_of(std::int64_t item) { return fmt::format("item-{:04}.txt", item); }

bool wants_to_run(const queue::Item& item) { return item.state == queue::ItemState::waiting; }

std::vector<std::string> gpus_that_train() {
  std::vector<std::string> names;
  for (const ReportedGpu& gpu : reported_gpus())
    if (gpu.why_not.empty()) names.push_back(gpu.name);
  return names;
}

queue::Ended ended_by(std::int64_t item, const ChildProcess& child, const fs::path& folder) {
  const int status = child.status();
  queue::Ended e{.item = item, .how = queue::Ending::finished, .message = {}, .time = queue_time()};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return e;
  const bool stopped =
      WIFEXITED(status) && (WEXITSTATUS(status) == static_cast<int>(Errc::stopped) || was_killed(status));
  e.how = child.was_stopped() ? queue::Ending::interrupted : stopped ? queue::Ending::stopped : queue::Ending::failed;
  if (e.how == queue::Ending::failed) e.message = last_error(folder, log_of(item));
  if (e.how == queue::Ending::failed && (e.message.empty() || WIFSIGNALED(status))) e.message = ending_of(status);
  return e;
}

}  // namespace

QueueProcess::QueueProcess(fs::path folder, FileLock lock, std::vector<std::string> gpus)
    : folder_(std::move(folder)), lock_(std::move(lock)), gpus_(std::move(gpus)) {}

int QueueProcess::run() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, stop_queue);
  std::error_code ignored;
  while (queue_signal == 0) {
    if (!children_.empty() && !fs::exists(folder_ / queue::journal_file, ignored)) {
      children_.clear();  // they stop
      return report(fail(Errc::disk, NW_TR("{0} is gone; its trainings were stopped"), folder_.string()));
    }
    const auto more = round();
    if (!more) note("netwright-cli queue: " + more.error().str());  // a full disk may have room again
    if (more && !*more) return 0;
    std::this_thread::sleep_for(more ? 100ms : 5000ms);
  }
  stop_all();
  return 128 + queue_signal;
}

Result<bool> QueueProcess::round() {
  NW_ASSIGN(queue::QueueWriter writer, queue::QueueWriter::open(folder_));
  NW_TRY(write_ends(writer));
  NW_TRY(take_over(writer));
  stop_unwanted(writer.queue());
  NW_TRY(fail_impossible(writer));
  NW_TRY(start_some(writer));
  for (const queue::Item& item : writer.queue().items())
    if (item.runs) return true;
  lock_.reset();  // while the journal is locked: who adds an item afterwards starts another process
  return false;
}

Status QueueProcess::write_ends(queue::QueueWriter& writer) {
  for (auto it = children_.begin(); it != children_.end();) {
    if (!it->second.ended()) {
      ++it;
      continue;
    }
    const queue::Ended ended = ended_by(it->first, it->second, folder_);
    NW_TRY(writer.write(ended));
    note(fmt::format("item {}: {}{}", ended.item, name_of(ended.how),
                     ended.message.empty() ? "" : ": " + ended.message));
    it = children_.erase(it);
  }
  return {};
}

Status QueueProcess::take_over(queue::QueueWriter& writer) {
  std::vector<std::int64_t> lost;
  for (const queue::Item& item : writer.queue().items())
    if (item.runs && !children_.contains(item.number) && !is_running(item.run)) lost.push_back(item.number);
  for (const std::int64_t n : lost)
    NW_TRY(
        writer.write(queue::Ended{.item = n, .how = queue::Ending::interrupted, .message = {}, .time = queue_time()}));
  return {};
}

void QueueProcess::stop_unwanted(const queue::Queue& q) {
  for (auto& [number, child] : children_) {
    const queue::Item& item = q.items()[static_cast<std::size_t>(number - 1)];
    if (!wants_to_run(item)) child.stop();
  }
}

Status QueueProcess::fail_impossible(queue::QueueWriter& writer) {
  std::vector<std::pair<std::int64_t, Text>> never;
  for (const queue::Item& item : writer.queue().items())
    if (wants_to_run(item) && !item.runs)
      if (auto why = queue::never_starts(item, gpus_)) never.emplace_back(item.number, *std::move(why));
  for (const auto& [number, why] : never) {
    NW_TRY(writer.write(
        queue::Began{.item = number, .run = writer.queue().find(number)->run, .uses = {}, .time = queue_time()}));
    NW_TRY(writer.write(queue::Ended{number, queue::Ending::failed, why.str(), queue_time()}));
  }
  return {};
}

Status QueueProcess::start_some(queue::QueueWriter& writer) {
  while (queue_signal == 0) {
    const auto next = writer.queue().next(gpus_);
    if (!next) return {};
    NW_TRY(start(writer, *next));
  }
  return {};
}

// What is wrong with one item ends only this one.
Status QueueProcess::start(queue::QueueWriter& writer, const queue::Start& next) {
  queue::Item item = *writer.queue().find(next.item);
  const auto words = arguments_of(item, next.devices);
  NW_TRY(writer.write(queue::Began{next.item, item.run, next.devices, queue_time()}));
  queue::Ended ended{.item = next.item, .how = queue::Ending::finished, .message = {}, .time = queue_time()};
  if (words && words->empty()) return writer.write(ended);  // its end was not written: a crash
  ended.how = queue::Ending::failed;
  ChildProcess child;
  const auto log = words ? append_inside(folder_, log_of(next.item)) : Result<int>(words.error());
  const Status started = log ? child.start(*words, *log, item.folder) : Status(log.error());
  if (!started) {
    ended.message = started.error().str();
    return writer.write(ended);
  }
  note(fmt::format("item {}: {} begins", next.item, item.name));
  children_.emplace(next.item, std::move(child));
  return {};
}

void QueueProcess::stop_all() {
  for (auto& [number, child] : children_) child.stop();
  while (!children_.empty()) {
    if (auto writer = queue::QueueWriter::open(folder_); !writer || !write_ends(*writer)) return;
    if (!children_.empty()) std::this_thread::sleep_for(20ms);
  }
}

void add_queue_start(CLI::App& queue, Chosen& chosen) {
  auto* command = queue.add_subcommand(
      "start", "Train the items until none is left, in this process; queue add does it in the background");
  auto folder = std::make_shared<std::string>();
  add_queue_option(*command, *folder);
  command->callback([=, &chosen] {
    chosen = [folder] {
      const fs::path place = queue_folder_of(*folder);
      if (const Status made = make_folder(place, 0700); !made) return report(made.error());
      auto lock = FileLock::take(place / queue::daemon_lock);
      if (!lock && lock.error().code == Errc::in_use) {
        note("the queue's process runs already");
        return 0;
      }
      if (!lock) return report(lock.error());
      return QueueProcess(place, *std::move(lock), gpus_that_train()).run();
    };
  });
}

}  // namespace nw::cli
