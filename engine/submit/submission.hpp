// SPDX-License-Identifier: Apache-2.0
// Submitting a job and what is known of it here: a folder with job.json, what was written for the system there, the
// project, and run/, into which the run is followed and fetched.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/submit/follow.hpp"
#include "engine/submit/job.hpp"
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
/// What is said meanwhile: one sentence each.
using Say = std::function<void(const Text&)>;
/// Checks the program's version there, the free disk and the data, copies what is missing, writes the record and starts
/// the job. The same call again after an error goes on with the copy. Returns the job with its id and absolute folder.
Result<Job> submit(const Submission&, const Say&);

Result<JobStatus> state_of_job(const Job&, const fs::path& record);
/// Ends the job, with a checkpoint if it trains.
Status cancel_job(const Job&, const fs::path& record);
/// Starts it again: it goes on from its last checkpoint.
Result<Job> requeue_job(Job, const fs::path& record);
/// netwright-cli control there; returns its answer.
Result<std::string> control_job(const Job&, const fs::path& record, const std::vector<std::string>& words);

}  // namespace nw::submit
