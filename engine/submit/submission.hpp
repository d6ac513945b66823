// SPDX-License-Identifier: Apache-2.0
// Submitting a job and what is known of it here: a folder with job.json, what was written for the system there, the
// project, and run/, into which the run is followed and fetched.
#pragma once
#include <string>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/submit/follow.hpp"
#include "engine/submit/job.hpp"
#include "engine/submit/report.hpp"
#include "engine/submit/target.hpp"

namespace nw::submit {

fs::path jobs_folder();  // $NETWRIGHT_JOBS or data_folder()/jobs
/// The folder of a job: a name below jobs_folder(), or a folder.
fs::path record_of(const std::string& name_or_folder);
Result<Job> load_job(const fs::path& record);
/// The jobs of a folder, by name; damaged ones are left out.
std::vector<Job> list_jobs(const fs::path& jobs);
/// `wanted`, or with the first number behind it of which there is no job here yet.
std::string free_name(const std::string& wanted);

/// What is given to submit().
struct Submission {
  Job job;           // its folder may be relative to the home folder there
  fs::path project;  // file of this computer
  fs::path data;     // data set of this computer; empty: none is copied
  int tries = 8;     // connections in a row that may be cut without any progress
};
/// The job's files, as they would be written; nothing is run.
Result<std::vector<WrittenFile>> written_files(const Job&);
/// The folder and the data there, where nobody named them: below the home folder of a host, on a container's volume, on
/// this computer in the record and where the data are. `data`: those of Submission.
void complete(Job&, const fs::path& data);
/// Checks the commands, the program's version and the data there, and the free disk; copies and starts nothing, but a
/// container that is asked.
Status check_only(const Submission&, const Report&);
/// Checks the same, copies what is missing, writes the record and starts the job. The same call again after an error
/// goes on with the copy. Returns the job with its id and absolute folder.
Result<Job> submit(const Submission&, const Report&);

/// Asks the place, and remembers the answer.
Result<JobStatus> state_of_job(const Job&, const fs::path& record);
/// What was last known of the job, in a file of its record; JobState::unknown: nothing yet.
void remember(const fs::path& record, const JobStatus&);
JobStatus remembered(const fs::path& record);
/// Removes the record with what was copied into it; a job of this computer has its run there. Errc::in_use: the job is
/// not known to have ended.
Status forget_job(const fs::path& record);
/// The volume of a job whose containers have ended or are not yet there, for as long as this object lives.
class OpenVolume {
 public:
  static Result<OpenVolume> open(const Job&, const fs::path& record);
  OpenVolume(OpenVolume&&) noexcept;
  OpenVolume& operator=(OpenVolume&&) = delete;
  ~OpenVolume();

 private:
  OpenVolume(Job job, fs::path record) : job_(std::move(job)), record_(std::move(record)) {}
  Job job_;  // without a target: nothing is open
  fs::path record_;
};

/// Ends the job, with a checkpoint if it trains.
Status cancel_job(const Job&, const fs::path& record);
/// Starts it again: it goes on from its last checkpoint.
Result<Job> requeue_job(Job, const fs::path& record);
/// netwright-cli control there; returns its answer.
Result<std::string> control_job(const Job&, const fs::path& record, const std::vector<std::string>& words);

}  // namespace nw::submit
