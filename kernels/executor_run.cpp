// SPDX-License-Identifier: Apache-2.0
// Runs the segments of a plan on the workers of a team.
#include <ctime>

#include <algorithm>

#include "kernels/plan_executable.hpp"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace nw {
namespace {

// Subnormal numbers cost a hundred cycles each, and Adam's moments decay into them; zero is equally good.
class FlushDenormals {
 public:
  explicit FlushDenormals(bool on) {
#if defined(__SSE__)
    saved_ = _mm_getcsr();
    if (on) _mm_setcsr(saved_ | 0x8040u);
#else
    (void)on;
#endif
  }
  ~FlushDenormals() {
#if defined(__SSE__)
    _mm_setcsr(saved_);
#endif
  }

 private:
  unsigned saved_ = 0;
};

constexpr int spins = 1000;  // about 30 µs
// spins before tasks of another worker are run, because their data is in the cache of that worker's core
constexpr int patience = 400;

void relax() {
#if defined(__SSE__)
  _mm_pause();
#endif
}

// Of this thread: time of other threads on the processor does not count.
double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

// Wraps every phase in a measurement of its time.
void PlanExecutable::take_times() {
  seconds_.assign(static_cast<std::size_t>(team_->size()), std::vector<double>(kernels_.size()));
  const auto watched = [this](std::size_t kernel, int worker, const auto& run) {
    const double begin = processor_seconds();
    run();
    seconds_[static_cast<std::size_t>(worker)][kernel] += processor_seconds() - begin;
  };
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    for (KernelPhase& p : kernels_[i].weights)
      p.run = [=, run = std::move(p.run)](std::int64_t task, int worker) {
        watched(i, worker, [&] { run(task, worker); });
      };
    for (KernelPhase& p : kernels_[i].phases) {
      p.run = [=, run = std::move(p.run)](std::int64_t task, int worker) {
        watched(i, worker, [&] { run(task, worker); });
      };
      if (p.run_part)
        p.run_part = [=, run = std::move(p.run_part)](std::int64_t shard, Part part, int worker) {
          watched(i, worker, [&] { run(shard, part, worker); });
        };
    }
  }
}

std::vector<StepTime> PlanExecutable::step_times() const {
  std::vector<StepTime> times = names_;
  for (const auto& worker : seconds_)
    for (std::size_t i = 0; i < times.size(); ++i) times[i].seconds += worker[i];
  return times;
}

Status PlanExecutable::run(const StepArgs& args) {
  if (args.inputs) NW_TRY(fill_inputs(*args.inputs));
  state_.args = args;
  state_.metrics = {};
  ++state_.runs;
  state_.losses_collected = false;
  state_.failed = false;
  stop_after_ = ~std::size_t{0};
  for (Status& s : state_.loaded) s = {};
  if (options_.begin_step) options_.begin_step(state_);
  // without any sample the gradients are still written, as zeros
  state_.active_shards = std::max<std::int64_t>(1, shards_for(args.valid));
  for (const auto& partials : state_.losses) std::fill(partials.begin(), partials.end(), LossPartial{});
  for (auto& worker : seconds_) std::fill(worker.begin(), worker.end(), 0.0);
  for (std::size_t i = 0; i < cursor_count_; ++i) cursors_[i].next.store(0, std::memory_order_relaxed);
  for (std::size_t i = 0; i < segments_.size(); ++i)
    left_[i].tasks.store(tasks_of(segments_[i]), std::memory_order_relaxed);
  if (sums_) sums_->begin_step();
  broken_.store(false, std::memory_order_relaxed);
  team_->run([this](int worker) {
    try {
      work(worker);
    } catch (...) {
      end_waiting();
      throw;
    }
    if (options_.end_work) options_.end_work();
  });
  running_.store(-1, std::memory_order_relaxed);
  if (sums_) sums_->end_step();
  if (args.inputs)
    for (const Status& s : state_.loaded) NW_TRY(s);
  if (state_.failed)
    return fail(Errc::stopped, NW_TR("another device of this run is lost or was stopped; the step was abandoned"));
  state_.may_update();
  return {};
}

// Workers wait for tasks, not for each other: a worker that the system has suspended delays the others only by its
// unfinished task, and later finds the segments done that the others ran without it.
void PlanExecutable::work(int worker) {
  const FlushDenormals flush(options_.flush_denormals);
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (worker == 0) running_.store(segments_[i].step, std::memory_order_relaxed);
    run_tasks(i, worker);
    wait_for(i);
    if (broken_.load(std::memory_order_relaxed)) return;
    if (sums_) sums_->reached(segments_[i].ended);
    if (stop_after_.load(std::memory_order_relaxed) <= i) return;
  }
}

// Each worker has a fixed range of tasks, so that data stays in its cache, and then runs tasks of workers that are
// late. The results do not depend on the worker. The number of finished tasks is reported once at the end: a counter
// that all workers write to moves from cache to cache.
void PlanExecutable::run_tasks(std::size_t segment, int worker) {
  const Segment& s = segments_[segment];
  const std::int64_t tasks = tasks_of(s);
  const int team = team_->size();
  std::int64_t done = 0;
  for (int turn = 0; turn < team; ++turn) {
    if (turn == 1) {
      if (done > 0) finish_tasks(segment, done);
      done = 0;
      for (int i = 0; i < patience && left_[segment].tasks.load(std::memory_order_acquire) > 0; ++i) relax();
      if (left_[segment].tasks.load(std::memory_order_acquire) == 0) return;
    }
    const int owner = (worker + turn) % team;
    const auto bound = [&](int of) {
      return s.first.empty() ? tasks * of / team : s.first[static_cast<std::size_t>(of)];
    };
    const std::int64_t begin = bound(owner), end = bound(owner + 1);
    auto& next = cursors_[s.first_cursor + static_cast<std::size_t>(owner)].next;
    if (begin + next.load(std::memory_order_relaxed) >= end) continue;
    for (std::int64_t t = begin + next.fetch_add(1, std::memory_order_relaxed); t < end;
         t = begin + next.fetch_add(1, std::memory_order_relaxed), ++done) {
      run_task(s, s.order.empty() ? t : s.order[static_cast<std::size_t>(t)], worker);
      if (s.kind == Segment::Kind::serial && state_.failed) stop_after_.store(segment, std::memory_order_relaxed);
    }
  }
  if (done > 0) finish_tasks(segment, done);
}

void PlanExecutable::run_task(const Segment& s, std::int64_t task, int worker) {
  if (s.parts > 1) return s.phases[0]->run_part(task / s.parts, {task % s.parts, s.parts}, worker);
  if (s.kind == Segment::Kind::tasks) {
    auto phase = s.phases.begin();
    for (; task >= (*phase)->tasks; ++phase) task -= (*phase)->tasks;
    return (*phase)->run(task, worker);
  }
  if (s.kind == Segment::Kind::shards) return run_shard(s, task, worker);
  for (const KernelPhase* p : s.phases)
    if (!state_.failed) p->run(task, worker);  // kernels that may fail are serial
}

void PlanExecutable::run_shard(const Segment& s, std::int64_t shard, int worker) {
  for (auto first = s.phases.begin(), last = first; first != s.phases.end(); first = last) {
    const std::int64_t channels = (*first)->channels;
    last = std::find_if(first + 1, s.phases.end(),
                        [&](const KernelPhase* p) { return channels == 0 || p->channels != channels; });
    if (last - first == 1)
      (*first)->run(shard, worker);
    else
      for (std::int64_t c = 0; c < channels; ++c)
        for (auto p = first; p != last; ++p) (*p)->run_part(shard, {c, channels}, worker);
  }
}

void PlanExecutable::finish_tasks(std::size_t segment, std::int64_t count) {
  auto& left = left_[segment].tasks;
  if (left.fetch_sub(count, std::memory_order_acq_rel) == count) left.notify_all();
}

/// A task threw, so that its segment will never be complete: the others must not wait for it.
void PlanExecutable::end_waiting() {
  broken_.store(true, std::memory_order_relaxed);
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    left_[i].tasks.store(0, std::memory_order_release);
    left_[i].tasks.notify_all();
  }
}

void PlanExecutable::wait_for(std::size_t segment) {
  const auto& left = left_[segment].tasks;
  for (int i = 0; i < spins && left.load(std::memory_order_acquire) > 0; ++i) relax();
  for (std::int64_t n = left.load(std::memory_order_acquire); n > 0; n = left.load(std::memory_order_acquire))
    left.wait(n, std::memory_order_acquire);
}

}  // namespace nw
