// SPDX-License-Identifier: Apache-2.0
// Where a device was when it failed. After most faults nothing of it can be read any more, so launches leave marks, and
// steps their records, in memory of the host.
#include <algorithm>

#include "kernels/cuda/executable.hpp"

namespace nw::cuda {

// The first launch of each step of the plan says that it has begun, and so does the first of our own behind a
// library's, which cannot.
void CudaExecutable::mark_launches() {
  for (auto& p : prologue_) p.front().mark = 0;
  const Launch* before = nullptr;
  for (Part& part : parts_)
    for (Launch& l : part.launches) {
      step_of_launch_.push_back(l.step);
      if (l.kernel && (!before || before->step != l.step || !before->kernel))
        marks_.push_back(l.mark = static_cast<std::int32_t>(step_of_launch_.size()));
      before = &l;
    }
}

// "conv2"; where libraries follow, which leave no marks, up to the last of them: "relu1 to conv2".
std::string CudaExecutable::place() const {
  const std::int32_t from = __atomic_load_n(mark_, __ATOMIC_RELAXED);
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

// "step 12, conv1": the first step that has left no record, and where in it.
std::string CudaExecutable::reached() const {
  if (profile_ || !mark_) return doing_;
  std::size_t line = 0;
  while (line < last_line_ && __atomic_load_n(&ring_[line].step, __ATOMIC_RELAXED) != 0) ++line;
  if (__atomic_load_n(&ring_[line].step, __ATOMIC_RELAXED) != 0) return doing_;
  const std::string step = plan_.training ? "step " + std::to_string(host_burst_->lines[line].step + 1) : doing_,
                    at = place();
  return at.empty() ? step : step + ", " + at;
}

Status CudaExecutable::wait() {
  if (reducer_) return reducer_->wait(stream_, [this] { return reached(); });
  return replayed(border().driver.stream_wait(stream_));
}

WatchedCall CudaExecutable::waiting(double patience, bool for_others) const {
  return {.device = gpu_->name(),
          .doing = doing_,
          .place = [this] { return mark_ ? place() : ""; },
          .mark = mark_,
          .ranks = for_others ? plan_.world : 1,
          .patience = patience};
}

}  // namespace nw::cuda
