// SPDX-License-Identifier: Apache-2.0
// The journal of a study: journal.jsonl in its folder, one record a line, appended by one process at a time, which
// holds the folder's lock. A line counts once its newline is written. Schema 1: {"schema":1,"type":"trial",…}.
#pragma once
#include "engine/core/files.hpp"
#include "engine/search/study.hpp"

namespace nw::search {

inline constexpr const char* journal_file = "journal.jsonl";
// Of what the study was begun with, in its folder: the project with the options of the command line, and the space.
inline constexpr const char *project_copy = "project.netwright", *space_copy = "space.json";

/// "accuracy:max"; the direction may be left out where the metric's own is meant.
Result<Objective> objective_from_text(std::string_view text);
std::string to_text(const Objective&);

/// A record as a line, without newline. `space`: the study's; a study's first record does not need it.
std::string record_line(const Record&, const Space& space);
/// nullopt: a record of a type that a newer version writes. Errc::bad_input: a malformed one.
Result<std::optional<Record>> record_from_line(std::string_view line, const Space& space);

/// The study that the whole lines of a journal add up to; a last line without newline is left out. Errc::bad_input:
/// the number of the line that cannot be, and why.
Result<Study> study_from_text(std::string_view text, std::string_view where);
/// Errc::bad_input: the folder holds no study, or one that cannot be read. Untrusted: no links are followed.
Result<Study> read_study(const fs::path& folder);
/// Whether the folder holds a journal.
bool holds_study(const fs::path& folder);

/// The one writer of a study's folder.
class Journal {
 public:
  /// Takes the folder's lock and reads its journal; makes a folder (mode 0700) with an empty one. Errc::in_use: another
  /// process writes it.
  static Result<Journal> open(const fs::path& folder);
  const Study& study() const { return study_; }
  /// Updates study(), appends the record and syncs the file. Errc::bad_input: nothing changes. Errc::disk: the record
  /// may be lost; the study is to be opened anew.
  Status write(const Record&);
  const fs::path& folder() const { return folder_; }

 private:
  Journal(fs::path folder, FileLock lock, LineFile lines, Study study)
      : folder_(std::move(folder)), lock_(std::move(lock)), lines_(std::move(lines)), study_(std::move(study)) {}
  fs::path folder_;
  FileLock lock_;
  LineFile lines_;
  Study study_;
};

}  // namespace nw::search
