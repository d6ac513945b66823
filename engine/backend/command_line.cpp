// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/command_line.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "engine/core/files.hpp"

extern char** environ;

namespace nw {
namespace {

constexpr std::chrono::seconds patience(20);  // limits how long a hung driver delays the list in the window

bool more_to_read(int from, std::chrono::steady_clock::time_point until) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
  pollfd waiting{from, POLLIN, 0};
  return left > 0 && ::poll(&waiting, 1, static_cast<int>(left)) > 0;
}

// Reads up to the end of the output, or until the timeout.
std::string read_all(int from) {
  const auto until = std::chrono::steady_clock::now() + patience;
  std::string output;
  char part[4096];
  for (ssize_t got;
       output.size() < (1u << 20) && more_to_read(from, until) && (got = ::read(from, part, sizeof part)) > 0;)
    output.append(part, static_cast<std::size_t>(got));
  return output;
}

// The standard output of the program; empty if it cannot be started.
std::string output_of(const fs::path& program, const std::vector<std::string>& arguments) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), program.string());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  pid_t child = -1;
  const bool started = ::posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string output = started ? read_all(ends[0]) : "";
  ::close(ends[0]);
  if (started) {
    ::kill(child, SIGKILL);  // its output is complete, or it hangs
    ::waitpid(child, nullptr, 0);
  }
  return output;
}

}  // namespace

std::vector<Json> lines_of_command_line(const std::vector<std::string>& arguments) {
  std::vector<Json> lines;
  const std::string output = output_of(program_folder() / "netwright-cli", arguments);
  for (std::size_t begin = 0, end; (end = output.find('\n', begin)) != std::string::npos; begin = end + 1)
    if (auto line = parse_json(output.substr(begin, end - begin), arguments.front())) lines.push_back(*std::move(line));
  return lines;
}

}  // namespace nw
