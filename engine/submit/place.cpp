// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/place.hpp"

#include <algorithm>

#include "engine/submit/quoting.hpp"
#include "engine/submit/target.hpp"
#include "kernels/printable.hpp"

namespace nw::submit {

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  if (const std::size_t end = text.rfind('\n'); end != std::string_view::npos) text.remove_prefix(end + 1);
  return printable(text.substr(0, 400));
}

Place Place::of_control(const Job& job) {
  Place place;
  place.name_ = job.host.empty() ? "this computer" : job.host;
  if (job.host.empty()) return place;
  place.one_line_ = true;
  place.before_ = {"ssh",
                   "-o",
                   "BatchMode=yes",
                   "-o",
                   "ConnectTimeout=15",
                   "-o",
                   "ServerAliveInterval=5",
                   "-o",
                   "ServerAliveCountMax=3",
                   "-T"};
  if (!job.ssh_config.empty()) place.before_.insert(place.before_.end(), {"-F", job.ssh_config});
  place.before_.insert(place.before_.end(), {"--", job.host});
  return place;
}

Place Place::of_pod(const Job& job, const std::string& pod) {
  Place place;
  place.name_ = "the container of " + job.name;
  place.before_ = {"kubectl"};
  if (!job.resources.name_space.empty()) place.before_.push_back("--namespace=" + job.resources.name_space);
  place.before_.insert(place.before_.end(), {"exec", "--stdin", pod, "--"});
  return place;
}

Place Place::of_files(const Job& job) {
  if (!job.mounted.empty()) return of_control(Job());
  const Target* target = find_target(job.target);
  if (!target || !target->in_container) return of_control(job);
  return of_pod(job, job.resources.ranks > 1 ? "pod/" + job.name + "-worker-0" : "job/" + job.name);
}

std::string files_folder(const Job& job) { return job.mounted.empty() ? job.folder : job.mounted; }

std::string volume_pod(const Job& job) { return job.name + "-files"; }
Place Place::of_volume(const Job& job) { return of_pod(job, "pod/" + volume_pod(job)); }

std::string Place::name() const { return name_; }

std::vector<std::string> Place::command(const std::string& script) const {
  std::vector<std::string> words = before_;
  if (one_line_)
    words.push_back("exec sh -c " + shell_word(script));
  else
    words.insert(words.end(), {"sh", "-c", script});
  return words;
}

Result<ProcessOutput> Place::run(const std::string& script, std::string_view input, const ProcessLimits& limits) const {
  NW_ASSIGN(ProcessOutput done, run_process(command(script), input, limits));
  if (one_line_ && done.code == 255)
    return fail(Errc::no_response, NW_TR("{0} cannot be reached: {1}"), name_, last_line(done.err));
  return done;
}

Result<std::string> Place::ask(const std::string& script, std::string_view input, const ProcessLimits& limits) const {
  NW_ASSIGN(ProcessOutput done, run(script, input, limits));
  if (done.code == 0) return std::move(done.out);
  const std::string said = last_line(done.err.empty() ? done.out : done.err);
  return fail(Errc::other, NW_TR("on {0}: {1}"), name_, said.empty() ? fmt::format("exit code {}", done.code) : said);
}

}  // namespace nw::submit
