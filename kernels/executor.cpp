// SPDX-License-Identifier: Apache-2.0
#include "kernels/executor.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace nw {

namespace {

// Denormals cost a hundred cycles each, and Adam's moments decay into them; zero is as good.
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

// Phases between which everything must be done. `serial`: by the first to come, one after the other; `shards`: each
// shard through all phases; `tasks`: phases side by side, one's tasks behind the other's, shared out.
struct Segment {
  enum class Kind { serial, shards, tasks } kind;
  std::vector<const KernelPhase*> phases;
  std::int64_t tasks = 1;
  std::size_t first_cursor = 0;  // one per worker
  bool open = false;             // `tasks`: a kernel beside the last one may join
  std::int64_t parts = 1;        // `tasks`: one phase over shards, each cut into so many
  // of other `tasks`: worker w's own are order[first[w]] up to order[first[w + 1]]
  std::vector<std::int64_t> order, first;
};

struct alignas(64) Cursor {
  std::atomic<std::int64_t> next{0};
};

// Tasks of a segment that are not done yet.
struct alignas(64) Left {
  std::atomic<std::int64_t> tasks{0};
};

constexpr int spins = 1000;    // some 30 µs
constexpr int patience = 400;  // before another's tasks are taken: what they work on lies in that core's cache

void relax() {
#if defined(__SSE__)
  _mm_pause();
#endif
}

class PlanExecutable final : public Executable {
 public:
  PlanExecutable(const Plan& plan, const PrepareArgs& args, ExecutorOptions options)
      : plan_(plan), options_(std::move(options)), team_(args.team), profile_(args.profile) {
    state_.communicator = args.communicator;
  }

  Status prepare(const PrepareArgs&);
  Status run(const StepArgs& args) override;
  StepMetrics metrics() const override { return state_.metrics; }
  void write(int value, std::span<const std::byte> bytes) override;
  void read(int value, std::span<std::byte> bytes) const override;
  void* input_area(int value) override { return storage_->border(value); }
  bool makes_images() const override { return makes_images_; }
  std::int64_t memory_bytes() const override { return storage_->bytes(); }
  std::vector<std::string> choices() const override { return choices_; }
  std::vector<StepTime> step_times() const override;

 private:
  Status prepare_step(const Step&);
  // A view that the plan really laid over its input: nothing to run.
  bool shares_storage(const Step& s) const {
    return options_.is_view(s) && storage_->at(s.outputs[0]) == storage_->at(s.inputs[0]);
  }
  void add_input_loads();
  void find_views_of_images();
  std::int64_t uses_of_images() const;
  void take_times();
  void cut_into_segments();
  void share_out(Segment&) const;
  void work(int worker);
  std::int64_t tasks_of(const Segment& s) const {
    if (s.parts > 1) return std::min(s.tasks, state_.active_shards) * s.parts;
    return s.kind == Segment::Kind::shards ? std::min(s.tasks, state_.active_shards) : s.tasks;
  }
  std::int64_t parts_for(const KernelPhase&) const;
  void run_tasks(std::size_t segment, int worker);
  void run_task(const Segment&, std::int64_t task, int worker);
  void run_shard(const Segment&, std::int64_t shard, int worker);
  void finish_tasks(std::size_t segment, std::int64_t count);
  void wait_for(std::size_t segment);

  const Plan plan_;
  const ExecutorOptions options_;
  Team* const team_;
  const bool profile_;
  RunState state_;
  std::unique_ptr<Storage> storage_;
  std::vector<PreparedKernel> kernels_;
  std::vector<StepTime> names_;               // of kernels_, when profiling
  std::vector<std::vector<double>> seconds_;  // per worker, per kernel
  std::vector<Segment> segments_;
  std::unique_ptr<Cursor[]> cursors_;
  std::size_t cursor_count_ = 0;
  std::unique_ptr<Left[]> left_;  // per segment
  // segment in which a kernel failed: all workers leave behind it
  std::atomic<std::size_t> stop_after_{~std::size_t{0}};
  std::vector<std::string> choices_;
  std::int64_t worker_bytes_ = 0, shared_bytes_ = 0;
  bool makes_images_ = false;
};

Status PlanExecutable::prepare(const PrepareArgs& args) {
  const auto* other = dynamic_cast<const PlanExecutable*>(args.weights_from);
  NW_ASSIGN(storage_,
            Storage::make(plan_, options_.bytes_of, {other ? other->storage_.get() : nullptr, args.takes_turns}));
  choices_ = options_.notes;
  worker_bytes_ = options_.load_scratch_bytes;
  state_.loaded.resize(static_cast<std::size_t>(shards_for(plan_.batch)));
  add_input_loads();
  find_views_of_images();
  for (const Step& s : plan_.steps)
    if (!shares_storage(s)) NW_TRY(prepare_step(s));
  state_.pixels.alone = state_.pixels.readers > 0 && state_.pixels.readers == uses_of_images();
  for (int w = 0; w < team_->size(); ++w) state_.worker_scratch.push_back(storage_->allocate(worker_bytes_));
  state_.shared_scratch = storage_->allocate(shared_bytes_);
  if (storage_->failed())
    return fail(Errc::out_of_memory, NW_TR("there is not enough memory for this network: it needs {0} MiB"),
                (storage_->bytes() >> 20) + 1);
  if (profile_) take_times();
  cut_into_segments();
  return {};
}

// Of this thread: what others do on its processor does not count.
double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Puts a watch around every phase.
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

Status PlanExecutable::prepare_step(const Step& step) {
  const KernelEntry* entry = find_entry(*options_.table, step.kernel);
  if (!entry) return fail(Errc::no_device, NW_TR("{0}: this device has no kernel {1}"), step.label, step.kernel);
  KernelContext context(plan_, step, *storage_, state_, options_.backend);
  context.workers = team_->size();
  kernels_.push_back(entry->prepare(context));
  if (profile_) names_.push_back({step.label, step.kernel});
  worker_bytes_ = std::max(worker_bytes_, context.worker_bytes);
  shared_bytes_ = std::max(shared_bytes_, context.shared_bytes);
  if (!kernels_.back().choice.empty())
    choices_.push_back((step.label.empty() ? step.kernel : step.label) + ": " + kernels_.back().choice);
  return {};
}

void PlanExecutable::add_input_loads() {
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    const Value& v = plan_.values[i];
    const int id = static_cast<int>(i);
    if (v.role != Role::input || v.alias_of >= 0 || storage_->border(id) == storage_->at(id) || !options_.load_input)
      continue;
    kernels_.push_back(options_.load_input(v, storage_->border(id), storage_->at(id), state_));
    if (v.name != "images") continue;
    makes_images_ = true;
    state_.pixels.values.push_back(id);
  }
  if (profile_) names_.assign(kernels_.size(), {"images", "input to lanes"});
}

void PlanExecutable::find_views_of_images() {
  std::vector<int>& all = state_.pixels.values;
  for (const Step& s : plan_.steps)
    if (shares_storage(s) && std::find(all.begin(), all.end(), s.inputs[0]) != all.end()) all.push_back(s.outputs[0]);
}

std::int64_t PlanExecutable::uses_of_images() const {
  const std::vector<int>& all = state_.pixels.values;
  const auto is_one = [&](int value) { return std::find(all.begin(), all.end(), value) != all.end(); };
  std::int64_t uses = 0;
  for (const Step& s : plan_.steps)
    if (!shares_storage(s)) uses += std::count_if(s.inputs.begin(), s.inputs.end(), is_one);
  return uses;
}

// Twice as many tasks as workers: the last ones end together.
std::int64_t PlanExecutable::parts_for(const KernelPhase& p) const {
  const std::int64_t wanted = 2 * team_->size();
  return !p.per_shard || p.tasks >= wanted || team_->size() == 1 ? 1
                                                                 : std::min(p.parts, (wanted + p.tasks - 1) / p.tasks);
}

void PlanExecutable::cut_into_segments() {
  using Kind = Segment::Kind;
  for (const PreparedKernel& k : kernels_)
    for (const KernelPhase& p : k.weights) {
      if (segments_.empty()) segments_.push_back({Kind::tasks, {}, 0, 0});
      segments_.back().tasks += p.tasks;
      segments_.back().phases.push_back(&p);
    }
  for (const PreparedKernel& k : kernels_)
    for (const KernelPhase& p : k.phases) {
      if (const std::int64_t parts = parts_for(p); parts > 1) {
        segments_.push_back({Kind::tasks, {&p}, p.tasks, 0, false, parts});
        continue;
      }
      const Kind kind = p.per_shard ? Kind::shards : p.tasks == 1 && !k.beside_others ? Kind::serial : Kind::tasks;
      const bool same = !segments_.empty() && segments_.back().kind == kind;
      const bool beside =
          same && kind == Kind::tasks && segments_.back().open && &p == &k.phases.front() && k.beside_others;
      const bool joins = beside || (same && kind != Kind::tasks && segments_.back().tasks == p.tasks);
      if (!joins)
        segments_.push_back({kind, {}, kind == Kind::serial ? 1 : p.tasks, 0});
      else if (beside)
        segments_.back().tasks += p.tasks;
      segments_.back().phases.push_back(&p);
      segments_.back().open = k.beside_others && k.phases.size() == 1;
    }
  for (Segment& s : segments_) {
    if (s.kind == Kind::tasks && s.parts == 1) share_out(s);
    s.first_cursor = cursor_count_;
    cursor_count_ += static_cast<std::size_t>(team_->size());
  }
  cursors_ = std::make_unique<Cursor[]>(cursor_count_);
  left_ = std::make_unique<Left[]>(segments_.size());
}

// Each phase is shared out by itself, so that a worker's part of it does not depend on what stands beside it.
void PlanExecutable::share_out(Segment& s) const {
  const int team = team_->size();
  for (int w = 0; w < team; ++w) {
    s.first.push_back(std::ssize(s.order));
    std::int64_t before = 0;
    for (const KernelPhase* p : s.phases) {
      const bool own = std::ssize(p->shares) == team + 1;
      const auto bound = [&](int worker) {
        return own ? p->shares[static_cast<std::size_t>(worker)] : p->tasks * worker / team;
      };
      for (std::int64_t t = bound(w); t < bound(w + 1); ++t) s.order.push_back(before + t);
      before += p->tasks;
    }
  }
  s.first.push_back(std::ssize(s.order));
}

Status PlanExecutable::run(const StepArgs& args) {
  state_.args = args;
  state_.metrics = {};
  ++state_.runs;
  state_.losses_collected = false;
  state_.failed = false;
  stop_after_ = ~std::size_t{0};
  for (Status& s : state_.loaded) s = {};
  if (options_.begin_step) options_.begin_step(state_);
  // without any sample gradients are made all the same: zeros
  state_.active_shards = std::max<std::int64_t>(1, shards_for(args.valid));
  for (const auto& partials : state_.losses) std::fill(partials.begin(), partials.end(), LossPartial{});
  for (auto& worker : seconds_) std::fill(worker.begin(), worker.end(), 0.0);
  for (std::size_t i = 0; i < cursor_count_; ++i) cursors_[i].next.store(0, std::memory_order_relaxed);
  for (std::size_t i = 0; i < segments_.size(); ++i)
    left_[i].tasks.store(tasks_of(segments_[i]), std::memory_order_relaxed);
  team_->run([this](int worker) {
    work(worker);
    if (options_.end_work) options_.end_work();
  });
  if (args.images)
    for (const Status& s : state_.loaded) NW_TRY(s);
  if (state_.failed)
    return fail(Errc::stopped, NW_TR("another device of this run is gone or was stopped; the step was given up"));
  state_.may_update();
  return {};
}

// Nobody waits for a worker, only for work: one that the system keeps from running is missed for its unfinished task
// alone, and finds the segments that the others went through without it done.
void PlanExecutable::work(int worker) {
  const FlushDenormals flush(options_.flush_denormals);
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    run_tasks(i, worker);
    wait_for(i);
    if (stop_after_.load(std::memory_order_relaxed) <= i) return;
  }
}

// Each worker has a fixed share, for its caches' sake, and helps others that are late when it is done. Who does a task
// changes nothing. What was done is told once, at the end: a counter that all write to goes from cache to cache.
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
    if (!state_.failed) p->run(task, worker);  // the kernels that may fail are serial
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

void PlanExecutable::wait_for(std::size_t segment) {
  const auto& left = left_[segment].tasks;
  for (int i = 0; i < spins && left.load(std::memory_order_acquire) > 0; ++i) relax();
  for (std::int64_t n = left.load(std::memory_order_acquire); n > 0; n = left.load(std::memory_order_acquire))
    left.wait(n, std::memory_order_acquire);
}

void PlanExecutable::write(int value, std::span<const std::byte> bytes) {
  const Value& v = plan_.values[static_cast<std::size_t>(value)];
  assert(bytes.size() == static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
  if (std::byte* border = storage_->border(value))
    std::memcpy(border, bytes.data(), bytes.size());
  else
    border_to_value(plan_, v, bytes.data(), storage_->at(value));
}

void PlanExecutable::read(int value, std::span<std::byte> bytes) const {
  const Value& v = plan_.values[static_cast<std::size_t>(value)];
  assert(bytes.size() == static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
  if (const std::byte* border = storage_->border(value))
    std::memcpy(bytes.data(), border, bytes.size());
  else
    value_to_border(plan_, v, storage_->at(value), bytes.data());
}

}  // namespace

Result<std::unique_ptr<Executable>> make_executable(const Plan& plan, const PrepareArgs& args,
                                                    ExecutorOptions options) {
  auto e = std::make_unique<PlanExecutable>(plan, args, std::move(options));
  NW_TRY(e->prepare(args));
  return std::unique_ptr<Executable>(std::move(e));
}

}  // namespace nw
