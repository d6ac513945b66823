// SPDX-License-Identifier: Apache-2.0
// netwright-cli as a child of a command that manages trainings: a study, a queue.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "engine/core/files.hpp"

namespace nw::cli {

/// A child that is sent SIGTERM when this process ends, and no signal of the terminal, because this process stops it.
class ChildProcess {
 public:
  ChildProcess() = default;  // none
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  ~ChildProcess();  // a child that still runs is sent SIGTERM and waited for

  /// Starts this program with the arguments, in the working folder (empty: this process's own). `log`: an open file for
  /// what the child prints; it is closed here.
  Status start(const std::vector<std::string>& arguments, int log, const fs::path& folder = {});
  bool is_running() const { return pid_ > 0; }
  /// Whether the child has ended; then is_running() is false and status() known.
  bool ended();
  /// Asks the child to stop with a checkpoint; once.
  void stop();
  bool was_stopped() const { return stopped_; }
  /// After ended(): what waitpid() reported; 0: there was no child.
  int status() const { return status_; }

 private:
  pid_t pid_ = -1;
  bool stopped_ = false;
  int status_ = 0;
};

/// A process that was ended from outside: by a signal, or by one that made it save a checkpoint.
bool was_killed(int status);
/// "its process ended with code 3"
std::string ending_of(int status);
/// The last error in a log in the folder, without what follows it (advice); without one, the last line.
std::string last_error(const fs::path& folder, const std::string& log);

}  // namespace nw::cli
