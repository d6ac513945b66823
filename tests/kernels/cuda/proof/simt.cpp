// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/proof/simt.hpp"

#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "kernels/cuda/elements/list.hpp"
#include "tests/kernels/cuda/proof/access.hpp"
#include "tests/kernels/cuda/proof/simt_memory.hpp"

namespace nw::proof {
namespace {

constexpr std::size_t stack_bytes = 64 << 10, most_faults = 3;
constexpr unsigned between_switches = 64;  // accesses, on average

struct Fibre {
  ucontext_t context{};
  bool ended = false, waits = false;
};

class Grid final : public Listener {
 public:
  Grid(const MeteredKernel& kernel, const void* functor, std::int64_t count, unsigned blocks, unsigned seed)
      : kernel_(kernel),
        functor_(functor),
        count_(count),
        blocks_(blocks),
        threads_(kernel.threads ? static_cast<unsigned>(kernel.threads) : cuda::block_threads),
        random_(seed),
        stacks_(std::make_unique_for_overwrite<std::byte[]>(stack_bytes * threads_)),
        shared_(kernel.shared_bytes + alignment),
        fibres_(threads_) {
    const auto begin = reinterpret_cast<std::uintptr_t>(shared_.data());
    at_shared_ = reinterpret_cast<std::byte*>((begin + alignment - 1) / alignment * alignment);
  }

  std::vector<std::string> run() {
    std::vector<unsigned> order(blocks_);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random_);
    running = this;
    for (const unsigned block : order)
      if (faults_.size() < most_faults) run_block(block);
    running = nullptr;
    return std::move(faults_);
  }

  void access(const Access& a) override {
    if (is_stack(a.at) || faults_.size() >= most_faults) return;
    const bool shared = a.at >= at_shared_ && a.at < at_shared_ + kernel_.shared_bytes;
    const Moment now{static_cast<int>(block_), static_cast<int>(thread_), barriers_};
    if (const std::string wrong = (shared ? of_block_ : of_grid_).touch(a, now, shared); !wrong.empty())
      faults_.push_back(std::string(kernel_.name) + ": " + wrong + (shared ? " of shared memory" : " of memory"));
    if (random_() % between_switches == 0) leave();
  }

 private:
  static constexpr std::size_t alignment = 16;
  static thread_local Grid* running;

  bool is_stack(const std::byte* at) const {
    return at >= stacks_.get() && at < stacks_.get() + stack_bytes * threads_;
  }
  static void begin_fibre() {
    Grid& g = *running;
    const GridThread thread{g.block_, g.blocks_, g.thread_, g.threads_, wait_at_barrier};
    g.kernel_.all(g.functor_, g.count_, thread, g.at_shared_);
    g.fibres_[thread.at_thread].ended = true;
    leave();
  }
  static void wait_at_barrier() {
    running->fibres_[running->thread_].waits = true;
    leave();
  }
  /// To the fibres' scheduler; returns when the fibre goes on.
  static void leave() {
    Grid& g = *running;
    Listener* const listener = listen(nullptr);
    swapcontext(&g.fibres_[g.thread_].context, &g.scheduler_);
    listen(listener);
  }
  void go_on(unsigned thread) {
    thread_ = thread;
    Listener* const before = listen(this);
    swapcontext(&scheduler_, &fibres_[thread].context);
    listen(before);
  }
  void begin_block(unsigned block) {
    block_ = block;
    barriers_ = 0;
    of_block_.forget();
    std::memset(at_shared_, 0xA5, kernel_.shared_bytes);
    for (unsigned t = 0; t < threads_; ++t) {
      Fibre& f = fibres_[t];
      f.ended = f.waits = false;
      getcontext(&f.context);
      f.context.uc_stack.ss_sp = stacks_.get() + stack_bytes * t;
      f.context.uc_stack.ss_size = stack_bytes;
      f.context.uc_link = nullptr;
      makecontext(&f.context, begin_fibre, 0);
    }
  }
  void run_block(unsigned block) {
    begin_block(block);
    std::vector<unsigned> order(threads_);
    std::iota(order.begin(), order.end(), 0u);
    for (bool all_ended = false; !all_ended; ++barriers_) {
      std::shuffle(order.begin(), order.end(), random_);
      run_to_barrier(order);
      const auto ended = std::count_if(fibres_.begin(), fibres_.end(), [](const Fibre& f) { return f.ended; });
      all_ended = ended == static_cast<std::ptrdiff_t>(threads_);
      if (!all_ended && ended > 0) {
        faults_.push_back(std::string(kernel_.name) + ": " + std::to_string(ended) + " threads of block " +
                          std::to_string(block) + " ended while others wait at a barrier");
        return;
      }
      for (Fibre& f : fibres_) f.waits = false;
    }
  }
  void run_to_barrier(const std::vector<unsigned>& order) {
    for (bool some = true; some;) {
      some = false;
      for (const unsigned t : order)
        if (!fibres_[t].ended && !fibres_[t].waits) go_on(t), some = true;
    }
  }

  const MeteredKernel& kernel_;
  const void* functor_;
  const std::int64_t count_;
  const unsigned blocks_, threads_;
  std::mt19937 random_;
  std::unique_ptr<std::byte[]> stacks_;
  std::vector<std::byte> shared_;
  std::byte* at_shared_ = nullptr;
  std::vector<Fibre> fibres_;
  ucontext_t scheduler_{};
  Touched of_block_, of_grid_;
  std::vector<std::string> faults_;
  unsigned block_ = 0, thread_ = 0;
  int barriers_ = 0;
};
thread_local Grid* Grid::running = nullptr;

}  // namespace

std::vector<std::string> interpret(const MeteredKernel& kernel, const void* functor, std::int64_t count,
                                   unsigned blocks, unsigned seed) {
  return Grid(kernel, functor, count, blocks, seed).run();
}

bool Interpreter::run(const cuda::FakeKernel& k) {
  const unsigned blocks = k.call % 2 ? k.blocks : (k.blocks + 2) / 3;
  const auto found = interpret(metered_kernel(k.name), k.functor, k.count, blocks, static_cast<unsigned>(k.call));
  const std::scoped_lock lock(mutex_);
  faults_.insert(faults_.end(), found.begin(), found.end());
  kernels_.insert(k.name);
  return true;
}

}  // namespace nw::proof
