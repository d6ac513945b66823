// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/submission.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "engine/core/version.hpp"
#include "engine/runs/contained.hpp"
#include "engine/submit/place.hpp"
#include "engine/submit/quoting.hpp"
#include "engine/submit/transfer.hpp"
#include "kernels/printable.hpp"

namespace nw::submit {
namespace {

constexpr const char* record_file = "job.json";
constexpr std::uint64_t room_for_run_bytes = std::uint64_t{512} << 20;  // checkpoints and tables

/// Scripts of a system that is commanded from here are run in the record.
std::string at_record(const Job& job, const fs::path& record, const std::string& script) {
  return find_target(job.target)->in_container ? "cd " + shell_word(record.string()) + " || exit 72\n" + script
                                               : script;
}

Result<std::string> ask_control(const Job& job, const fs::path& record, const std::string& script,
                                double timeout_s = 180) {
  ProcessLimits limits;
  limits.timeout_s = timeout_s;
  return Place::of_control(job).ask(at_record(job, record, script), {}, limits);
}

Status check_commands(const Job& job) {
  std::string script;
  for (const std::string_view command : find_target(job.target)->needs)
    script += "command -v " + shell_word(command) + " >/dev/null || echo " + shell_word(command) + "\n";
  const Place place = Place::of_control(job);
  NW_ASSIGN(const std::string missing, place.ask(script));
  return missing.empty() ? Status{}
                         : fail(Errc::other, NW_TR("{0} is not installed on {1}"), last_line(missing), place.name());
}

/// A file of another version may say what this one does not mean.
Status check_program(const Job& job) {
  const Place place = Place::of_control(job);
  NW_ASSIGN(const ProcessOutput said, place.run(shell_word(job.program) + " --version"));
  const std::string wanted = "netwright-cli " + version();
  if (said.code != 0)
    return fail(Errc::other, NW_TR("{0} cannot be run on {1}: {2}; --program names it where it is"), job.program,
                place.name(), last_line(said.err));
  if (last_line(said.out) == wanted) return {};
  return fail(Errc::bad_input, NW_TR("on {0} is {1}, here is {2}; install the same version there"), place.name(),
              last_line(said.out), wanted);
}

/// The job with the absolute path of its folder, which is made.
Result<Job> with_folder(Job job) {
  NW_ASSIGN(std::string at, Place::of_control(job).ask("mkdir -p -- " + shell_word(job.folder) + "\n" + "cd -- " +
                                                       shell_word(job.folder) + " && pwd"));
  if (at.ends_with('\n')) at.pop_back();
  if (!at.starts_with('/')) return fail(Errc::bad_input, NW_TR("what the other computer sends is not understood"));
  job.folder = at;
  NW_TRY(check(job));
  return job;
}

std::string data_place(const Job& job) { return job.data.starts_with('/') ? job.data : job.folder + "/" + job.data; }

Status copy_data(const Submission& s, const Job& job, const Say& say) {
  const Place place = Place::of_control(job);
  if (s.data.empty()) {
    if (job.data.empty()) return {};
    NW_ASSIGN(const ProcessOutput found, place.run("[ -r " + shell_word(data_place(job)) + " ]"));
    return found.code == 0 ? Status{}
                           : fail(Errc::bad_input, NW_TR("{0} is not there on {1}"), data_place(job), place.name());
  }
  if (job.host.empty() && fs::path(job.data) == s.data) return {};
  NW_ASSIGN(const FileSet set, file_set(s.data));
  NW_ASSIGN(const FileSet missing, missing_files(place, set, data_place(job)));
  NW_ASSIGN(const std::uint64_t room, free_bytes(place, data_place(job)));
  if (room < missing.bytes() + room_for_run_bytes)
    return fail(Errc::disk, NW_TR("on {0} are {1} MiB free; {2} MiB are needed for the data, and 512 MiB for the run"),
                place.name(), room >> 20, missing.bytes() >> 20);
  say(text(NW_TR("data: {0} of {1} files are missing on {2}, {3} MiB"), missing.files.size(), set.files.size(),
           place.name(), missing.bytes() >> 20));
  return copy_files(place, s.data, missing, data_place(job), s.tries, {});
}

Status write_file_there(const Place& place, const std::string& path, const std::string& bytes) {
  const std::string part = shell_word(path + ".part");
  return place.run("cat >" + part + " && mv -- " + part + " " + shell_word(path), bytes).operator bool()
             ? Status{}
             : fail(Errc::no_response, NW_TR("{0} cannot be written on {1}"), path, place.name());
}

Status copy_job(const Job& job, const fs::path& record, const std::vector<WrittenFile>& files) {
  if (find_target(job.target)->in_container) return {};
  const Place place = Place::of_control(job);
  NW_ASSIGN(const std::string project, read_file(record / "project.netwright", std::uint64_t{64} << 20));
  if (fs::path(job.folder) != record) NW_TRY(write_file_there(place, job.folder + "/project.netwright", project));
  for (const WrittenFile& f : files) NW_TRY(write_file_there(place, job.folder + "/" + f.name, f.text));
  return {};
}

Status save_job(const Job& job, const fs::path& record) {
  return save_file(record / record_file, canonical(to_json(job)), 0600);
}

/// The id is what the system printed last; a stranger's text, so it is checked before it is a word of a command.
Result<Job> with_id(Job job, const std::string& said) {
  job.id = last_line(said);
  if (job.id.empty()) return fail(Errc::other, NW_TR("{0} gave the job no number"), job.target);
  if (const Status sound = check(job); !sound) return Error{Errc::bad_input, sound.error().what};
  return job;
}

Status check_place(const Job& job) {
  NW_TRY(check_commands(job));
  return find_target(job.target)->in_container ? Status{} : check_program(job);
}

}  // namespace

fs::path jobs_folder() {
  const char* named = std::getenv("NETWRIGHT_JOBS");
  return named && *named ? fs::path(named) : data_folder() / "jobs";
}

fs::path record_of(const std::string& name) {
  std::error_code ignored;
  const fs::path below = jobs_folder() / name;
  const bool is_name = is_system_name(name) && fs::exists(below / record_file, ignored);
  return is_name ? below : fs::absolute(name, ignored);
}

Result<Job> load_job(const fs::path& record) {
  const std::string where = (record / record_file).string();
  auto bytes = read_inside(record, record_file, std::uint64_t{1} << 20);
  if (!bytes) return fail(Errc::bad_input, NW_TR("{0} is no job; netwright-cli jobs list names them"), record.string());
  NW_ASSIGN(const Json json, parse_json(*bytes, where));
  return job_from_json(json, where);
}

std::vector<Job> list_jobs(const fs::path& jobs) {
  std::error_code error;
  std::vector<Job> all;
  for (const auto& entry : fs::directory_iterator(jobs, error))
    if (auto job = load_job(entry.path())) all.push_back(*std::move(job));
  std::sort(all.begin(), all.end(), [](const Job& a, const Job& b) { return a.name < b.name; });
  return all;
}

std::string free_name(const std::string& wanted) {
  const std::string base = system_name(wanted).substr(0, longest_name - 6);
  std::error_code ignored;
  for (int n = 1; n < 10000; ++n)
    if (const std::string name = system_name(fmt::format("{}-{}", base, n)); !fs::exists(jobs_folder() / name, ignored))
      return name;
  return base;
}

Result<std::vector<WrittenFile>> written_files(const Job& job) {
  NW_TRY(check(job));
  return find_target(job.target)->files(job);
}

Result<Job> submit(const Submission& s, const Say& say) {
  NW_TRY(check(s.job));
  const fs::path record = jobs_folder() / s.job.name;
  NW_TRY(check_place(s.job));
  NW_TRY(make_folder(record, 0700));
  NW_ASSIGN(const std::string project, read_file(s.project, std::uint64_t{64} << 20));
  NW_TRY(save_file(record / "project.netwright", project, 0600));
  Job job = s.job;
  if (!find_target(job.target)->in_container) { NW_ASSIGN(job, with_folder(job)); }
  NW_ASSIGN(const std::vector<WrittenFile> files, written_files(job));
  for (const WrittenFile& f : files) NW_TRY(save_file(record / f.name, f.text, 0600));
  if (!find_target(job.target)->in_container) NW_TRY(copy_data(s, job, say));
  NW_TRY(copy_job(job, record, files));
  NW_ASSIGN(const std::string said, ask_control(job, record, find_target(job.target)->submit(job)));
  NW_ASSIGN(job, with_id(job, said));
  NW_TRY(save_job(job, record));
  return job;
}

Result<JobStatus> state_of_job(const Job& job, const fs::path& record) {
  NW_ASSIGN(const std::string said, ask_control(job, record, find_target(job.target)->state(job)));
  return status_from(said);
}

Status cancel_job(const Job& job, const fs::path& record) {
  const auto said = ask_control(job, record, find_target(job.target)->cancel(job));
  return said ? Status{} : said.error();
}

Result<Job> requeue_job(Job job, const fs::path& record) {
  NW_ASSIGN(const std::string said, ask_control(job, record, find_target(job.target)->requeue(job), 300));
  NW_ASSIGN(job, with_id(job, said));
  NW_TRY(save_job(job, record));
  return job;
}

Result<std::string> control_job(const Job& job, const fs::path& record, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (printable(word) != word) return fail(Errc::usage, NW_TR("{0} is no word of a command"), printable(word));
  NW_ASSIGN(const std::string said, ask_control(job, record, find_target(job.target)->control(job, words)));
  return last_line(said);
}

}  // namespace nw::submit
