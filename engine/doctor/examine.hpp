// SPDX-License-Identifier: Apache-2.0
// The training doctor: reads a run's folder and lists what is wrong with the training.
#pragma once
#include "engine/doctor/diagnosis.hpp"

namespace nw::doctor {

/// All findings, in the order of the diagnoses, without those that another one explains.
std::vector<Finding> examine(const Record&);

/// Reads a run, which is untrusted input and may still be running; the data stay unmeasured. Errc::bad_input: no run.
Result<Record> read_record(const fs::path& run);

/// Opens the run's data and compares every validation image with all training images by a hash of their pixels.
/// nullopt: there is no validation split. Errors: those of the data.
Result<std::optional<DataFigures>> measure_data(const fs::path& run);
/// Adds them to the record.
void take_figures(Record&, const DataFigures&);

/// The command that makes a branch with the recommended setting from the newest checkpoint; empty: there is no setting,
/// or no checkpoint.
std::string command_for(const Finding&, const Record&, const fs::path& run);

}  // namespace nw::doctor
