// SPDX-License-Identifier: Apache-2.0
// Slurm: a batch script for sbatch, on this computer or on a login node. Options are those of sbatch(1).
#include <fmt/format.h>

#include <algorithm>

#include "engine/submit/job_script.hpp"
#include "engine/submit/quoting.hpp"
#include "engine/submit/target.hpp"

namespace nw::submit {
namespace {

/// Seconds before the time limit at which Slurm asks for the checkpoint: two minutes, of a short limit a quarter.
std::int64_t warning_s(std::int64_t limit_minutes) { return std::min<std::int64_t>(120, limit_minutes * 60 / 4); }

/// A line "#SBATCH --name=value". Values are numbers or words that check() has let through: none ends the line.
std::string directive(const std::string& name, const std::string& value) {
  return "#SBATCH --" + name + (value.empty() ? "" : "=" + value) + "\n";
}
std::string directive(const std::string& name, std::int64_t value) {
  return value > 0 ? directive(name, std::to_string(value)) : "";
}

std::string memory_directive(const Resources& r) {
  if (r.memory_mib == 0) return "";
  if (r.ranks == 1) return directive("mem", fmt::format("{}M", r.memory_mib));
  const std::int64_t cpus = std::max<std::int64_t>(1, r.cpus);
  return directive("mem-per-cpu", fmt::format("{}M", (r.memory_mib + cpus - 1) / cpus));
}

std::string directives(const Job& job) {
  const Resources& r = job.resources;
  std::string s = directive("job-name", job.name) + directive("output", "slurm.txt") +
                  directive("open-mode", "append") + directive("requeue", "");
  const std::int64_t limit = r.time_limit_minutes;
  if (limit > 0) s += directive("time", limit) + directive("signal", fmt::format("B:USR1@{}", warning_s(limit)));
  s += directive("ntasks", r.ranks) + directive("cpus-per-task", r.cpus) + memory_directive(r);
  if (r.gpus > 0) s += directive("gpus-per-task", r.gpus);
  return r.partition.empty() ? s : s + directive("partition", r.partition);
}

Result<std::vector<WrittenFile>> files_for_slurm(const Job& job) {
  return std::vector<WrittenFile>{{"job.sbatch", "#!/bin/sh\n" + directives(job) + job_script(job, Signals::slurm)}};
}

std::string submit_to_slurm(const Job& job) {
  return in_folder(job) + "rm -f exit cancelled\nid=$(sbatch --parsable job.sbatch) && echo \"${id%%;*}\"\n";
}

/// Every job of the user is asked for: of one that is long gone, squeue would report an error like that of a controller
/// that does not answer.
std::string state_in_slurm(const Job& job) {
  return in_folder(job) + "id=" + shell_word(job.id) + R"sh(
jobs=$(squeue --noheader --user="$(id -un)" --format='%i %T') || { echo unknown; exit 0; }
state=$(printf '%s\n' "$jobs" | while read -r one its; do if [ "$one" = "$id" ]; then echo "$its"; fi; done)
if [ -s exit ]; then
  echo "ended $(cat exit)"
  exit 0
fi
case $state in
  RUNNING|COMPLETING) echo running ;;
  '') if [ -e cancelled ]; then echo "ended 143"; else echo lost; fi ;;
  *) echo waiting ;;
esac
)sh";
}

/// On the first node of the job, where its script and rank 0 run.
std::string control_in_slurm(const Job& job, const std::vector<std::string>& words) {
  return control_script(job, words,
                        "timeout 20 srun --jobid=" + shell_word(job.id) +
                            " --overlap --nodes=1 --ntasks=1 --relative=0 --immediate=10 --quiet ");
}

/// Asks for a checkpoint first: Slurm itself leaves a process 30 s.
std::string cancel_in_slurm(const Job& job) {
  return in_folder(job) + "touch cancelled\n(" + control_in_slurm(job, {"stop"}) + R"() >/dev/null 2>&1 &&
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -s exit ] && exit 0
    sleep 0.5
  done
scancel --quiet )" +
         shell_word(job.id) + "\n";
}

/// A job that Slurm has forgotten is submitted anew.
std::string requeue_in_slurm(const Job& job) {
  return in_folder(job) + "rm -f exit cancelled\nid=" + shell_word(job.id) + R"(
if scontrol requeue "$id" 2>/dev/null; then
  echo "$id"
else
  id=$(sbatch --parsable job.sbatch) && echo "${id%%;*}"
fi
)";
}

}  // namespace
}  // namespace nw::submit

namespace nw {

extern const submit::Target slurm_target{.name = "slurm",
                                         .summary = text(NW_TR("A Slurm cluster, by sbatch here or on a login node")),
                                         .host = submit::HostUse::optional,
                                         .fields = {"gpus", "cpus", "memory", "ranks", "time-limit", "partition"},
                                         .needs = {"sbatch", "squeue", "scancel", "scontrol", "srun"},
                                         .files = submit::files_for_slurm,
                                         .submit = submit::submit_to_slurm,
                                         .state = submit::state_in_slurm,
                                         .cancel = submit::cancel_in_slurm,
                                         .requeue = submit::requeue_in_slurm,
                                         .control = submit::control_in_slurm};

}  // namespace nw
