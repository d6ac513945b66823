// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/team.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "engine/parallel/first_exception.hpp"
#include "engine/parallel/waiting.hpp"

namespace nw {
namespace {

// Worker 0 is the thread that calls run(); the others sleep between runs. A new generation number starts a run, and all
// workers synchronize at one barrier at its end. Only atomics are used, so that a step whose workers arrive in time
// makes no system call.
class ThreadTeam final : public Team {
 public:
  explicit ThreadTeam(int size) : size_(size), spins_(spins_for(size)) {}
  Status start(const ThreadStarter& starter) {
    NW_ASSIGN(threads_, start_threads(
                            size_ - 1, [this](int worker) { serve(worker); },
                            [this] {
                              leaving_ = true;
                              announce();
                            },
                            starter));
    return {};
  }
  ~ThreadTeam() override {
    leaving_ = true;
    announce();
  }
  int size() const override { return size_; }
  void run(const std::function<void(int)>& fn) override {
    if (size_ == 1) return fn(0);
    fn_ = &fn;
    announce();
    thrown_.keep([&] { fn(0); });
    barrier(0);
    thrown_.rethrow();
  }
  void barrier(int) override {
    if (size_ == 1) return;
    const std::uint32_t phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) == size_ - 1) {
      arrived_.store(0, std::memory_order_relaxed);
      set_and_wake(phase_, phase + 1);
      return;
    }
    spin_then_sleep(spins_, phase_, phase);
  }

 private:
  void announce() {
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
  }
  void serve(int worker) {
    std::uint32_t seen = 0;
    for (;;) {
      spin_then_sleep(spins_, generation_, seen);
      ++seen;
      if (leaving_) return;
      thrown_.keep([&] { (*fn_)(worker); });
      barrier(worker);
    }
  }

  const int size_, spins_;
  const std::function<void(int)>* fn_ = nullptr;  // written before the generation changes
  FirstException thrown_;
  std::atomic<bool> leaving_{false};
  alignas(64) std::atomic<std::uint32_t> generation_{0};
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> phase_{0};
  std::vector<std::jthread> threads_;  // last member: joined before the others are destroyed
};

}  // namespace

Result<std::unique_ptr<Team>> start_team(int size, const ThreadStarter& starter) {
  auto team = std::make_unique<ThreadTeam>(std::max(1, size));
  NW_TRY(team->start(starter));
  return std::unique_ptr<Team>(std::move(team));
}

std::unique_ptr<Team> make_team(int size) {
  auto team = start_team(size);
  if (!team) throw std::runtime_error(team.error().str());
  return *std::move(team);
}

int processors() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

int default_threads(std::int64_t asked) {
  if (asked > 0) return static_cast<int>(std::min<std::int64_t>(asked, 1024));
  return processors() > 2 ? processors() - 1 : processors();
}

}  // namespace nw
