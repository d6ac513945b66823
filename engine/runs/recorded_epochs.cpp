// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/contained.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {

constexpr std::size_t longest_epoch_line = std::size_t{1} << 20;

/// Most lines are step records, which are not parsed.
bool is_wanted(std::string_view line) {
  return line.find("\"type\":\"epoch\"") != line.npos || line.find("\"type\":\"resumed\"") != line.npos;
}

void take(std::vector<EpochEnd>& epochs, std::string_view line) {
  const auto event = parse_event(line);
  if (!event) return;
  if (const auto* epoch = std::get_if<EpochEnd>(&event->what)) epochs.push_back(*epoch);
  if (const auto* resumed = std::get_if<Resumed>(&event->what))
    std::erase_if(epochs, [&](const EpochEnd& e) { return e.step > resumed->from_step; });
}

}  // namespace

std::vector<EpochEnd> recorded_epochs(const fs::path& run) {
  std::vector<EpochEnd> epochs;
  const Status read = each_line_inside(run, events_file, longest_epoch_line, [&](std::string_view line) {
    if (is_wanted(line)) take(epochs, line);
  });
  if (!read) epochs.clear();
  return epochs;
}

}  // namespace nw
