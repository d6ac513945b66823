// SPDX-License-Identifier: Apache-2.0
// What the user writes about a run: notes.json in its folder. It is the only file of a run that another process than
// the run's own writes; run.json stays as it is. Untrusted input like the rest of the folder.
#pragma once
#include <string>
#include <vector>

#include "engine/core/files.hpp"

namespace nw {

struct RunNotes {
  std::string name;   // shown instead of the folder's; empty: the folder's
  std::string notes;  // lines of plain text
  std::vector<std::string> tags;
  bool operator==(const RunNotes&) const = default;
};

/// Limits in bytes of UTF-8, and of the number of tags.
inline constexpr std::size_t run_name_limit = 200, run_notes_limit = 16'384, run_tag_limit = 64, run_tags_limit = 32;
inline constexpr const char* notes_file = "notes.json";

/// Errc::bad_input: too long, not UTF-8, a control character (in `notes` lines and tabs are allowed), or a tag that is
/// empty, given twice or holds a comma.
Status check_run_notes(const RunNotes&);
/// Empty for a run without the file.
Result<RunNotes> read_run_notes(const fs::path& run);
/// Replaces the file, or leaves it unchanged and returns the reason.
Status save_run_notes(const fs::path& run, const RunNotes&);

}  // namespace nw
