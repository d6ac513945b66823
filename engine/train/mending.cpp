// SPDX-License-Identifier: Apache-2.0
#include "engine/train/mending.hpp"

#include <algorithm>
#include <thread>

#include "kernels/nested_text.hpp"

namespace nw {
namespace {

using namespace std::chrono_literals;
using Clock = TrainingState::Clock;
constexpr double first_try_s = 1, longest_between_tries_s = 30;

double elapsed_s(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

}  // namespace

bool may_be_mended(const Error& error) { return error.code == Errc::disk || error.code == Errc::out_of_memory; }

Status Mending::retry(const std::function<Status()>& work) {
  const Status done = without_throwing(work);
  return done || !may_be_mended(done.error()) ? done : wait(done.error(), work);
}

Status Mending::wait(const Error& error, const std::function<Status()>& work) {
  const std::int64_t step = state_.progress.step;
  const double limit_s = state_.request.disk_wait_s;
  if (limit_s <= 0) return error;
  const Text reason = text(NW_TR("{0}. Training is paused until this is mended. It tries again by itself; the last "
                                 "checkpoint is kept."),
                           nested(error.what));
  (void)state_.control.take_try_again();  // an earlier one
  state_.pause_reason.set(reason);
  post(Health{HealthLevel::error, reason, step});
  post(Paused{step});
  Status done = error;
  const Clock::time_point begin = Clock::now();
  Clock::time_point tried = begin;
  for (double wait_s = first_try_s; !done && may_be_mended(done.error()) && elapsed_s(begin) < limit_s;) {
    std::this_thread::sleep_for(20ms);  // polls: a signal handler cannot notify
    const int stopping = state_.control.stopping();
    if (stopping == 2) break;
    if (stopping == 0 && !state_.control.take_try_again() && elapsed_s(tried) < wait_s) continue;
    done = without_throwing(work);
    tried = Clock::now();
    wait_s = std::min(2 * wait_s, longest_between_tries_s);
    if (stopping != 0) break;  // that was the last try
  }
  state_.pause_reason.set({});
  if (done) post(Continued{state_.progress.step});
  return done;
}

// There may be no memory for an event either. Its pause does not count for the throughput.
void Mending::post(const decltype(Event::what)& what) {
  (void)without_throwing([&]() -> Status {
    if (report_.is_open()) report_.recorder().set_training(false);
    report_.post(what);
    return {};
  });
}

}  // namespace nw
