// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/runs_commands.hpp"
#include "engine/runs/reclaim.hpp"

namespace nw::cli {
namespace {

struct GcOptions {
  RunChoice choice;
  bool old_checkpoints = false, yes = false, json = false;
};

std::string_view what_is(Reclaimable::Kind kind) {
  switch (kind) {
    case Reclaimable::Kind::never_began:
      return "no run began";
    case Reclaimable::Kind::incomplete_checkpoint:
      return "incomplete checkpoint";
    case Reclaimable::Kind::old_checkpoint:
      return "checkpoint";
  }
  return "";
}

std::string place_of(const Reclaimable& r) {
  return r.checkpoint.empty() ? r.run.string() : (r.run / "checkpoints" / r.checkpoint).string();
}

void show(const Reclaimable& r, const GcOptions& o) {
  if (o.json)
    print(Json{{"type", "reclaimable"}, {"what", what_is(r.kind)}, {"path", place_of(r)}, {"bytes", r.bytes}}.dump(
        -1, ' ', false, Json::error_handler_t::replace));
  else
    print(
        fmt::format("{:<22} {:>10}  {}", what_is(r.kind), bytes_text(static_cast<std::int64_t>(r.bytes)), place_of(r)));
}

/// Removes what was found; a run that has been started meanwhile is left alone. Returns the exit code.
int remove_all(const std::vector<Reclaimable>& found) {
  int code = 0;
  std::uint64_t bytes = 0;
  for (const Reclaimable& r : found) {
    if (const Status removed = reclaim(r); !removed)
      code = report(removed.error());
    else
      bytes += r.bytes;
  }
  note(fmt::format("{} removed", bytes_text(static_cast<std::int64_t>(bytes))));
  return code;
}

int collect(const GcOptions& o) {
  const auto runs = o.choice.runs();
  if (!runs) return report(runs.error());
  std::vector<fs::path> folders;
  for (const RunRecord& r : *runs) folders.push_back(r.summary.folder);
  const auto found = find_reclaimable(folders, o.old_checkpoints);
  std::uint64_t bytes = 0;
  for (const Reclaimable& r : found) {
    show(r, o);
    bytes += r.bytes;
  }
  if (found.empty()) note("Nothing to remove.");
  if (found.empty() || !o.yes) {
    if (!found.empty())
      note(fmt::format("{} can be removed; with --yes they are", bytes_text(static_cast<std::int64_t>(bytes))));
    return 0;
  }
  return remove_all(found);
}

}  // namespace

void add_runs_gc(CLI::App& runs, Chosen& chosen) {
  auto* command = runs.add_subcommand(
      "gc", "Show, and with --yes remove, what no run needs: folders in which no run began, incomplete checkpoints");
  auto o = std::make_shared<GcOptions>();
  o->choice.add_to(*command);
  command->add_flag("--checkpoints", o->old_checkpoints,
                    "Also all checkpoints but the best and the latest of each run");
  command->add_flag("--yes", o->yes, "Remove them; without it they are only shown");
  command->add_flag("--json", o->json, "Print JSON lines");
  command->footer("Example: netwright-cli runs gc --checkpoints");
  command->callback([=, &chosen] { chosen = [o] { return collect(*o); }; });
}

}  // namespace nw::cli
