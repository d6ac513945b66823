// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_stream.hpp"

#include <algorithm>

namespace nw::cuda {

Status StepStream::open() { return check(driver_api().driver.stream_make(&stream_, stream_non_blocking)); }

void StepStream::drop() {
  if (stream_) driver_api().driver.stream_drop(stream_);
}

Status StepStream::reduce_with(Communicator& communicator, bool with_urgent, std::function<void()> drop_graphs) {
  peers_ = &communicator;
  NW_ASSIGN(reducer_, NcclReducer::make(communicator, gpu_, with_urgent, std::move(drop_graphs)));
  return {};
}

void StepStream::begin(std::span<const StepArgs> steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) at_.ring[i].step = 0;
  last_line_ = steps.size() - 1;
  last_step_ = plan_.training ? steps.back().step : -1;
  publish(at_.mark, 0);
  const StepArgs &first = steps.front(), &last = steps.back();
  doing_ = plan_.training ? "step " + std::to_string(first.step + 1) : "evaluation";
  if (plan_.training && steps.size() > 1) doing_ += " to " + std::to_string(last.step + 1);
}

// A launch marks that it has begun if it is the first of its step of the plan, or if it is the first kernel of ours
// after a library's call, which cannot write marks.
void StepStream::mark_launches(StepLaunches& all) {
  for (auto& p : all.prologue) p.front().mark = 0;
  const Launch* before = nullptr;
  for (StepPart& part : all.parts)
    for (Launch& l : part.launches) {
      step_of_launch_.push_back(l.step);
      if (l.kernel && (!before || before->step != l.step || !before->kernel))
        marks_.push_back(l.mark = static_cast<std::int32_t>(step_of_launch_.size()));
      before = &l;
    }
}

// The label of the last marked launch, "conv2"; if library calls without marks follow, up to the last of them: "relu1
// to conv2".
std::string StepStream::place() const {
  const std::int32_t from = __atomic_load_n(at_.mark, __ATOMIC_RELAXED);
  const auto next = std::upper_bound(marks_.begin(), marks_.end(), from);
  const auto end = next == marks_.end() ? step_of_launch_.size() : static_cast<std::size_t>(*next) - 1;
  std::string first, last;
  for (auto i = static_cast<std::size_t>(std::max(from, 1)) - 1; from > 0 && i < end; ++i) {
    const std::string label = label_of(step_of_launch_[i]);
    if (label.empty()) continue;
    if (first.empty()) first = label;
    last = label;
  }
  return first == last ? first : first + " to " + last;
}

std::size_t StepStream::steps_ended() const {
  std::size_t line = 0;
  while (line <= last_line_ && __atomic_load_n(&at_.ring[line].step, __ATOMIC_RELAXED) != 0) ++line;
  return line;
}

// "step 12, conv1": the first step without a record, and the position in it.
std::string StepStream::reached() const {
  if (profile_ || !at_.mark) return doing_;
  const std::size_t line = steps_ended();
  if (line > last_line_) return doing_;
  const std::string step = plan_.training ? "step " + std::to_string(at_.host_burst->lines[line].step + 1) : doing_,
                    at = place();
  return at.empty() ? step : step + ", " + at;
}

Status StepStream::wait() {
  if (reducer_) return reducer_->wait(stream_, [this] { return reached(); });
  return check_reached(driver_api().driver.stream_wait(stream_));
}

WatchedCall StepStream::waiting(double patience, bool for_others) const {
  return {.device = gpu_->name(),
          .doing = doing_,
          .place = [this] { return at_.mark ? place() : ""; },
          .mark = at_.mark,
          .ended = [this] { return at_.mark ? steps_ended() : 0; },
          .ranks = for_others ? replicas_ : 1,
          .last_step = for_others ? last_step_ : -1,
          .steps = last_line_ + 1,
          .peers_left = [peers = peers_] { return peers && peers->aborted(); },
          .patience = patience};
}

}  // namespace nw::cuda
