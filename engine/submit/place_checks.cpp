// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/place_checks.hpp"

#include <chrono>

#include "engine/core/version.hpp"
#include "engine/submit/place.hpp"
#include "engine/submit/quoting.hpp"
#include "engine/submit/target.hpp"

namespace nw::submit {
namespace {

constexpr std::uint64_t room_for_run_bytes = std::uint64_t{512} << 20;  // checkpoints and tables
constexpr double report_every_s = 0.25;

Status commands_are_there(const Job& job) {
  std::string script;
  for (const std::string_view command : find_target(job.target)->needs)
    script += "command -v " + shell_word(command) + " >/dev/null || echo " + shell_word(command) + "\n";
  const Place place = Place::of_control(job);
  NW_ASSIGN(const std::string missing, place.ask(script));
  return missing.empty() ? Status{}
                         : fail(Errc::other, NW_TR("{0} is not installed on {1}"), last_line(missing), place.name());
}

/// Without "..": a folder that does not exist yet has none.
std::string data_place(const Job& job) {
  return job.data.starts_with('/') ? job.data : (fs::path(job.folder) / job.data).lexically_normal().string();
}

/// Whether the data are already where they are wanted.
bool are_not_copied(const Submission& s, const Job& job) {
  if (s.data.empty()) return true;
  return job.host.empty() && !find_target(job.target)->in_container && fs::path(job.data) == s.data;
}

Status are_there(const Job& job, const Place& place) {
  if (job.data.empty()) return {};
  NW_ASSIGN(const ProcessOutput found, place.run("[ -r " + shell_word(data_place(job)) + " ]"));
  return found.code == 0 ? Status{}
                         : fail(Errc::bad_input, NW_TR("{0} is not there on {1}"), data_place(job), place.name());
}

/// Tells how far the copy is, a few times a second, with the time that the rest takes at the speed so far.
class CopyReport {
 public:
  CopyReport(const Report& report, std::uint64_t all_bytes) : report_(report), all_(all_bytes) {}
  bool tell(std::uint64_t done) {
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    if (s < told_ + report_every_s && told_ >= 0) return true;
    if (told_ < 0) first_ = done;
    told_ = s;
    StepReport now{.step = Step::copy, .done_bytes = done, .all_bytes = all_};
    if (done > first_) now.seconds_left = s * static_cast<double>(all_ - done) / static_cast<double>(done - first_);
    report_(now);
    return true;
  }

 private:
  const Report& report_;
  std::uint64_t all_, first_ = 0;
  double told_ = -1;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

std::string_view name_of(Step step) {
  switch (step) {
    case Step::commands:
      return "commands";
    case Step::program:
      return "program";
    case Step::data:
      return "data";
    case Step::copy:
      return "copy";
    case Step::start:
      return "start";
  }
  return "";
}

Json to_json(const StepReport& r) {
  Json j{{"type", "step"}, {"step", name_of(r.step)}, {"done", r.done}};
  if (!r.sentence.empty()) j["sentence"] = {{"source", r.sentence.source}, {"args", r.sentence.args}};
  if (r.all_bytes > 0) j["done_bytes"] = r.done_bytes, j["all_bytes"] = r.all_bytes;
  if (r.seconds_left >= 0) j["seconds_left"] = r.seconds_left;
  return j;
}

Status check_commands(const Job& job, const Report& report) {
  report({.step = Step::commands});
  NW_TRY(commands_are_there(job));
  report({.step = Step::commands, .done = true});
  return {};
}

/// A file of another version may say what this one does not mean.
Status check_program(const Job& job, const Place& place) {
  NW_ASSIGN(const ProcessOutput said, place.run(shell_word(job.program) + " --version"));
  const std::string wanted = "netwright-cli " + version();
  if (said.code != 0)
    return fail(Errc::other, NW_TR("{0} cannot be run on {1}: {2}; --program names it where it is"), job.program,
                place.name(), last_line(said.err));
  if (last_line(said.out) == wanted) return {};
  return fail(Errc::bad_input, NW_TR("on {0} is {1}, here is {2}; install the same version there"), place.name(),
              last_line(said.out), wanted);
}

Result<FileSet> check_data(const Submission& s, const Job& job, const Place& place, const Report& report) {
  if (s.data.empty() && job.data.empty()) return FileSet{};
  report({.step = Step::data});
  FileSet missing;
  StepReport found{.step = Step::data, .done = true};
  if (are_not_copied(s, job)) {
    NW_TRY(are_there(job, place));
  } else {
    NW_ASSIGN(const FileSet set, file_set(s.data));
    NW_ASSIGN(missing, missing_files(place, set, data_place(job)));
    NW_ASSIGN(const std::uint64_t room, free_bytes(place, data_place(job)));
    if (room < missing.bytes() + room_for_run_bytes)
      return fail(Errc::disk,
                  NW_TR("on {0} are {1} MiB free; {2} MiB are needed for the data, and 512 MiB for the run"),
                  place.name(), room >> 20, missing.bytes() >> 20);
    found.sentence = text(NW_TR("data: {0} of {1} files are missing on {2}, {3} MiB"), missing.files.size(),
                          set.files.size(), place.name(), missing.bytes() >> 20);
    found.all_bytes = missing.bytes();
  }
  report(found);
  return missing;
}

Status copy_data(const Submission& s, const Job& job, const Place& place, const FileSet& missing,
                 const Report& report) {
  if (missing.files.empty()) return {};
  CopyReport progress(report, missing.bytes());
  NW_TRY(copy_files(place, s.data, missing, data_place(job), s.tries,
                    [&](std::uint64_t done, std::uint64_t) { return progress.tell(done); }));
  report({.step = Step::copy, .done = true, .done_bytes = missing.bytes(), .all_bytes = missing.bytes()});
  return {};
}

}  // namespace nw::submit
