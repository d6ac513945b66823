// SPDX-License-Identifier: Apache-2.0
// A study that pauses: its trials wait where they are, in memory, and go on with the same numbers.
#include <csignal>

#include "app/cli/study_process.hpp"
#include "engine/search/study_control.hpp"

namespace nw::cli {
namespace {

volatile std::sig_atomic_t pause_wanted = 0;
extern "C" void take_pause(int signal) { pause_wanted = signal == search::pause_signal; }

constexpr double answer_s = 0.5;  // a trial that is starting does not answer yet

}  // namespace

void StudyProcess::listen_for_pauses() {
  pause_wanted = 0;
  std::signal(search::pause_signal, take_pause);
  std::signal(search::continue_signal, take_pause);
}

/// Writes what was asked for and tells each trial once; one that does not answer yet is told the next time.
Status StudyProcess::hold(const std::map<std::int64_t, LiveTrial*>& live) {
  const auto now = Clock::now();
  if (study().held()) held_ += now - looked_;
  looked_ = now;
  const bool wanted = pause_wanted != 0;
  if (wanted != study().held()) NW_TRY(write(search::Held{wanted, unix_now()}));
  for (const auto& [number, trial] : live)
    if (waiting_.contains(number) != wanted && control_run(trial->run(), wanted ? "pause" : "continue", answer_s))
      wanted ? void(waiting_.insert(number)) : void(waiting_.erase(number));
  std::erase_if(waiting_, [&](std::int64_t number) { return !live.contains(number); });
  return {};
}

}  // namespace nw::cli
