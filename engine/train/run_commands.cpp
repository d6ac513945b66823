// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_commands.hpp"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <thread>

#include "engine/design/project_file.hpp"
#include "engine/train/knobs.hpp"
#include "engine/train/shared_commands.hpp"

namespace nw {
namespace {

using namespace std::chrono_literals;

/// Parses "0.001"; the text must contain nothing else.
std::optional<double> finite_number(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The limits are those of project files and of the command line.
Status within_limits(double learning_rate) {
  TrainSettings settings;
  settings.learning_rate = learning_rate;
  return check_limits(settings, DataChoice(), "The command");
}

}  // namespace

Status RunCommands::follow(bool between_steps) {
  take_learning_rate();
  wait_while_paused();
  if (report_.has_unwritten()) NW_TRY(mending_.retry([this] { return report_.flush(); }));
  bool checkpoint = between_steps && state_.control.take_checkpoint();
  int stopping = state_.control.stopping();
  if (state_.request.processes) NW_TRY(agree(between_steps, checkpoint, stopping));
  if (checkpoint)
    if (const Status saved = saver_.save_once_possible(false); !saved)
      report_.post(Health{HealthLevel::error, saved.error().what, state_.progress.step});
  if (stopping != 0) return fail(Errc::stopped, NW_TR("training was stopped"));
  return {};
}

// What is asked of a process meanwhile is agreed upon before the next step.
Status RunCommands::agree(bool between_steps, bool& checkpoint, int& stopping) {
  TrainControl& control = state_.control;
  SharedCommands here{stopping, control.signal(), checkpoint, requested_rate_, {}};
  if (between_steps && control.knobs_asked()) here.knobs = control.take_requested_settings();
  NW_ASSIGN(const SharedCommands all, share_commands(*state_.request.processes, here));
  checkpoint = all.checkpoint;
  stopping = all.stopping;
  if (stopping > control.stopping()) {
    if (all.signal != 0)
      control.stop_for_signal(all.signal);
    else
      control.stop(stopping == 2);
  }
  if (state_.request.processes->rank() > 0) control.set_learning_rate(all.learning_rate);
  take_learning_rate();
  state_.agreed_knobs.insert(state_.agreed_knobs.end(), all.knobs.begin(), all.knobs.end());
  return {};
}

bool RunCommands::is_due() const {
  const TrainControl& c = state_.control;
  return c.stopping() != 0 || c.paused() || c.checkpoint_asked() || c.knobs_asked() ||
         c.learning_rate() != requested_rate_ || report_.has_unwritten();
}

void RunCommands::take_learning_rate() {
  const double asked = state_.control.learning_rate();
  if (asked == requested_rate_) return;
  requested_rate_ = asked;
  Progress& progress = state_.progress;
  progress.learning_rate = asked;
  std::erase_if(state_.knobs_to_come, [](const Knob& k) { return k.name == rate_knob; });
  saver_.outdate();
  report_.post(Knob{rate_knob, asked < 0 ? state_.scheduled_rate() : asked, progress.step, asked < 0});
}

void RunCommands::wait_while_paused() {
  if (!state_.control.paused()) return;
  report_.recorder().set_training(false);
  report_.post(Paused{state_.progress.step});
  while (state_.control.paused() && state_.control.stopping() == 0) {
    std::this_thread::sleep_for(20ms);  // polls: a signal handler cannot notify
    take_learning_rate();
  }
  report_.post(Continued{state_.progress.step});
}

std::string RunCommands::answer(std::string_view line) {
  const std::string asked(line);
  if (asked == "pause")
    state_.control.pause();
  else if (asked == "continue")
    state_.control.unpause();
  else if (asked == "stop")
    state_.control.stop(false);
  else if (asked == "stop-now")
    state_.control.stop(true);
  else if (asked == "checkpoint")
    state_.control.checkpoint();
  else if (asked == "status")
    return status();
  else if (asked.starts_with("set ")) {
    return set(asked.substr(4));
  } else {
    return "error: " +
           text(NW_TR("a run understands pause, continue, stop, stop-now, checkpoint, status and set NAME VALUE"))
               .str();
  }
  return "ok";
}

/// "reason": what must be mended before the run goes on; null where it is not paused, or was paused by a command.
std::string RunCommands::status() const {
  const Text reason = state_.pause_reason.get();
  const Json all = {{"step", state_.step_done.load()},
                    {"epoch", state_.epoch_done.load()},
                    {"paused", state_.control.paused() || !reason.empty()},
                    {"reason", reason.empty() ? Json() : Json(reason.str())},
                    {"stopping", state_.control.stopping() != 0}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void RunCommands::allow_knobs(const GraphDoc& doc, const DataFacts& facts) {
  const std::scoped_lock lock(mutex_);
  doc_ = doc;
  facts_ = facts;
}

/// "NAME VALUE"; names of layers may contain blanks.
std::string RunCommands::set(const std::string& words) {
  const std::size_t blank = words.rfind(' ');
  const std::string name = words.substr(0, blank), word = blank == std::string::npos ? "" : words.substr(blank + 1);
  if (name == rate_knob || words.starts_with(std::string(rate_knob) + " "))
    return set_rate(words.substr(words.find(' ') + 1));
  const auto value = finite_number(word);
  if (!value) return "error: " + text(NW_TR("the value of a run-time setting must be a number")).str();
  const Status done = set_knob(name, *value);
  return done ? "ok" : "error: " + done.error().str();
}

std::string RunCommands::set_rate(const std::string& word) {
  const auto rate = finite_number(word);
  if (word == "scheduled") {
    state_.control.set_learning_rate(-1);
  } else if (!rate || *rate <= 0) {
    return "error: " + text(NW_TR("the learning rate must be a number above 0, or \"scheduled\"")).str();
  } else {
    if (const Status within = within_limits(*rate); !within) return "error: " + within.error().str();
    state_.control.set_learning_rate(*rate);
  }
  return "ok";
}

Status RunCommands::set_knob(const std::string& name, double value) {
  const std::scoped_lock lock(mutex_);
  if (!doc_) return fail(Errc::usage, NW_TR("the run does not train yet; its settings can be changed once it does"));
  NW_ASSIGN(GraphDoc changed, with_knob(*doc_, name, value));
  NW_TRY(can_be_trained(changed, facts_));
  doc_ = std::move(changed);
  state_.control.set_knob(name, value);
  return {};
}

}  // namespace nw
