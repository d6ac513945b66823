// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/process_group.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <new>

#include "engine/parallel/process_sums.hpp"
#include "engine/parallel/rank_order_sum.hpp"
#include "engine/parallel/waiting.hpp"

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int data_tag = 1, beat_tag = 2, begun_tag = 3;  // 4: process_link.cpp, 5 to 7: process_sums.cpp
constexpr auto beat_every = 250ms;
constexpr auto own_delay = 2s;  // a watcher that was itself not run so long cannot tell who was silent

/// As much of the text as there is room for.
template <std::size_t N>
void copy_text(char (&to)[N], const std::string& text) {
  std::memset(to, 0, N);
  text.copy(to, N - 1);
}

// Places in Figures that a sign of life fills itself: who sent it.
constexpr std::size_t figure_process = 14, figure_process_space = 15;

/// What process numbers refer to: the same in all processes that can see each other's.
double process_space() {
  struct stat info {};
  return ::stat("/proc/self/ns/pid", &info) == 0 ? static_cast<double>(info.st_ino) : 0;
}

/// Whether the process has ended, also if nobody has asked for its exit code yet.
bool is_gone(std::int64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return true;
  const std::size_t name = line.rfind(')');
  const char state = name + 2 < line.size() ? line[name + 2] : '?';
  return state == 'Z' || state == 'X';
}

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

}  // namespace

Result<std::unique_ptr<ProcessGroup>> ProcessGroup::join(const MessageLayer& layer, double timeout_s) {
  std::unique_ptr<ProcessGroup> group(new ProcessGroup(layer, timeout_s));
  if (const char* why = layer.start(&group->rank_, &group->world_))
    return fail(Errc::other, NW_TR("the processes that mpirun started cannot send each other messages: {0}"), why);
  group->peers_.resize(static_cast<std::size_t>(group->world_));
  group->begun_.resize(2 * group->peers_.size());
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

int ProcessGroup::number_on_this_host() const {
  int count = 0;
  for (int r = 0; r < rank_; ++r) count += host(r) == host(rank_);
  return count;
}

void ProcessGroup::is_at(std::int64_t step, const char* what) {
  const std::lock_guard lock(mutex_);
  own_.step = step;
  copy_text(own_.what, what);
}

void ProcessGroup::is_at(const char* what) {
  const std::lock_guard lock(mutex_);
  copy_text(own_.what, what);
}

void ProcessGroup::tell_place_by(std::function<std::string()> place) {
  const std::lock_guard lock(mutex_);
  place_ = std::move(place);
}

void ProcessGroup::tell(const Figures& own, const std::string& device) {
  const std::lock_guard lock(mutex_);
  own_.figures = own;
  copy_text(own_.device, device);
}

ProcessGroup::Told ProcessGroup::told(int rank) const {
  const std::lock_guard lock(mutex_);
  const Beat& b = rank == rank_ ? own_ : peers_[static_cast<std::size_t>(rank)].known;
  return {b.figures, b.device};
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
      try {
        beat();
        look();
      } catch (const std::bad_alloc&) {}  // at the next beat
    }
    std::this_thread::sleep_for(beat_every);
  }
}

void ProcessGroup::beat() {
  Beat now = own_;
  now.figures[figure_process] = static_cast<double>(::getpid());
  now.figures[figure_process_space] = process_space();
  if (const std::string place = place_ ? place_() : ""; !place.empty())
    copy_text(now.what, std::string(own_.what) + ", " + place);
  for (int r = 0; r < world_; ++r) {
    Peer& p = peers_[static_cast<std::size_t>(r)];
    if (p.sending && layer_.done(p.sending)) {
      p.sending = nullptr;
      p.told = p.out.ended != 0;
    }
    if (r == rank_ || p.sending || p.told) continue;
    p.out = now;
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
      p.heard.what[sizeof p.heard.what - 1] = p.heard.device[sizeof p.heard.device - 1] = 0;
      p.known = p.heard;
      p.ended = p.heard.ended != 0;
      if (!p.ended) p.receiving = layer_.receive(r, beat_tag, &p.heard, sizeof p.heard);
    }
    if (lost_) continue;
    if (p.ended)
      lost_ = fail(Errc::stopped, NW_TR("rank {0} on {1} has ended at step {2}, in {3}, with exit code {4}"), r,
                   host(r), p.known.step, p.known.what, p.known.ended - 1);
    else if (const auto& f = p.known.figures; f[figure_process] > 0 && host(r) == host(rank_) &&
                                              f[figure_process_space] == process_space() &&
                                              is_gone(static_cast<std::int64_t>(f[figure_process])))
      lost_ =
          fail(Errc::other,
               NW_TR("rank {0} on {1} is gone without a word: its process was killed or has crashed; it was last at "
                     "step {2}, in {3}. All ranks end; resume the run on those that remain"),
               r, host(r), p.known.step, p.known.what);
    else if (const double silent = seconds_since(p.last); silent > timeout_s_)
      lost_ = fail(Errc::other,
                   NW_TR("rank {0} on {1} does not answer for {2} s; it was last at step {3}, in {4}. All ranks end; "
                         "resume the run on those that remain"),
                   r, host(r), static_cast<int>(silent), p.known.step, p.known.what);
    any_lost_ = lost_.has_value();
  }
}

bool ProcessGroup::exchange(const std::vector<Message>& out, const std::vector<Message>& in,
                            const std::atomic<bool>& aborted) {
  std::vector<void*> open;
  for (const Message& m : in) open.push_back(layer_.receive(m.rank, data_tag, m.bytes, m.count));
  for (const Message& m : out) open.push_back(layer_.send(m.rank, data_tag, m.bytes, m.count));
  return wait_for(std::move(open), {}, aborted, nullptr);
}

// A byte from each of the others says that it has begun.
bool ProcessGroup::exchange(const std::vector<Message>& out, const std::vector<Message>& in,
                            const std::atomic<bool>& aborted, std::atomic<double>& waited) {
  std::vector<void*> open, beginnings;
  for (const Message& m : in) {
    char* const at = begun_.data() + 2 * static_cast<std::ptrdiff_t>(m.rank);
    beginnings.push_back(layer_.receive(m.rank, begun_tag, at, 1));
    open.push_back(layer_.send(m.rank, begun_tag, at + 1, 1));
  }
  for (const Message& m : in) open.push_back(layer_.receive(m.rank, data_tag, m.bytes, m.count));
  for (const Message& m : out) open.push_back(layer_.send(m.rank, data_tag, m.bytes, m.count));
  return wait_for(std::move(open), std::move(beginnings), aborted, &waited);
}

bool ProcessGroup::wait_for(std::vector<void*> open, std::vector<void*> beginnings, const std::atomic<bool>& aborted,
                            std::atomic<double>* waited) {
  const Clock::time_point from = Clock::now();
  for (Pause pause; !open.empty() || !beginnings.empty(); pause.take()) {
    if (!beginnings.empty()) {
      std::erase_if(beginnings, [&](void* handle) { return layer_.done(handle); });
      if (beginnings.empty()) waited->fetch_add(seconds_since(from));
    }
    std::erase_if(open, [&](void* handle) { return layer_.done(handle); });
    if (open.empty() && beginnings.empty()) return true;
    if (any_lost_ || aborted) return false;
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

class ProcessCommunicator final : public RankCommunicator {
 public:
  ProcessCommunicator(ProcessGroup& group, std::vector<int> ranks)
      : group_(group),
        ranks_(std::move(ranks)),
        rank_(static_cast<int>(std::find(ranks_.begin(), ranks_.end(), group.rank()) - ranks_.begin())) {}
  int rank() const override { return rank_; }
  int world() const override { return static_cast<int>(ranks_.size()); }
  bool all_reduce_sum(float* data, std::int64_t count) override { return sum(data, count); }
  bool all_reduce_sum(double* data, std::int64_t count) override { return sum(data, count); }
  bool reduce_scatter_sum(float* data, std::span<const std::int64_t> bounds) override { return scatter(data, bounds); }
  bool all_gather(std::byte* data, std::span<const std::int64_t> bounds) override {
    return in_pieces(bounds, piece_bytes / world(), [&](const Ranges& part) { return gather_piece(data, part); });
  }
  void begin_sum(float* data, std::span<const std::int64_t> bounds, bool to_all) override {
    buckets_.begin(data, bounds, to_all);
  }
  std::size_t advance_sums() override { return buckets_.advance(); }
  bool finish_sums(std::span<double> numbers) override { return buckets_.finish(numbers, waited_); }
  double waited_seconds() const override { return waited_; }
  void abort() override { aborted_ = true; }
  bool aborted() const override { return aborted_ || group_.lost(); }

 private:
  static constexpr std::int64_t most_elements = std::int64_t{1} << 26;  // of one exchange, of all ranks together
  static constexpr std::int64_t piece_bytes = std::int64_t{1} << 28;

  /// A range for each rank.
  using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

  /// Calls work(a part of every rank's range, of at most `most`) until all are done.
  template <class Work>
  bool in_pieces(std::span<const std::int64_t> bounds, std::int64_t most, const Work& work) {
    std::int64_t longest = 0;
    for (std::size_t r = 0; r + 1 < bounds.size(); ++r) longest = std::max(longest, bounds[r + 1] - bounds[r]);
    for (std::int64_t at = 0; at < longest; at += most) {
      Ranges part;
      for (std::size_t r = 0; r + 1 < bounds.size(); ++r)
        part.emplace_back(std::min(bounds[r] + at, bounds[r + 1]), std::min(bounds[r] + at + most, bounds[r + 1]));
      if (!work(part)) return false;
    }
    return true;
  }

  template <class T>
  bool scatter(T* data, std::span<const std::int64_t> bounds) {
    return in_pieces(bounds, most_elements / world(), [&](const Ranges& part) { return sum_piece(data, part); });
  }

  template <class T>
  bool sum(T* data, std::int64_t count) {
    const std::int64_t size = sizeof(T);
    std::vector<std::int64_t> bounds, bytes;
    for (int r = 0; r <= world(); ++r) {
      bounds.push_back(count * r / world());
      bytes.push_back(bounds.back() * size);
    }
    return scatter(data, bounds) && in_pieces(bytes, piece_bytes / world(), [&](const Ranges& part) {
             return gather_piece(reinterpret_cast<std::byte*>(data), part);
           });
  }

  /// Every rank sends each other one its part, and sums its own in rank order.
  template <class T>
  bool sum_piece(T* data, const Ranges& of) {
    const std::int64_t size = sizeof(T);
    const auto [begin, end] = of[static_cast<std::size_t>(rank())];
    const std::int64_t mine = end - begin;
    scratch_.resize(static_cast<std::size_t>(mine * size * world()));
    T* const others = reinterpret_cast<T*>(scratch_.data());
    std::vector<ProcessGroup::Message> out, in;
    for (int r = 0; r < world(); ++r) {
      if (r == rank()) continue;
      const auto [first, last] = of[static_cast<std::size_t>(r)];
      out.push_back({ranks_[static_cast<std::size_t>(r)], data + first, (last - first) * size});
      in.push_back({ranks_[static_cast<std::size_t>(r)], others + mine * r, mine * size});
    }
    if (!group_.exchange(out, in, aborted_, waited_)) return false;
    T* const own = data + begin;
    sum_in_rank_order<T>(
        world(), 0, mine, [&](int r) { return r == rank() ? own : others + mine * r; },
        [&](const T* sums, std::int64_t first, std::int64_t count) { std::copy_n(sums, count, own + first); });
    return true;
  }

  bool gather_piece(std::byte* data, const Ranges& of) {
    std::vector<ProcessGroup::Message> out, in;
    const auto [begin, end] = of[static_cast<std::size_t>(rank())];
    for (int r = 0; r < world(); ++r) {
      if (r == rank()) continue;
      const auto [first, last] = of[static_cast<std::size_t>(r)];
      out.push_back({ranks_[static_cast<std::size_t>(r)], data + begin, end - begin});
      in.push_back({ranks_[static_cast<std::size_t>(r)], data + first, last - first});
    }
    return group_.exchange(out, in, aborted_, waited_);
  }

  ProcessGroup& group_;
  const std::vector<int> ranks_;
  const int rank_;
  std::atomic<bool> aborted_{false};
  std::atomic<double> waited_{0};
  std::vector<std::byte> scratch_;
  ProcessSums buckets_{group_, ranks_, rank_, aborted_};
};

}  // namespace

std::unique_ptr<RankCommunicator> make_process_communicator(ProcessGroup& group, std::vector<int> ranks) {
  if (ranks.empty())
    for (int r = 0; r < group.world(); ++r) ranks.push_back(r);
  return std::make_unique<ProcessCommunicator>(group, std::move(ranks));
}

}  // namespace nw
