// SPDX-License-Identifier: Apache-2.0
// The POSIX shell script that trains a job where it runs, shared by all targets.
#pragma once
#include <string>

#include "engine/submit/job.hpp"

namespace nw::submit {

/// How the system there ends a job, and what the script does then.
enum class Signals : std::uint8_t {
  forward,    // SIGTERM reaches the script alone, which passes it on: a process, a container
  container,  // the same; a training that was stopped by a command ends with 0, for the system starts failed ones again
  slurm       // SIGTERM reaches every process by itself; SIGUSR1, before the time limit, stops and requeues
};
/// Runs in the job's folder. Trains project.netwright into run/, or resumes the run that has a checkpoint there;
/// log.txt gets what is printed, `pid` the process with its start time, `exit` the exit code once it has ended.
std::string job_script(const Job&, Signals);
/// "cd FOLDER || exit": the start of every script.
std::string in_folder(const Job&);
/// netwright-cli control in the run's folder, with the socket where job_script() has it.
std::string control_script(const Job&, const std::vector<std::string>& words, const std::string& before = "");

// Of jobs that are processes of a computer: target.hpp says what each prints.
std::string start_process(const Job&);
std::string state_of_process(const Job&);
std::string cancel_process(const Job&);

inline constexpr std::int64_t default_limit_minutes = 7 * 24 * 60;

}  // namespace nw::submit
