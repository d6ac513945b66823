// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/job.hpp"

#include "engine/submit/target.hpp"
#include "tests/fuzz/readers/readers.hpp"

/// A job.json: an accepted job reads back equal, and its files are written or refused with a sentence.
nw::fuzz::Outcome nw::fuzz::read_job(Bytes bytes) {
  const auto json = parse_json(as_text(bytes), "job.json");
  if (!json) return {};
  const auto job = submit::job_from_json(*json, "job.json");
  if (!job) return {};
  const Json written = to_json(*job);
  const auto again = submit::job_from_json(*parse_json(canonical(written), "again"), "again");
  if (!again) return {true, "a job that was read is refused as written: " + again.error().str()};
  if (to_json(*again) != written) return {true, "a job does not read back"};
  const submit::Target& target = *submit::find_target(job->target);
  const auto files = target.files(*job);
  if (!files) return {true, files.error().str().empty() ? "refused without a sentence" : ""};
  for (const submit::WrittenFile& f : *files)
    if (f.text.find('\0') != std::string::npos) return {true, f.name + " holds a byte 0"};
  return {true, {}};
}
