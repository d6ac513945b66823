// SPDX-License-Identifier: Apache-2.0
// This computer: a process of its own, which the command's end does not end.
#include "engine/submit/job_script.hpp"
#include "engine/submit/target.hpp"

namespace nw::submit {
namespace {

Result<std::vector<WrittenFile>> files_here(const Job& job) {
  return std::vector<WrittenFile>{{"job.sh", "#!/bin/sh\n" + in_folder(job) + job_script(job, Signals::forward)}};
}

std::string control_here(const Job& job, const std::vector<std::string>& words) { return control_script(job, words); }

}  // namespace
}  // namespace nw::submit

namespace nw {

extern const submit::Target this_machine_target{.name = "here",
                                                .summary = text(NW_TR("This computer")),
                                                .host = submit::HostUse::none,
                                                .fields = {"gpus", "cpus", "ranks", "time-limit"},
                                                .needs = {"setsid", "timeout"},
                                                .files = submit::files_here,
                                                .submit = submit::start_process,
                                                .state = submit::state_of_process,
                                                .cancel = submit::cancel_process,
                                                .requeue = submit::start_process,
                                                .control = submit::control_here};

}  // namespace nw
