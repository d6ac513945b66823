// SPDX-License-Identifier: Apache-2.0
// A run folder of a place, file by file in one stream. The sender's archives are not unpacked: every path is checked,
// and every file is written by AtomicFile.
#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <system_error>
#include <thread>

#include "engine/core/digest.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/submit/follow.hpp"
#include "engine/submit/frames.hpp"
#include "engine/submit/job_script.hpp"
#include "engine/submit/place.hpp"
#include "engine/submit/quoting.hpp"
#include "engine/submit/submission.hpp"

namespace nw::submit {
namespace {

constexpr std::size_t most_run_files = 100000;

/// Digests by path, of the plain files of the run folder there.
Result<std::map<std::string, std::string>> files_of_run(const Place& place, const std::string& at) {
  const ProcessLimits limits{.timeout_s = 3600, .silence_s = 0, .out_bytes = std::size_t{64} << 20};
  // a file that goes while it is read, as checkpoints do, is none
  NW_ASSIGN(const std::string list, place.ask("cd -- " + shell_word(at) +
                                                  " && { find . -type f ! -name lock ! -name '.*.saving-*' -print0 | "
                                                  "xargs -0 -r sha256sum -z -- 2>/dev/null || :; }",
                                              {}, limits));
  std::map<std::string, std::string> files;
  for (std::string_view rest = list; !rest.empty() && files.size() < most_run_files;) {
    const std::string_view line = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.size() <= 68 || line.substr(66, 2) != "./" || !is_inside(line.substr(68)))
      return fail(Errc::bad_input, NW_TR("what the other computer sends is not understood"));
    files.emplace(line.substr(68), line.substr(0, 64));
  }
  return files;
}

/// Writes each file of the stream, whole or not at all. Only files that were asked for are taken.
class Receiving {
 public:
  Receiving(const fs::path& run, const std::map<std::string, std::string>& wanted) : run_(run), wanted_(wanted) {}
  FrameReader::Receiver receiver() {
    return {[this](const FrameHead& head) { return begin(head); },
            [this](std::string_view piece) { return file_->write(std::as_bytes(std::span(piece))); },
            [this] {
              ++files;
              return std::exchange(file_, std::nullopt)->commit();
            }};
  }
  std::size_t files = 0;

 private:
  Status begin(const FrameHead& head) {
    if (!wanted_.contains(head.path))
      return fail(Errc::bad_input, NW_TR("what the other computer sends is not understood"));
    NW_TRY(make_folder((run_ / head.path).parent_path(), 0700));
    NW_ASSIGN(AtomicFile file, AtomicFile::create(run_ / head.path, 0600, Links::replace));
    file_.emplace(std::move(file));
    return {};
  }
  const fs::path& run_;
  const std::map<std::string, std::string>& wanted_;
  std::optional<AtomicFile> file_;
};

bool is_here(const fs::path& file, const std::string& sha256) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(file, error))) return false;
  const auto digests = digests_of_file(file);
  return digests && digests->sha256 == sha256;
}

/// Errc::no_response: the stream was cut; what came whole stays.
Status fetch_once(const Place& place, const std::string& at, const fs::path& run, bool followed, std::size_t& came) {
  NW_ASSIGN(auto wanted, files_of_run(place, at));
  if (followed)
    for (const char* name : {"run.json", events_file, statistics_file}) wanted.erase(name);
  std::erase_if(wanted, [&](const auto& f) { return is_here(run / f.first, f.second); });
  if (wanted.empty()) return {};
  std::string list;
  for (const auto& [path, digest] : wanted) list.append("./" + path).push_back('\0');
  Receiving receiving(run, wanted);
  FrameReader reader(receiving.receiver());
  // each file is opened once: one of its name that comes later has another length
  const std::string script = "cd -- " + shell_word(at) + R"sh( && exec xargs -0 -r sh -c 'for f do
  [ -f "$f" ] || continue
  { s=$(stat -L -c %s /dev/fd/3) && printf "file %s %s\0" "$s" "${f#./}" && head -c "$s" <&3; } 3<"$f" || :
done' sh)sh";
  Status broken;
  NW_ASSIGN(const ProcessOutput done,
            follow_process(place.command(script), list, {.timeout_s = 24 * 3600.0, .silence_s = 60},
                           [&](std::string_view piece) {
                             broken = reader.feed(piece);
                             return static_cast<bool>(broken);
                           }));
  came = receiving.files;
  NW_TRY(broken);
  return done.code == 0 ? Status{} : fail(Errc::no_response, NW_TR("the copy was cut: {0}"), last_line(done.err));
}

/// Nothing is executed in a container that has ended.
Status open_ended(const Job& job, const fs::path& record, std::optional<OpenVolume>& volume) {
  if (!find_target(job.target)->open_volume || !job.mounted.empty()) return {};
  NW_ASSIGN(const JobStatus status, state_of_job(job, record));
  if (status.state != JobState::ended && status.state != JobState::lost) return {};
  NW_ASSIGN(OpenVolume opened, OpenVolume::open(job, record));
  volume.emplace(std::move(opened));
  return {};
}

}  // namespace

Status fetch_run(const Job& job, const fs::path& record, const fs::path& run, int tries) {
  std::error_code error;
  if (!job.mounted.empty() && !fs::is_directory(job.mounted, error))
    return fail(Errc::bad_input, NW_TR("{0} is not there on {1}"), job.mounted, Place::of_files(job).name());
  NW_TRY(make_folder(run, 0700));
  const auto lock = lock_following(record);
  if (!lock && lock.error().code != Errc::in_use) return lock.error();
  std::optional<OpenVolume> volume;
  NW_TRY(open_ended(job, record, volume));
  const Place place = volume ? Place::of_volume(job) : Place::of_files(job);
  const std::string at = files_folder(job) + "/run";
  for (int failures = 0;;) {
    std::size_t came = 0;
    const Status done = fetch_once(place, at, run, !lock, came);
    if (done || done.error().code == Errc::bad_input || done.error().code == Errc::disk) return done;
    if (came > 0) failures = 0;
    if (++failures > tries) return done;
    std::this_thread::sleep_for(std::chrono::seconds(std::min(30, 1 << std::min(failures, 5))));
  }
}

}  // namespace nw::submit
