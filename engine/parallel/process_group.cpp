// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/process_group.hpp"

#include <algorithm>
#include <cstring>

#include "engine/parallel/waiting.hpp"

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int data_tag = 1, beat_tag = 2;
constexpr auto beat_every = 250ms;
constexpr auto own_delay = 2s;  // a watcher that was itself not run so long cannot tell who was silent

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

}  // namespace

Result<std::unique_ptr<ProcessGroup>> ProcessGroup::join(const MessageLayer& layer, double timeout_s) {
  std::unique_ptr<ProcessGroup> group(new ProcessGroup(layer, timeout_s));
  if (const char* why = layer.start(&group->rank_, &group->world_))
    return fail(Errc::other, NW_TR("the processes that mpirun started cannot send each other messages: {0}"), why);
  group->peers_.resize(static_cast<std::size_t>(group->world_));
  group->is_at(0, "the start");
  for (Peer& p : group->peers_) p.last = Clock::now();
  group->watcher_ = std::jthread([g = group.get()](const std::stop_token& over) { g->watch(over); });
  return group;
}

ProcessGroup::~ProcessGroup() = default;

int ProcessGroup::ranks_on_this_host() const {
  int count = 0;
  for (int r = 0; r < world_; ++r) count += host(r) == host(rank_);
  return count;
}

void ProcessGroup::is_at(std::int64_t step, const char* what) {
  const std::lock_guard lock(mutex_);
  own_.step = step;
  std::memset(own_.what, 0, sizeof own_.what);
  std::strncpy(own_.what, what, sizeof own_.what - 1);
}

std::optional<Error> ProcessGroup::lost() const {
  if (!any_lost_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return lost_;
}

void ProcessGroup::watch(const std::stop_token& over) {
  Clock::time_point last = Clock::now();
  while (!over.stop_requested()) {
    {
      const std::lock_guard lock(mutex_);
      if (Clock::now() - last > own_delay)
        for (Peer& p : peers_) p.last = Clock::now();
      last = Clock::now();
      beat();
      look();
    }
    std::this_thread::sleep_for(beat_every);
  }
}

void ProcessGroup::beat() {
  for (int r = 0; r < world_; ++r) {
    Peer& p = peers_[static_cast<std::size_t>(r)];
    if (p.sending && layer_.done(p.sending)) {
      p.sending = nullptr;
      p.told = p.out.ended != 0;
    }
    if (r == rank_ || p.sending || p.told) continue;
    p.out = own_;
    p.sending = layer_.send(r, beat_tag, &p.out, sizeof p.out);
  }
}

void ProcessGroup::look() {
  for (int r = 0; r < world_; ++r) {
    Peer& p = peers_[static_cast<std::size_t>(r)];
    if (r == rank_ || p.ended) continue;
    if (!p.receiving) p.receiving = layer_.receive(r, beat_tag, &p.heard, sizeof p.heard);
    while (p.receiving && layer_.done(p.receiving)) {
      p.receiving = nullptr;
      p.last = Clock::now();
      p.heard.what[sizeof p.heard.what - 1] = 0;
      p.ended = p.heard.ended != 0;
      if (!p.ended) p.receiving = layer_.receive(r, beat_tag, &p.heard, sizeof p.heard);
    }
    if (lost_) continue;
    if (p.ended)
      lost_ = fail(Errc::stopped, NW_TR("rank {0} on {1} has ended at step {2}, in {3}, with exit code {4}"), r,
                   host(r), p.heard.step, p.heard.what, p.heard.ended - 1);
    else if (const double silent = seconds_since(p.last); silent > timeout_s_)
      lost_ = fail(Errc::other,
                   NW_TR("rank {0} on {1} does not answer for {2} s; it was last at step {3}, in {4}. All ranks end; "
                         "resume the run on those that remain"),
                   r, host(r), static_cast<int>(silent), p.heard.step, p.heard.what);
    any_lost_ = lost_.has_value();
  }
}

bool ProcessGroup::exchange(const std::vector<Message>& out, const std::vector<Message>& in,
                            const std::atomic<bool>& aborted) {
  std::vector<void*> open;
  for (const Message& m : in) open.push_back(layer_.receive(m.rank, data_tag, m.bytes, m.count));
  for (const Message& m : out) open.push_back(layer_.send(m.rank, data_tag, m.bytes, m.count));
  for (int waited = 0; !open.empty(); ++waited) {
    std::erase_if(open, [&](void* handle) { return layer_.done(handle); });
    if (open.empty()) return true;
    if (any_lost_ || aborted) return false;
    if (waited < 2000)
      relax();
    else
      std::this_thread::sleep_for(20us);
  }
  return true;
}

ProcessGroup::Others ProcessGroup::others() const {
  const std::lock_guard lock(mutex_);
  Others o;
  for (int r = 0; r < world_; ++r) {
    const Peer& p = peers_[static_cast<std::size_t>(r)];
    if (r == rank_ || p.ended) continue;
    o.whole = false;
    o.working = o.working || seconds_since(p.last) <= timeout_s_;
  }
  return o;
}

// The others may work for as long as they answer: the first one saves the last checkpoint.
void ProcessGroup::leave(int code) {
  {
    const std::lock_guard lock(mutex_);
    own_.ended = code + 1;
  }
  while (others().working) std::this_thread::sleep_for(20ms);
  if (!others().whole) return layer_.abort(code == 0 ? 1 : code);
  std::this_thread::sleep_for(2 * beat_every);  // the last message of this process is on its way
  watcher_ = {};
  layer_.end();
}

namespace {

class ProcessCommunicator final : public Communicator {
 public:
  ProcessCommunicator(ProcessGroup& group, std::vector<int> ranks)
      : group_(group),
        ranks_(std::move(ranks)),
        rank_(static_cast<int>(std::find(ranks_.begin(), ranks_.end(), group.rank()) - ranks_.begin())) {}
  int rank() const override { return rank_; }
  int world() const override { return static_cast<int>(ranks_.size()); }
  bool all_reduce_sum(float* data, std::int64_t count) override { return sum(data, count); }
  bool all_reduce_sum(double* data, std::int64_t count) override { return sum(data, count); }
  void abort() override { aborted_ = true; }
  bool aborted() const override { return aborted_ || group_.lost(); }

 private:
  static constexpr std::int64_t most_elements = std::int64_t{1} << 26;  // of one exchange, of all ranks together

  template <class T>
  bool sum(T* data, std::int64_t count) {
    for (std::int64_t at = 0; at < count; at += most_elements)
      if (!sum_piece(data + at, std::min(most_elements, count - at))) return false;
    return true;
  }

  /// Each rank sums one part, in rank order, and sends it to all.
  template <class T>
  bool sum_piece(T* data, std::int64_t count) {
    const auto begin = [&](int r) { return count * r / world(); };
    const auto part = [&](int r) { return begin(r + 1) - begin(r); };
    const auto size = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t mine = part(rank());
    scratch_.resize(static_cast<std::size_t>(mine * size * world()));
    T* const others = reinterpret_cast<T*>(scratch_.data());
    std::vector<ProcessGroup::Message> out, in;
    for (int r = 0; r < world(); ++r) {
      if (r == rank()) continue;
      out.push_back({ranks_[static_cast<std::size_t>(r)], data + begin(r), part(r) * size});
      in.push_back({ranks_[static_cast<std::size_t>(r)], others + mine * r, mine * size});
    }
    if (!group_.exchange(out, in, aborted_)) return false;
    T* const own = data + begin(rank());
    std::copy(own, own + mine, others + mine * rank());
    for (std::int64_t i = 0; i < mine; ++i) {
      T total = others[i];
      for (int r = 1; r < world(); ++r) total += others[mine * r + i];
      own[i] = total;
    }
    out.clear(), in.clear();
    for (int r = 0; r < world(); ++r) {
      if (r == rank()) continue;
      out.push_back({ranks_[static_cast<std::size_t>(r)], own, mine * size});
      in.push_back({ranks_[static_cast<std::size_t>(r)], data + begin(r), part(r) * size});
    }
    return group_.exchange(out, in, aborted_);
  }

  ProcessGroup& group_;
  const std::vector<int> ranks_;
  const int rank_;
  std::atomic<bool> aborted_{false};
  std::vector<std::byte> scratch_;
};

}  // namespace

std::unique_ptr<Communicator> make_process_communicator(ProcessGroup& group, std::vector<int> ranks) {
  if (ranks.empty())
    for (int r = 0; r < group.world(); ++r) ranks.push_back(r);
  return std::make_unique<ProcessCommunicator>(group, std::move(ranks));
}

}  // namespace nw
