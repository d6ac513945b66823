// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/watchdog.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace nw::cuda {
namespace {

constexpr double tick_s = 0.05, default_watchdog_timeout_s = 4;

double watchdog_timeout_s() {
  const char* setting = std::getenv("NETWRIGHT_GPU_PATIENCE_S");
  return setting ? std::max(0.0, std::atof(setting)) : default_watchdog_timeout_s;
}
std::int32_t mark_of(const WatchedCall& w) { return w.mark ? __atomic_load_n(w.mark, __ATOMIC_RELAXED) : -1; }

void say_and_leave(const Error& e) {
  std::fprintf(stderr, "%s\n", e.str().c_str());
  ::_exit(exit_code(e.code));
}

thread_local int depth = 0;
thread_local Watched* outermost = nullptr;

}  // namespace

// Never destroyed: its thread continues while the process exits.
class Watch {
 public:
  static Watch& instance() {
    static Watch& w = *new Watch;
    return w;
  }
  void add(Watched* w) {
    const std::scoped_lock lock(mutex_);
    w->seen_ = mark_of(w->what_);
    const std::int64_t last = w->what_.last_step;
    if (const auto done = done_.find(w->what_.device); last >= 0 && done != done_.end() && done->second >= last)
      done_.clear();  // another training, or the same from a checkpoint on
    waiting_.push_back(w);
    came_or_went_ = true;
    if (!looking_ && watchdog_timeout_s_ > 0) std::thread([this] { look_on(); }).detach();
    looking_ = true;
  }
  void remove(Watched* w) {
    const std::scoped_lock lock(mutex_);
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), w));
    came_or_went_ = true;
    const WatchedCall& call = w->what_;
    if (call.last_step >= 0 && call.ended && call.ended() >= call.steps) done_[call.device] = call.last_step;
  }
  void tell(void (*gone)(const Error&)) { gone_ = gone; }

 private:
  // Sleeps in short ticks and counts each as one: time in which the process was stopped does not count as waiting.
  void look_on() {
    for (;;) {
      std::this_thread::sleep_for(std::chrono::duration<double>(tick_s));
      const std::scoped_lock lock(mutex_);
      if (moved()) {
        for (Watched* w : waiting_) w->ticks_ = 0;
      } else if (const Watched* w = longest()) {
        return gone_.load()(sentence(*w));
      }
    }
  }
  // The number of devices that must be waiting, or no call is overdue. A device that is ahead is waited for by nobody.
  int needed(const WatchedCall& w) const {
    if (w.peers_left && w.peers_left()) return 1;
    const auto ahead = std::count_if(done_.begin(), done_.end(), [&](const auto& done) {
      return done.first != w.device && w.last_step >= 0 && done.second >= w.last_step;
    });
    return std::max(1, w.ranks - static_cast<int>(ahead));
  }
  // Devices wait for each other, so progress of one counts for all.
  bool moved() {
    bool any = std::exchange(came_or_went_, false);
    std::size_t most = 0;
    for (Watched* w : waiting_) {
      const std::int32_t now = mark_of(w->what_);
      any |= std::exchange(w->seen_, now) != now;
      most = std::max(most, static_cast<std::size_t>(needed(w->what_)));
    }
    return any || waiting_.size() < most;
  }
  static std::pair<std::size_t, std::int32_t> position(const Watched& w) {
    return {w.what_.ended ? w.what_.ended() : 0, w.seen_};
  }
  // Of the calls that have exceeded their timeout, the one that is furthest behind: the others wait for it.
  const Watched* longest() {
    const Watched* found = nullptr;
    for (Watched* w : waiting_) {
      const bool over = ++w->ticks_ >= std::lround(watchdog_timeout_s_ * w->what_.patience / tick_s);
      if (over && (!found || position(*w) < position(*found))) found = w;
    }
    return found;
  }
  Error sentence(const Watched& w) const {
    const WatchedCall& at = w.what_;
    const std::string place = at.place ? at.place() : "";
    return fail(Errc::no_device,
                NW_TR("{0} does not respond ({1}): it made no progress for {2} s; resume from the last checkpoint, or "
                      "with --device cpu"),
                at.device, place.empty() ? at.doing : at.doing + ", " + place,
                std::lround(std::max(1.0, w.ticks_ * tick_s)));
  }

  const double watchdog_timeout_s_ = watchdog_timeout_s();
  std::mutex mutex_;
  std::vector<Watched*> waiting_;
  std::map<std::string, std::int64_t> done_;  // by device: the last step of its last call
  bool came_or_went_ = false, looking_ = false;
  std::atomic<void (*)(const Error&)> gone_{say_and_leave};
};

Watched::Watched(WatchedCall what) : what_(std::move(what)) {
  if (depth++ != 0) return;
  outermost = this;
  Watch::instance().add(this);
}
Watched::~Watched() {
  if (--depth == 0) Watch::instance().remove(this);
}

WatchdogPause::WatchdogPause() {
  if (depth > 0) Watch::instance().remove(outermost);
}
WatchdogPause::~WatchdogPause() {
  if (depth > 0) Watch::instance().add(outermost);
}

void on_hang(void (*gone)(const Error&)) { Watch::instance().tell(gone); }

}  // namespace nw::cuda
