// SPDX-License-Identifier: Apache-2.0
// A training that cannot go on because of something outside of it: a full or failing disk, lack of memory, data that is
// gone. It pauses with a reason, tries again, and goes on once that was mended. Private to engine/train.
#pragma once
#include <functional>

#include "engine/train/run_report.hpp"
#include "engine/train/without_throwing.hpp"

namespace nw {

/// Whether the error may be mended while the run waits: Errc::disk, Errc::out_of_memory.
bool may_be_mended(const Error&);

class Mending {
 public:
  /// Both arguments must outlive this object.
  Mending(TrainingState& state, RunReport& report) : state_(state), report_(report) {}
  /// Calls `work` until it succeeds: again after a second, then after longer and longer times, and at once where the
  /// user asks the run to continue. Meanwhile the run is paused, with the error as its reason. An error that may not be
  /// mended is returned at once; one that may, after a stop was asked for and a last try failed too, or after
  /// TrainRequest::disk_wait_s. std::bad_alloc counts as Errc::out_of_memory.
  Status retry(const std::function<Status()>& work);
  /// The same for `work` that has failed with this error already.
  Status wait(const Error& error, const std::function<Status()>& work);

 private:
  void post(const decltype(Event::what)&);

  TrainingState& state_;
  RunReport& report_;
};

}  // namespace nw
