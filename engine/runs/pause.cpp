// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/pause.hpp"

#include <algorithm>

#include "engine/runs/contained.hpp"

namespace nw {
namespace {

constexpr std::size_t longest_pause_line = std::size_t{1} << 20;
/// Of the events that matter; the many others are not parsed.
constexpr std::string_view pause_types[] = {R"("type":"health")", R"("type":"paused")", R"("type":"continued")",
                                            R"("type":"resumed")", R"("type":"ended")"};

}  // namespace

void PauseReader::take(const Event& e) {
  if (const auto* health = std::get_if<Health>(&e.what)) {
    if (health->level == HealthLevel::error) error_ = *health;
  } else if (const auto* paused = std::get_if<Paused>(&e.what)) {
    const bool by_itself = error_ && error_->step == paused->step;
    pause_ = Pause{paused->step, by_itself ? error_->message : Text()};
    error_.reset();
  } else if (std::holds_alternative<Continued>(e.what) || std::holds_alternative<Resumed>(e.what) ||
             std::holds_alternative<Ended>(e.what)) {
    pause_.reset();
    error_.reset();
  }
}

std::optional<Pause> pause_of(const fs::path& run) {
  if (!is_running(run)) return std::nullopt;
  PauseReader reader;
  const auto take = [&](std::string_view line) {
    const auto is = [&](std::string_view type) { return line.find(type) != std::string_view::npos; };
    if (std::none_of(std::begin(pause_types), std::end(pause_types), is)) return;
    if (auto event = parse_event(line)) reader.take(*event);
  };
  if (!each_line_inside(run, events_file, longest_pause_line, take)) return std::nullopt;
  return reader.pause();
}

}  // namespace nw
