// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a run that was made smaller: compression.json beside it names the run before, the plan, and what was
// measured. The file may come from anywhere: what is not understood is left out. Reads and writes files: not for the
// GUI thread.
#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "engine/core/files.hpp"
#include "ui/deploy/compress/step_kind.hpp"

namespace nw::ui {

inline constexpr const char* compression_file = "compression.json";
inline constexpr const char* sensitivity_file = "sensitivity.json";
/// The tag of runs that nobody decided to keep yet.
inline constexpr const char* draft_tag = "draft";

struct CompressionRecord {
  QString run;               // its folder
  QString parent, original;  // names of folders beside it; empty: it is the original
  QString kind;              // StepKind::id; empty: the original
  CompressPlan plan;
  qint64 multiplyAdds = 0, parameters = 0;
  Json result = Json::object();  // of `changed-predictions`: the original beside this run
  bool draft = false;            // by its tag
};

/// nullopt: there is no such file.
std::optional<CompressionRecord> readCompression(const fs::path& run);
Status saveCompression(const CompressionRecord& record);
/// From the original to this run. A run without a record is an original. At most 64 steps.
std::vector<CompressionRecord> chainOf(const fs::path& run);
/// All runs beside the original that were made of it, the original too if it was measured.
std::vector<CompressionRecord> attemptsFrom(const fs::path& original);

/// Adds or removes the tag of drafts; `name`: given to the run when it is kept, if not empty.
Status markDraft(const fs::path& run);
Status keepRun(const fs::path& run, const QString& name);
/// Removes the folder of a run that is a draft by its tag; any other is left alone.
void removeDraft(const fs::path& run);

/// What `sensitivity` printed about these weights by this criterion; null: nothing is stored.
Json readSensitivity(const fs::path& run, const QString& checkpoint, const QString& criterion);
Status saveSensitivity(const fs::path& run, const QString& checkpoint, const QString& criterion, const Json& measured);

}  // namespace nw::ui
