// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/follow.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>

#include "engine/core/digest.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/submit/frames.hpp"
#include "engine/submit/job_script.hpp"
#include "engine/submit/place.hpp"
#include "engine/submit/quoting.hpp"
#include "engine/submit/submission.hpp"
#include "engine/submit/target.hpp"

namespace nw::submit {
namespace {

using FollowClock = std::chrono::steady_clock;
constexpr std::uint64_t largest_frame = std::uint64_t{8} << 20;
constexpr int no_folder_code = 72;
constexpr const char* lines_files[] = {events_file, statistics_file};

/// A line is sent once its newline is written: a resumed run cuts off a line without one.
constexpr const char* sender = R"sh(
tail_of() {
  got=0
  [ -f "run/$1" ] || return 0
  size=$(wc -c <"run/$1")
  if [ "$size" -lt "$2" ]; then
    printf 'restart 0 %s\0' "$1"
    got=-$2
    return 0
  fi
  [ "$size" -gt "$2" ] || return 0
  n=$(tail -c +$(($2 + 1)) "run/$1" | head -c 4194304 | wc -l)
  got=$(tail -c +$(($2 + 1)) "run/$1" | head -n "$n" | wc -c)
  [ "$got" -gt 0 ] || return 0
  printf 'lines %s %s\0' "$got" "$1"
  tail -c +$(($2 + 1)) "run/$1" | head -c "$got"
}
round=0
seen=
while :; do
  if [ $((round % 3)) -eq 0 ]; then state=$(job_state) || exit 1; fi
  round=$((round + 1))
  now=$(cksum <run/run.json 2>/dev/null)
  if [ -n "$now" ] && [ "$now" != "$seen" ]; then
    seen=$now
    size=$(wc -c <run/run.json)
    printf 'file %s run.json\0' "$size"
    head -c "$size" run/run.json
  fi
  tail_of events.jsonl "$events"
  events=$((events + got))
  more=$got
  tail_of statistics.jsonl "$statistics"
  statistics=$((statistics + got))
  printf 'state %s \0%s' "${#state}" "$state"
  case $state in ended*|lost) [ "$more" -ne 0 ] || exit 0 ;; esac
  sleep 1
done
)sh";

std::uint64_t size_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error ? 0 : size;
}

/// The receiving end of one connection.
class Mirror {
 public:
  Mirror(const fs::path& run, const Followed& followed) : run_(run), followed_(followed) {}
  JobStatus status;
  bool heard = false, enough = false;

  FrameReader::Receiver receiver() {
    return {[this](const FrameHead& head) { return begin(head); },
            [this](std::string_view piece) {
              bytes_ += piece;
              return Status{};
            },
            [this] { return end(); }};
  }

 private:
  Status begin(const FrameHead& head) {
    const bool known = head.kind == "state" || (head.kind == "file" && head.path == "run.json") ||
                       ((head.kind == "lines" || head.kind == "restart") &&
                        std::find(std::begin(lines_files), std::end(lines_files), head.path) != std::end(lines_files));
    if (!known || head.bytes > largest_frame)
      return fail(Errc::bad_input, NW_TR("what the other computer sends is not understood"));
    head_ = head;
    bytes_.clear();
    return {};
  }
  Status end() {
    heard = true;
    if (head_.kind == "file") return save_file(run_ / head_.path, bytes_, 0600, Links::replace);
    if (head_.kind == "restart") return save_file(run_ / head_.path, "", 0600, Links::replace);
    if (head_.kind == "lines") return append();
    status = status_from(bytes_);
    hold_lock();
    enough = !followed_(status);
    return enough ? fail(Errc::stopped, NW_TR("stopped following; the training goes on")) : Status{};
  }
  Status append() {
    NW_ASSIGN(LineFile file, LineFile::open(run_ / head_.path));
    std::string_view rest = bytes_;
    for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1))
      NW_TRY(file.append(rest.substr(0, end)));
    return {};
  }
  void hold_lock() {
    if (status.state != JobState::running) lock_.reset();
    if (status.state != JobState::running || lock_) return;
    if (auto taken = FileLock::take(run_ / "lock")) lock_ = *std::move(taken);
  }

  const fs::path& run_;
  const Followed& followed_;
  FrameHead head_;
  std::string bytes_;
  std::optional<FileLock> lock_;
};

/// Removes what a crash of this program left of a line, and returns the number of bytes that are here.
Result<std::uint64_t> whole_bytes(const fs::path& file) {
  NW_ASSIGN(const LineFile opened, LineFile::open(file));
  return size_of(file);
}

/// `state`: the script that prints the job's state.
Result<std::string> sender_for(const Job& job, const fs::path& run, const std::string& state) {
  NW_ASSIGN(const std::uint64_t events, whole_bytes(run / events_file));
  NW_ASSIGN(const std::uint64_t statistics, whole_bytes(run / statistics_file));
  return fmt::format("cd {} || exit {}\n", shell_word(files_folder(job)), no_folder_code) +
         fmt::format("events={}\nstatistics={}\njob_state() (\n{}\n)\n", events, statistics, state) + sender;
}

/// What prints the job's state beside its files. A mounted folder's job is asked for where it is commanded from.
std::string state_beside_files(const Job& job) {
  const Target& target = *find_target(job.target);
  if (!job.mounted.empty()) return shell_words(Place::of_control(job).command(target.state(job))) + " </dev/null";
  return target.in_container ? "echo running" : target.state(job);
}

bool is_over(const JobStatus& s) { return s.state == JobState::ended || s.state == JobState::lost; }

/// One connection, until it ends. Errc::no_response: it was cut, or the folder is not there.
Status follow_at(const Place& place, const Job& job, const std::string& script, Mirror& mirror) {
  FrameReader reader(mirror.receiver());
  Status broken;
  const ProcessLimits limits{.timeout_s = 7 * 24 * 3600.0, .silence_s = 60};
  NW_ASSIGN(const ProcessOutput done, follow_process(place.command(script), {}, limits, [&](std::string_view piece) {
              broken = reader.feed(piece);
              return static_cast<bool>(broken);
            }));
  NW_TRY(broken);
  if (is_over(mirror.status)) return {};
  if (done.code == no_folder_code)
    return fail(Errc::no_response, NW_TR("{0} is not there on {1}"), files_folder(job), place.name());
  const Place asked = job.mounted.empty() ? place : Place::of_control(job);
  return fail(Errc::no_response, NW_TR("the connection to {0} was cut: {1}"), asked.name(), last_line(done.err));
}

Status follow_once(const Job& job, const fs::path& run, Mirror& mirror) {
  NW_ASSIGN(const std::string script, sender_for(job, run, state_beside_files(job)));
  return follow_at(Place::of_files(job), job, script, mirror);
}

/// The lines that a container wrote last are on its volume.
Status follow_the_rest(const Job& job, const fs::path& record, const fs::path& run, Mirror& mirror) {
  std::optional<OpenVolume> volume;
  if (job.mounted.empty()) {
    NW_ASSIGN(OpenVolume opened, OpenVolume::open(job, record));
    volume.emplace(std::move(opened));
  }
  const std::string state = fmt::format("echo 'ended {}'", mirror.status.code);
  NW_ASSIGN(const std::string script, sender_for(job, run, state));
  return follow_at(volume ? Place::of_volume(job) : Place::of_files(job), job, script, mirror);
}

/// Of a container that is gone, the system says how it ended.
Status ask_the_system(const Job& job, const fs::path& record, Mirror& mirror) {
  if (!find_target(job.target)->in_container) return fail(Errc::no_response, "");
  NW_ASSIGN(mirror.status, state_of_job(job, record));
  mirror.heard = true;
  return {};
}

bool leaves_a_rest(const Job& job, const Mirror& mirror) {
  const Target& target = *find_target(job.target);
  return mirror.status.state == JobState::ended && target.in_container && (target.open_volume || !job.mounted.empty());
}

/// A job whose run lies in its record is not copied: only its state is asked for.
Result<JobStatus> follow_in_place(const Job& job, const fs::path& record, const Followed& followed) {
  for (;;) {
    NW_ASSIGN(const JobStatus status, state_of_job(job, record));
    if (!followed(status)) return fail(Errc::stopped, NW_TR("stopped following; the training goes on"));
    if (is_over(status)) return status;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

}  // namespace

bool is_in_record(const Job& job, const fs::path& record) { return job.host.empty() && fs::path(job.folder) == record; }

std::string_view name_of(JobState s) {
  switch (s) {
    case JobState::unknown:
      return "unknown";
    case JobState::waiting:
      return "waiting";
    case JobState::running:
      return "running";
    case JobState::ended:
      return "ended";
    case JobState::lost:
      return "lost";
  }
  return "";
}

JobStatus status_from(std::string_view line) {
  while (line.ends_with('\n')) line.remove_suffix(1);
  JobStatus status;
  if (line.starts_with("ended ")) {
    const std::string_view code = line.substr(6);
    const auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), status.code);
    if (error == std::errc() && end == code.data() + code.size() && status.code >= 0 && status.code < 256)
      status.state = JobState::ended;
    return status;
  }
  for (const JobState s : {JobState::waiting, JobState::running, JobState::lost})
    if (line == name_of(s)) status.state = s;
  return status;
}

Result<FileLock> lock_following(const fs::path& record) {
  auto lock = FileLock::take(record / "following");
  if (lock || lock.error().code != Errc::in_use) return lock;
  return fail(Errc::in_use, NW_TR("another process follows this job already"));
}

Result<JobStatus> follow_job(const Job& job, const fs::path& record, const fs::path& run, double patience_s,
                             const Followed& asked) {
  const Followed followed = [&](const JobStatus& status) {
    remember(record, status);
    return asked(status);
  };
  if (is_in_record(job, record)) return follow_in_place(job, record, followed);
  NW_ASSIGN(const FileLock lock, lock_following(record));
  NW_TRY(make_folder(run, 0700));
  Mirror mirror(run, followed);
  auto contact = FollowClock::now();
  for (int failures = 0;; ++failures) {
    mirror.heard = false;
    Status done = follow_once(job, run, mirror);
    if (mirror.enough || (!done && done.error().code != Errc::no_response)) return done.error();
    if (!done && !mirror.heard) (void)ask_the_system(job, record, mirror);
    if (leaves_a_rest(job, mirror)) (void)follow_the_rest(job, record, run, mirror);  // `jobs fetch` tries again
    remember(record, mirror.status);
    if (is_over(mirror.status)) return mirror.status;
    if (mirror.heard) contact = FollowClock::now(), failures = 0;
    if (std::chrono::duration<double>(FollowClock::now() - contact).count() > patience_s) return done.error();
    std::this_thread::sleep_for(std::chrono::seconds(std::min(30, 1 << std::min(failures, 5))));
    if (!followed(mirror.status)) return fail(Errc::stopped, NW_TR("stopped following; the training goes on"));
  }
}

}  // namespace nw::submit
