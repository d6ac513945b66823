// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/pause.hpp"

namespace nw {

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
  EventTail tail(run);
  PauseReader reader;
  for (bool more = true; more;) {
    std::vector<Event> events;
    const auto read = tail.poll(events);
    if (!read) return std::nullopt;
    more = *read;
    for (const Event& e : events) reader.take(e);
  }
  return reader.pause();
}

}  // namespace nw
