// SPDX-License-Identifier: Apache-2.0
// What must hold at a place before a job is submitted to it, and the copy of its data.
#pragma once
#include "engine/submit/job.hpp"
#include "engine/submit/place.hpp"
#include "engine/submit/report.hpp"
#include "engine/submit/submission.hpp"
#include "engine/submit/transfer.hpp"

namespace nw::submit {

/// The commands that the target needs where it is commanded from.
Status check_commands(const Job&, const Report&);
/// The program in this version. `place`: where the training will run, or a container of the same image.
Status check_program(const Job&, const Place& place);
/// The data there: which files of `s.data` are missing, and whether they and the run fit on the disk; without
/// `s.data` whether the data are there. `job`: s.job, its folder may be absolute by now.
Result<FileSet> check_data(const Submission& s, const Job& job, const Place& place, const Report&);
/// Copies what check_data() found to be missing.
Status copy_data(const Submission& s, const Job& job, const Place& place, const FileSet& missing, const Report&);

}  // namespace nw::submit
