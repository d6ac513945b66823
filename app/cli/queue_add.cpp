// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>

#include "app/cli/queue_commands.hpp"
#include "engine/design/project_file.hpp"
#include "engine/runs/contained.hpp"

namespace nw::cli {
namespace {

struct AddOptions {
  std::string queue, device, name;
  std::int64_t priority = 0;
  bool hold = false, json = false;
};

/// A process in a session of its own, which the caller's end does not end. Between fork and exec: only what may be
/// called there.
[[noreturn]] void detach(char* const* words, int log) {
  if (::setsid() < 0 || ::fork() != 0) ::_exit(0);
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(log, 1);
  ::dup2(log, 2);
  ::execv(words[0], words);
  ::_exit(127);
}

Status write_item(const AddOptions& o, QueuedCommand queued, std::int64_t& number) {
  const fs::path folder = queue_folder_of(o.queue);
  NW_ASSIGN(queue::QueueWriter writer, queue::QueueWriter::open(folder));
  queue::Item& item = queued.item;
  number = item.number = writer.queue().next_number();
  item.priority = o.priority;
  if (!o.name.empty()) item.name = o.name;
  item.added = static_cast<double>(std::time(nullptr));
  if (queued.project) {
    const fs::path copy = folder / fmt::format("item-{:04}.netwright", number);
    NW_TRY(ProjectFile::save(*queued.project, copy));
    item.arguments.front() = copy.string();
  }
  return writer.write(queue::Added{item});
}

int add(const AddOptions& o, std::vector<std::string> words) {
  const bool json = std::erase(words, "--json") > 0 || o.json;  // nobody reads what the training itself prints
  auto queued = queued_command(words, o.device);
  if (!queued) return report(queued.error());
  std::int64_t number = 0;
  if (const Status written = write_item(o, *std::move(queued), number); !written) return report(written.error());
  print(json ? Json{{"type", "added"}, {"item", number}}.dump() : fmt::format("item {}", number));
  if (o.hold) return 0;
  const Status started = start_queue_process(queue_folder_of(o.queue));
  return started ? 0 : report(started.error());
}

}  // namespace

Status start_queue_process(const fs::path& folder) {
  if (FileLock::is_held(folder / queue::daemon_lock)) return {};
  std::error_code ignored;
  const std::string program = fs::read_symlink("/proc/self/exe", ignored).string(), place = folder.string();
  const char* words[] = {program.c_str(), "queue", "start", "--queue", place.c_str(), nullptr};
  NW_ASSIGN(const int log, append_inside(folder, "log.txt"));
  const pid_t pid = ::fork();
  if (pid == 0) detach(const_cast<char* const*>(words), log);
  ::close(log);
  if (pid < 0) return fail(Errc::other, NW_TR("{0} cannot be started: {1}"), program, std::strerror(errno));
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) continue;
  return {};
}

void add_queue_add(CLI::App& queue, Chosen& chosen) {
  auto* command = queue.add_subcommand("add", "Add a training: train, resume, branch or sweep with its options");
  auto o = std::make_shared<AddOptions>();
  add_queue_option(*command, o->queue);
  command->add_option("--device", o->device,
                      "Devices it needs: cpu, cuda:1, cuda:0,cuda:1, any (one that is free), any:2 (two free GPUs); "
                      "default: as the project has it");
  command->add_option("--priority", o->priority, "Items of a higher priority start earlier")
      ->check(CLI::Range(-queue::highest_priority, queue::highest_priority));
  command->add_option("--name", o->name, "A name for lists; default: the project's");
  command->add_flag("--hold", o->hold, "Do not start the queue's process, if it does not run");
  command->add_flag("--json", o->json, "Print one JSON object; also after the training's options");
  command->prefix_command();
  command->footer("Example:\n  netwright-cli queue add --device any train lenet5 --epochs 10");
  command->callback([=, &chosen] { chosen = [o, command] { return add(*o, command->remaining()); }; });
}

}  // namespace nw::cli
