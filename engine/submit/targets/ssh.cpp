// SPDX-License-Identifier: Apache-2.0
// Another computer by way of ssh: a process there, which the end of the connection does not end.
#include "engine/submit/job_script.hpp"
#include "engine/submit/target.hpp"

namespace nw::submit {
namespace {

Result<std::vector<WrittenFile>> files_for_host(const Job& job) {
  return std::vector<WrittenFile>{{"job.sh", "#!/bin/sh\n" + job_script(job, Signals::forward)}};
}

std::string control_on_host(const Job& job, const std::vector<std::string>& words) {
  return control_script(job, words);
}

}  // namespace
}  // namespace nw::submit

namespace nw {

extern const submit::Target ssh_target{.name = "ssh",
                                       .summary = text(NW_TR("Another computer, by way of ssh")),
                                       .host = submit::HostUse::required,
                                       .fields = {"gpus", "cpus", "ranks", "time-limit"},
                                       .needs = {"setsid", "timeout"},
                                       .files = submit::files_for_host,
                                       .submit = submit::start_process,
                                       .state = submit::state_of_process,
                                       .cancel = submit::cancel_process,
                                       .requeue = submit::start_process,
                                       .control = submit::control_on_host};

}  // namespace nw
