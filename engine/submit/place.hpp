// SPDX-License-Identifier: Apache-2.0
// Where a job's folder lies: on this computer, on a host by way of ssh, or in a container by way of kubectl. What is
// run there is a POSIX shell script; what comes back is text of a stranger.
#pragma once
#include <string>
#include <vector>

#include "engine/submit/job.hpp"
#include "engine/submit/process.hpp"

namespace nw::submit {

class Place {
 public:
  /// Where the job is submitted, watched and ended from.
  static Place of_control(const Job&);
  /// Where the files of its run are: the same, but for a container, and this computer where its folder is mounted.
  static Place of_files(const Job&);
  /// The container that Target::open_volume() makes.
  static Place of_volume(const Job&);

  /// The words that run `script` there, with this process's stdin and stdout. Every wait of ssh is bounded: 15 s to
  /// connect, 15 s without an answer.
  std::vector<std::string> command(const std::string& script) const;
  /// Runs it there. An exit code of ssh's own (255) is Errc::no_response, with what ssh said.
  Result<ProcessOutput> run(const std::string& script, std::string_view input = {}, const ProcessLimits& = {}) const;
  /// The same; any other exit code than 0 is an error with the last line that was printed.
  Result<std::string> ask(const std::string& script, std::string_view input = {}, const ProcessLimits& = {}) const;
  /// "this computer", or the host.
  std::string name() const;

 private:
  static Place of_pod(const Job&, const std::string& pod);
  std::vector<std::string> before_;  // words before "exec sh -c SCRIPT"; empty: this computer
  std::string name_;
  bool one_line_ = false;  // ssh: the words are one line for the login shell there
};

/// The job's folder at Place::of_files().
std::string files_folder(const Job&);

/// The name of the container that Target::open_volume() makes.
std::string volume_pod(const Job&);

/// The last line of a text of a stranger, for a sentence.
std::string last_line(std::string_view text);

}  // namespace nw::submit
