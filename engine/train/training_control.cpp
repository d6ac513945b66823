// SPDX-License-Identifier: Apache-2.0
// What others ask of a run while it goes on, and how it stops: pause, knobs, checkpoints, a full disk, the end.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "engine/train/training.hpp"

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

/// "0.001" -> 0.001; nothing else before or behind it.
std::optional<double> positive_number(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

}  // namespace

// Asked before every step of every phase. A checkpoint is taken between training steps only: an evaluation belongs to
// its epoch.
bool Training::go_on(bool between_steps) {
  take_knobs();
  wait_while_paused();
  if (between_steps && control_.take_checkpoint())
    if (const Status saved = save_and_wait_for_room(false); !saved)
      post(Health{"error", saved.error().what, progress_.step});
  return control_.stopping() == 0;
}

void Training::take_knobs() {
  const double asked = control_.learning_rate();
  if (asked == asked_rate_) return;
  asked_rate_ = asked;
  progress_.learning_rate = asked;
  saved_step_ = -1;  // the last checkpoint does not know it yet
  post(Knob{"learning_rate", asked < 0 ? learning_rate_at(settings(), progress_.step, steps_per_epoch_) : asked,
            progress_.step});
}

void Training::wait_while_paused() {
  if (!control_.paused()) return;
  recorder_->set_training(false);
  post(Paused{progress_.step});
  while (control_.paused() && control_.stopping() == 0) {
    std::this_thread::sleep_for(20ms);  // nothing else happens here; a signal handler may end it
    take_knobs();
  }
  post(Continued{progress_.step});
}

Status Training::save(bool best) {
  if (request_.run.empty()) return {};
  recorder_->set_training(false);
  const LossScale scaling = replicas_->loss_scale();
  progress_.loss_scale = scaling.scale;
  progress_.good_steps = scaling.good_steps;
  NW_ASSIGN(Saved saved, save_checkpoint(request_.run, progress_, replicas_->model(), replicas_->optimizer()));
  if (best) NW_TRY(point_at_checkpoint(request_.run, "best", saved.checkpoint));
  NW_TRY(files_->flush());
  saved.best = best;
  saved_step_ = progress_.step;
  prune_checkpoints(request_.run, settings().keep_checkpoints);
  post(saved);
  return {};
}

Status Training::save_and_wait_for_room(bool best) {
  const Status saved = save(best);
  if (saved || saved.error().code != Errc::disk) return saved;
  return wait_for_room(saved.error(), [&] { return save(best); });
}

// A disk without room is a matter for a person: the run waits, says so, and goes on by itself once there is room.
Status Training::wait_for_room(const Error& error, const std::function<Status()>& again) {
  if (request_.disk_wait_s <= 0) return error;
  post(Health{"error",
              text(NW_TR("{0}. Training waits until there is room; the last checkpoint is kept."), error.str()),
              progress_.step});
  post(Paused{progress_.step});
  const Clock::time_point begin = Clock::now();
  for (Clock::time_point tried = begin; since(begin) < request_.disk_wait_s;) {
    std::this_thread::sleep_for(20ms);
    const int stopping = control_.stopping();
    if (stopping == 2) break;
    if (stopping == 0 && since(tried) < 1) continue;
    tried = Clock::now();
    if (const Status saved = again(); saved) {
      post(Continued{progress_.step});
      return {};
    }
    if (stopping != 0) break;  // asked to stop: that was the last try
  }
  return error;
}

Result<TrainResult> Training::end(const Status& loop) {
  Status done = loop;
  const bool stopping = !done && done.error().code == Errc::stopped && control_.stopping() != 0;
  if (stopping && control_.stopping() == 1 && progress_.step != saved_step_)
    if (const Status saved = save(false); !saved) done = saved;
  if (const Status kept = save_profile_so_far(); done && !kept) done = kept;
  TrainResult result;
  Ended& e = result.ended;
  const bool stopped = !done && done.error().code == Errc::stopped && stopping;
  e.how = done ? "finished" : stopped ? "stopped" : "failed";
  if (!done) e.why = done.error().what;
  e.exit_code = done                                ? 0
                : stopped && control_.signal() != 0 ? 128 + control_.signal()
                                                    : static_cast<int>(done.error().code);
  e.step = recorder_ ? progress_.step : std::max(progress_.step, steps_before_);
  e.wall_s = since(begin_);
  e.images_per_s = progress_.trained_s > 0 ? static_cast<double>(progress_.images) / progress_.trained_s : 0;
  if (test_) {
    e.test_loss = test_->mean_loss();
    e.test_accuracy = test_->accuracy();
  }
  result.steps = progress_.step;
  result.best_accuracy = progress_.best_accuracy;
  result.first_step_s = first_step_s_;
  e.images = progress_.images - images_before_;
  last_words_.reset();
  if (splitter_ && recorder_) say_split(true);
  if (recorder_)
    recorder_->post_last(e);
  else
    say_only(e);
  server_.reset();
  recorder_.reset();
  if (files_) (void)files_->flush();
  if (e.how == "failed") return done.error();
  return result;
}

// On another thread, while the loop waits for a device for ever.
void Training::say_hung(const Error& error) {
  const std::int64_t step = recorder_ ? step_seen_.load() : std::max(progress_.step, steps_before_);
  const Ended e{.how = "failed",
                .why = error.what,
                .step = step,
                .wall_s = since(begin_),
                .exit_code = static_cast<int>(error.code)};
  if (recorder_)
    recorder_->post(e);
  else
    say_only(e);
}

// A run that could not go on has nothing open but its lock. Its log gets the one line that says why; all else stays as
// it was.
void Training::say_only(const Ended& e) {
  const Event event{since(begin_), e};
  sink_.post(event);
  if (!lock_ || !request_.resume) return;
  if (auto log = LineFile::open(request_.run / "events.jsonl")) (void)log->append(event_line(event));
}

std::string Training::answer(std::string_view line) {
  const std::string asked(line);
  if (asked == "pause")
    control_.pause();
  else if (asked == "continue")
    control_.unpause();
  else if (asked == "stop")
    control_.stop(false);
  else if (asked == "stop-now")
    control_.stop(true);
  else if (asked == "checkpoint")
    control_.checkpoint();
  else if (asked == "status")
    return Json{{"step", step_seen_.load()},
                {"epoch", epoch_seen_.load()},
                {"paused", control_.paused()},
                {"stopping", control_.stopping() != 0}}
        .dump();
  else if (asked == "set learning_rate scheduled")
    control_.set_learning_rate(-1);
  else if (asked.starts_with("set learning_rate ")) {
    const auto rate = positive_number(asked.substr(18));
    if (!rate) return "error: " + text(NW_TR("the learning rate must be a number above 0, or \"scheduled\"")).str();
    control_.set_learning_rate(*rate);
  } else if (asked.starts_with("set ")) {
    return "error: " + text(NW_TR("the only knob of a run is learning_rate")).str();
  } else {
    return "error: " +
           text(
               NW_TR(
                   "a run understands pause, continue, stop, stop-now, checkpoint, status and set learning_rate VALUE"))
               .str();
  }
  return "ok";
}

}  // namespace nw
