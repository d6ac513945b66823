// SPDX-License-Identifier: Apache-2.0
// The run folder of a job, as it grows at its place, in a folder of this computer, which is then read like any run's.
#pragma once
#include <functional>
#include <string>

#include "engine/core/files.hpp"
#include "engine/submit/job.hpp"

namespace nw::submit {

enum class JobState : std::uint8_t { unknown, waiting, running, ended, lost };
std::string_view name_of(JobState);
struct JobStatus {
  JobState state = JobState::unknown;
  int code = 0;  // exit code of the training, once it has ended
};
/// The one line that a target's script prints.
JobStatus status_from(std::string_view line);

/// Whether the run lies in the record itself: a job of this computer, which is not copied.
bool is_in_record(const Job&, const fs::path& record);

/// Called after each message from the place (at least every few seconds); false: stop following (Errc::stopped).
using Followed = std::function<bool(const JobStatus&)>;

/// Copies run.json, events.jsonl and statistics.jsonl into `run` while they grow, whole lines only, until the job has
/// ended. `run`/lock is held while the training runs, so that other readers see a live run. A connection that is cut,
/// or says nothing for a minute, is made again, after 1, 2, 4, … at most 30 seconds; the files go on where they were.
/// Errc::no_response: no connection for `patience_s`. Errc::in_use: another process follows the job.
Result<JobStatus> follow_job(const Job&, const fs::path& record, const fs::path& run, double patience_s,
                             const Followed&);

/// Held while a job is followed: one process appends to its files. Errc::in_use: another one does.
Result<FileLock> lock_following(const fs::path& record);

/// Copies the rest of the run folder (checkpoints, tables): plain files whose digests differ; of a job that is followed
/// at the same time, without the files that follow_job() writes. Errc::no_response after `tries` cuts in a row.
Status fetch_run(const Job&, const fs::path& record, const fs::path& run, int tries);

}  // namespace nw::submit
