// SPDX-License-Identifier: Apache-2.0
#include "engine/train/trainer.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "engine/train/training.hpp"

namespace nw {

Training::Training(TrainRequest request, TrainControl& control, EventSink& sink)
    : state_(std::move(request), control), report_(state_, sink) {}

Status Training::loop() {
  for (;;) {
    const Status done = without_throwing([this] { return loop_->run(); });
    // A run that never took a step asks for more memory than there is.
    const bool trained = loop_->first_step_done().has_value() && !state_.request.run.empty();
    if (done || done.error().code != Errc::out_of_memory || !trained) return done;
    NW_TRY(mending_.wait(done.error(), [this] { return go_back(); }));
  }
}

Result<TrainResult> Training::end(const Status& loop) {
  Status done = loop;
  const bool stopping = !done && done.error().code == Errc::stopped && state_.control.stopping() != 0;
  if (loop_ && stopping && state_.control.stopping() == 1 && !saver_.is_up_to_date())
    if (const Status saved = saver_.save(false); !saved) done = saved;
  if (loop_)
    if (const Status finished = loop_->finish(); done && !finished) done = finished;
  TrainResult result;
  result.ended = ended_event(done);
  result.steps = state_.progress.step;
  result.best_accuracy = state_.progress.best_accuracy;
  if (loop_ && loop_->first_step_done())
    result.first_step_s = std::chrono::duration<double>(*loop_->first_step_done() - prepared_from_).count();
  if (done && report_.has_unwritten()) (void)mending_.retry([this] { return report_.flush(); });
  report_.close(result.ended);
  const Status written = write_last_events(done ? state_.request.disk_wait_s : 0);
  report_.close_control();
  if (done && !written) return written.error();
  if (result.ended.reason == EndReason::failed) return done.error();
  return result;
}

/// No event can be posted any more: the disk became full between the last two.
Status Training::write_last_events(double wait_s) {
  using namespace std::chrono_literals;
  Status written = report_.flush();
  for (double waited_s = 0; !written && waited_s < wait_s; waited_s += 0.1) {
    if (state_.control.stopping() != 0) break;
    std::this_thread::sleep_for(100ms);
    written = report_.flush();
  }
  return written;
}

Ended Training::ended_event(const Status& done) const {
  const TrainControl& control = state_.control;
  const Progress& p = state_.progress;
  const bool stopped = !done && done.error().code == Errc::stopped && control.stopping() != 0;
  Ended e;
  e.reason = done ? EndReason::finished : stopped ? EndReason::stopped : EndReason::failed;
  if (!done) e.message = done.error().what;
  e.exit_code = done ? 0 : stopped && control.signal() != 0 ? 128 + control.signal() : exit_code(done.error().code);
  e.step = report_.is_open() ? p.step : std::max(p.step, state_.steps_before);
  e.wall_s = state_.seconds();
  e.images = p.images - images_before_;
  e.images_per_s = p.trained_s > 0 ? static_cast<double>(p.images) / p.trained_s : 0;
  if (loop_ && loop_->test()) {
    e.test_loss = loop_->test()->mean_loss();
    e.test_accuracy = loop_->test()->accuracy();
  }
  return e;
}

Result<TrainResult> Training::run() {
  Status done = open();
  if (done) done = loop();
  return end(done);
}

Result<TrainResult> train(TrainRequest request, TrainControl& control, EventSink& sink) {
  return Training(std::move(request), control, sink).run();
}

}  // namespace nw
