// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/began.hpp"

#include <set>
#include <system_error>
#include <vector>

#include "engine/runs/contained.hpp"
#include "engine/runs/events.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {

bool is_progress(const Event& e) {
  if (const auto* ended = std::get_if<Ended>(&e.what)) return ended->reason == EndReason::finished || ended->step > 0;
  return std::holds_alternative<Steps>(e.what) || std::holds_alternative<EpochEnd>(e.what);
}

}  // namespace

bool run_began(const fs::path& run) {
  if (!list_checkpoints(run).empty()) return true;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(run / "events.jsonl", ignored))) return false;
  constexpr std::size_t longest_line = std::size_t{1} << 20, longest_unbegun = std::size_t{16} << 20;
  const auto bytes = size_inside(run, "events.jsonl");
  if (!bytes || *bytes > longest_unbegun) return true;
  bool began = false;
  const Status read = each_line_inside(run, "events.jsonl", longest_line, [&](std::string_view line) {
    const auto event = parse_event(line);
    began = began || (event && is_progress(*event));
  });
  return began || !read;
}

bool is_run_file(const std::string& name) {
  static const std::set<std::string> names = {"run.json",    "lock",        "log.txt",     "events.jsonl",
                                              "metrics.csv", "metrics.bin", "probes.bin",  "statistics.jsonl",
                                              "latest",      "best",        "profile.json"};
  return names.contains(name) || name.starts_with("events.out.tfevents.");
}

void remove_unbegun(const fs::path& run) {
  std::error_code error;
  std::vector<fs::path> old;
  for (fs::directory_iterator it(run, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (is_run_file(name) && name != "lock" && name != "log.txt") old.push_back(it->path());
  }
  for (const fs::path& file : old) fs::remove(file, error);
}

Text stopped_before_training() { return text(NW_TR("Stopped before training began")); }

}  // namespace nw
