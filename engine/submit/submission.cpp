// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/submission.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/runs/contained.hpp"
#include "engine/submit/place.hpp"
#include "engine/submit/place_checks.hpp"
#include "engine/submit/quoting.hpp"
#include "engine/submit/transfer.hpp"
#include "kernels/printable.hpp"

namespace nw::submit {
namespace {

constexpr const char* record_file = "job.json";
constexpr const char* status_file = "status";

/// Scripts of a system that is commanded from here are run in the record.
std::string at_record(const Job& job, const fs::path& record, const std::string& script) {
  return find_target(job.target)->in_container && !record.empty()
             ? "cd " + shell_word(record.string()) + " || exit 72\n" + script
             : script;
}

Result<std::string> ask_control(const Job& job, const fs::path& record, const std::string& script,
                                double timeout_s = 180) {
  ProcessLimits limits;
  limits.timeout_s = timeout_s;
  return Place::of_control(job).ask(at_record(job, record, script), {}, limits);
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

/// A second training in the same folder would write over the first.
Status check_free(const Job& job, const fs::path& record) {
  NW_ASSIGN(const std::string said, ask_control(job, record, find_target(job.target)->state(job)));
  if (status_from(said).state != JobState::running) return {};
  return fail(Errc::in_use, NW_TR("a training runs in {0} already"), job.folder);
}

/// Where data of this computer are put, if nobody names a place.
std::string data_there(const Job& job, const fs::path& data) {
  const Target* target = find_target(job.target);
  const std::string name = system_name(data.filename().string());
  if (target && target->in_container) return "/data/" + name;
  return job.host.empty() ? data.string() : "../data/" + name;
}

/// Where the program runs and the data lie; of containers, one that is there while this object lives.
struct CheckedPlace {
  std::optional<OpenVolume> volume;
  Place place;
};

Result<CheckedPlace> open_checked_place(const Job& job) {
  if (!find_target(job.target)->open_volume) return CheckedPlace{std::nullopt, Place::of_control(job)};
  NW_ASSIGN(OpenVolume volume, OpenVolume::open(job, {}));
  return CheckedPlace{std::move(volume), Place::of_volume(job)};
}

/// The commands here, then the program at the place, which stays open for the data.
Result<CheckedPlace> check_place(const Job& job, const Report& report) {
  NW_TRY(check_commands(job, report));
  report({.step = Step::program});
  NW_ASSIGN(CheckedPlace checked, open_checked_place(job));
  NW_TRY(check_program(job, checked.place));
  report({.step = Step::program, .done = true});
  return checked;
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

void complete(Job& job, const fs::path& data) {
  const Target* target = find_target(job.target);
  if (job.folder.empty())
    job.folder = target && target->in_container ? "/data/netwright/" + job.name
                 : job.host.empty()             ? (jobs_folder() / job.name).string()
                                                : "netwright/" + job.name;
  if (job.data.empty() && !data.empty()) job.data = data_there(job, data);
}

Status check_only(const Submission& s, const Report& report) {
  NW_TRY(check(s.job));
  NW_ASSIGN(const CheckedPlace there, check_place(s.job, report));
  const auto missing = check_data(s, s.job, there.place, report);
  return missing ? Status{} : missing.error();
}

Result<Job> submit(const Submission& s, const Report& report) {
  NW_TRY(check(s.job));
  const fs::path record = jobs_folder() / s.job.name;
  NW_ASSIGN(CheckedPlace there, check_place(s.job, report));
  NW_TRY(make_folder(record, 0700));
  NW_ASSIGN(const std::string project, read_file(s.project, std::uint64_t{64} << 20));
  NW_TRY(save_file(record / "project.netwright", project, 0600));
  Job job = s.job;
  if (!find_target(job.target)->in_container) { NW_ASSIGN(job, with_folder(job)); }
  NW_ASSIGN(const std::vector<WrittenFile> files, written_files(job));
  for (const WrittenFile& f : files) NW_TRY(save_file(record / f.name, f.text, 0600));
  NW_ASSIGN(const FileSet missing, check_data(s, job, there.place, report));
  NW_TRY(copy_data(s, job, there.place, missing, report));
  there.volume.reset();
  report({.step = Step::start});
  NW_TRY(check_free(job, record));
  NW_TRY(copy_job(job, record, files));
  NW_ASSIGN(const std::string said, ask_control(job, record, find_target(job.target)->submit(job)));
  NW_ASSIGN(job, with_id(job, said));
  NW_TRY(save_job(job, record));
  report({.step = Step::start, .done = true});
  return job;
}

Result<JobStatus> state_of_job(const Job& job, const fs::path& record) {
  NW_ASSIGN(const std::string said, ask_control(job, record, find_target(job.target)->state(job)));
  const JobStatus status = status_from(said);
  remember(record, status);
  return status;
}

void remember(const fs::path& record, const JobStatus& status) {
  if (status.state == JobState::unknown) return;
  const bool ended = status.state == JobState::ended;
  const std::string line = ended ? fmt::format("ended {}\n", status.code) : std::string(name_of(status.state)) + "\n";
  const auto before = read_inside(record, status_file, 64);
  if (!before || *before != line) (void)save_file(record / status_file, line, 0600);  // known again at the next look
}

JobStatus remembered(const fs::path& record) {
  const auto line = read_inside(record, status_file, 64);
  return line ? status_from(*line) : JobStatus{};
}

Status forget_job(const fs::path& record) {
  const JobState state = remembered(record).state;
  if (state != JobState::ended && state != JobState::lost)
    return fail(Errc::in_use, NW_TR("this job has not ended; netwright-cli jobs cancel ends it"));
  std::error_code error;
  fs::remove_all(record, error);
  return error ? fail(Errc::disk, NW_TR("{0} cannot be removed: {1}"), record.string(), error.message()) : Status{};
}

Result<OpenVolume> OpenVolume::open(const Job& job, const fs::path& record) {
  OpenVolume volume(job, record);  // what was begun is removed, also where it does not come to run
  NW_TRY(ask_control(job, record, find_target(job.target)->open_volume(job), 400));
  return volume;
}

OpenVolume::OpenVolume(OpenVolume&& other) noexcept
    : job_(std::exchange(other.job_, Job())), record_(std::move(other.record_)) {}

// It ends by itself after an hour, as it does where there is no memory to ask for it.
OpenVolume::~OpenVolume() {
  try {
    if (const Target* target = find_target(job_.target)) (void)ask_control(job_, record_, target->close_volume(job_));
  } catch (const std::bad_alloc&) {}
}

Status cancel_job(const Job& job, const fs::path& record) {
  const auto said = ask_control(job, record, find_target(job.target)->cancel(job));
  return said ? Status{} : said.error();
}

Result<Job> requeue_job(Job job, const fs::path& record) {
  NW_ASSIGN(const std::string said, ask_control(job, record, find_target(job.target)->requeue(job), 300));
  NW_ASSIGN(job, with_id(job, said));
  NW_TRY(save_job(job, record));
  remember(record, {JobState::waiting});
  return job;
}

Result<std::string> control_job(const Job& job, const fs::path& record, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (printable(word) != word) return fail(Errc::usage, NW_TR("{0} is no word of a command"), printable(word));
  NW_ASSIGN(const std::string said, ask_control(job, record, find_target(job.target)->control(job, words)));
  return last_line(said);
}

}  // namespace nw::submit
