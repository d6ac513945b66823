// SPDX-License-Identifier: Apache-2.0
// The subcommands of `netwright-cli runs`, each in a file of its own, and what they share.
#pragma once
#include <string>
#include <vector>

#include "app/cli/cli.hpp"
#include "engine/runs/index/run_index.hpp"
#include "engine/runs/index/run_query.hpp"

namespace nw::cli {

void add_runs_list(CLI::App& runs, Chosen&);
void add_runs_show(CLI::App& runs, Chosen&);
void add_runs_compare(CLI::App& runs, Chosen&);
void add_runs_layers(CLI::App& runs, Chosen&);
void add_runs_export(CLI::App& runs, Chosen&);
void add_runs_report(CLI::App& runs, Chosen&);
void add_runs_gc(CLI::App& runs, Chosen&);

/// Which runs a command is about, and the options that say so.
struct RunChoice {
  std::string folder;  // empty: the user's folder of runs
  std::string where;   // a condition (engine/runs/index/run_query.hpp)

  void add_to(CLI::App& command);
  /// Newest first. Errc::bad_input: no such folder, or the condition is none.
  Result<std::vector<RunRecord>> runs() const;
};

/// A run of which the user named the folder. Errc::bad_input: it is none, or its run.json cannot be read.
Result<RunRecord> record_in(const std::string& folder);

/// "FIELD" or "FIELD:asc", "FIELD:desc". Without a direction the best value comes first, of dates the newest, and else
/// the lowest; unknown values always come last. Errc::usage, Errc::bad_input: no such direction, no such field.
Status sort_runs(std::vector<RunRecord>& runs, const std::string& by);

/// A value as people read it: "98.93 %", "2 min 5 s", "2026-11-26 00:28", "61 706"; empty if it is unknown.
std::string value_text(const RunRecord& run, std::string_view field);
/// A value as programs read it: numbers unrounded, fractions 0…1, null if it is unknown.
Json value_json(const RunRecord& run, std::string_view field);

}  // namespace nw::cli
