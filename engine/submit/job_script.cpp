// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/job_script.hpp"

#include <fmt/format.h>

#include "engine/submit/quoting.hpp"

namespace nw::submit {
namespace {

/// Of several ranks each takes the GPU of its number on its host.
std::string devices_of(std::int64_t gpus, std::int64_t ranks) {
  if (ranks > 1) return "cuda";
  std::string names;
  for (std::int64_t i = 0; i < gpus; ++i) names += fmt::format("{}cuda:{}", i ? "," : "", i);
  return names;
}

std::vector<std::string> train_words(const Job& job) {
  std::vector<std::string> words = {"train", "project.netwright", "--run-dir", "run", "--quiet"};
  if (!job.data.empty()) words.insert(words.end(), {"--data", job.data});
  if (job.resources.gpus > 0)
    words.insert(words.end(), {"--device", devices_of(job.resources.gpus, job.resources.ranks)});
  if (job.resources.cpus > 0) words.insert(words.end(), {"--threads", std::to_string(job.resources.cpus)});
  words.insert(words.end(), job.train_options.begin(), job.train_options.end());
  return words;
}

/// What asks for a last checkpoint. mpirun does not hand SIGTERM on: it waits, kills its processes, and waits again.
std::string stop_signal(const Job& job) { return job.resources.ranks > 1 ? "USR1" : "TERM"; }

/// What stands before the program. After a process has ended with an error code mpirun sends the others SIGTERM and
/// SIGKILL, and waits as many seconds before each of them: those that were stopped have all ended by then.
std::string before_program(const Job& job, Signals signals) {
  std::string words;
  if (job.resources.time_limit_minutes > 0 && signals != Signals::slurm)
    words = fmt::format("timeout --preserve-status --signal={} --kill-after=120 {}m ", stop_signal(job),
                        job.resources.time_limit_minutes);
  if (job.resources.ranks > 1)
    words += fmt::format("mpirun -n {} --bind-to none --oversubscribe --mca odls_base_sigkill_timeout 3 ",
                         job.resources.ranks);
  return words;
}

constexpr const char* wait_for_end = R"(code=0
while :; do  # a signal ends "wait", not the training
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
)";

// A second SIGTERM would end the training without its checkpoint.
std::string forwarding(const Job& job) {
  return fmt::format("stopped=\nstop() {{ [ -n \"$stopped\" ] || kill -{} \"$child\"; stopped=1; }}\n",
                     stop_signal(job));
}

constexpr const char* requeueing = R"(if [ -n "$again" ] && [ "$code" -ne 0 ] && [ -s run/latest ]; then
  scontrol requeue "$SLURM_JOB_ID" && exit "$code"
fi
)";

}  // namespace

std::string in_folder(const Job& job) { return "cd " + shell_word(job.folder) + " || exit 72\n"; }

std::string job_script(const Job& job, Signals signals) {
  std::string s = "umask 077\nunset XDG_RUNTIME_DIR\nrm -f exit\n";
  s += "echo \"$$ $(cut -d ' ' -f 22 /proc/$$/stat)\" >pid.new && mv pid.new pid\n";
  s += "if [ -s run/latest ]; then\n  set -- resume run --quiet\nelse\n  rm -rf run\n  set -- " +
       shell_words(train_words(job)) + "\nfi\n";
  s += before_program(job, signals) + shell_word(job.program) + " \"$@\" >>log.txt 2>&1 </dev/null &\nchild=$!\n";
  s += forwarding(job);
  s += signals == Signals::slurm ? "again=\ntrap : TERM INT\ntrap 'again=1; stop' USR1\n" : "trap stop TERM INT HUP\n";
  s += wait_for_end;
  if (signals == Signals::slurm) s += requeueing;
  s += "echo \"$code\" >exit.new && mv exit.new exit\n";
  if (signals == Signals::container) s += fmt::format("[ \"$code\" -ne {} ] || code=0\n", exit_code(Errc::stopped));
  return s + "exit \"$code\"\n";
}

std::string control_script(const Job& job, const std::vector<std::string>& words, const std::string& before) {
  return in_folder(job) + "unset XDG_RUNTIME_DIR\n" + before + shell_word(job.program) + " control run " +
         shell_words(words) + "\n";
}

std::string start_process(const Job& job) {
  return in_folder(job) + R"(rm -f pid exit
setsid sh ./job.sh >>log.txt 2>&1 </dev/null &
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  [ -s pid ] && { cut -d ' ' -f 1 pid; exit 0; }
  sleep 0.5
done
echo "the job has not begun within 10 s" >&2
exit 1
)";
}

std::string state_of_process(const Job& job) {
  return in_folder(job) + R"sh(if [ -s exit ]; then
  echo "ended $(cat exit)"
elif [ -s pid ] && read -r process start <pid &&
  [ "$(awk '$3 != "Z" { print $22 }' "/proc/$process/stat" 2>/dev/null)" = "$start" ]; then
  echo running
elif [ -s exit ]; then
  echo "ended $(cat exit)"
elif [ -s pid ]; then
  echo lost
else
  echo waiting
fi
)sh";
}

std::string cancel_process(const Job& job) {
  return in_folder(job) + R"([ -s exit ] && exit 0
[ -s pid ] && read -r process start <pid && kill -TERM "$process" 2>/dev/null || exit 0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  [ -s exit ] && exit 0
  sleep 0.5
done
)";
}

}  // namespace nw::submit
