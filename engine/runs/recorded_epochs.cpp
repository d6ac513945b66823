// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/contained.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {

constexpr std::uint64_t bytes_limit_of_events = std::uint64_t{256} << 20;

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
  const auto bytes = read_inside(run, events_file, bytes_limit_of_events);
  if (!bytes) return epochs;
  for (std::size_t begin = 0, end; (end = bytes->find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line(bytes->data() + begin, end - begin);
    if (is_wanted(line)) take(epochs, line);
  }
  return epochs;
}

}  // namespace nw
