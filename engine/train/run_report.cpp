// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_report.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace nw {

void RunReport::hold(std::optional<FileLock> lock) {
  lock_ = std::move(lock);
  fatal_error_handler_.emplace([this](const Error& e) { post_hung(e); });
}

Status RunReport::open_control(ControlServer::Answer answer) {
  if (state_.request.run.empty()) return {};
  auto server = ControlServer::start(state_.request.run, std::move(answer));
  if (server)
    server_ = *std::move(server);
  else
    warn(server.error().what);
  return {};
}

Status RunReport::open() {
  const fs::path& run = state_.request.run;
  if (run.empty()) {
    recorder_.emplace(sink_, nullptr);
    return {};
  }
  NW_ASSIGN(files_, RunFiles::open(run, state_.progress.step));
  recorder_.emplace(sink_, files_.get());
  return {};
}

void RunReport::post_warnings() {
  for (const Text& note : warnings_) post(Health{HealthLevel::warning, note, state_.progress.step});
  warnings_.clear();
}

void RunReport::post(decltype(Event::what) what) {
  if (recorder_)
    recorder_->post(std::move(what));
  else
    post_unopened(std::move(what));
}

Status RunReport::go_back() {
  recorder_.reset();
  NW_TRY(flush());
  files_.reset();
  NW_TRY(open());
  post(Resumed{state_.progress.step, ::getpid(),
               std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count()});
  return {};
}

void RunReport::add_settings(const Json& settings) {
  if (files_) files_->add_settings(settings);
}

void RunReport::add_image(const std::string& tag, std::int64_t step, const Image& image) {
  if (files_) files_->add_image(tag, step, image);
}

Status RunReport::flush() { return files_ ? files_->flush() : Status(); }

void RunReport::close(Ended& e) {
  fatal_error_handler_.reset();
  if (recorder_)
    recorder_->post_last(e);
  else
    post_unopened(e);
  recorder_.reset();
}

// Called on another thread while the training's thread waits for a hung device.
void RunReport::post_hung(const Error& error) {
  const std::int64_t step = recorder_ ? state_.step_done.load() : std::max(state_.progress.step, state_.steps_before);
  const Ended e{.reason = EndReason::failed,
                .message = error.what,
                .step = step,
                .wall_s = state_.seconds(),
                .exit_code = exit_code(error.code)};
  if (recorder_)
    recorder_->post(e);
  else
    post_unopened(e);
}

// A run that could not be resumed has only its lock open. Its log gets one line with the reason; everything else stays
// unchanged.
void RunReport::post_unopened(decltype(Event::what) what) {
  const Event event{state_.seconds(), std::move(what)};
  sink_.post(event);
  if (!lock_ || !state_.request.resume) return;
  if (auto log = LineFile::open(state_.request.run / "events.jsonl")) (void)log->append(event_line(event));
}

}  // namespace nw
