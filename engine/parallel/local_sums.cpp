// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/local_sums.hpp"

#include <algorithm>
#include <chrono>

#include "engine/parallel/rank_order_sum.hpp"
#include "engine/parallel/waiting.hpp"

namespace nw {

LocalSums::LocalSums(int world) : ranks_(static_cast<std::size_t>(world)), spins_(spins_for(world)) {}

void LocalSums::begin(int rank, float* data, std::span<const std::int64_t> bounds, bool to_all) {
  Rank& r = at(rank);
  if (aborted_) return;
  if (r.count == 0) r.data = data;
  if (r.count == r.buckets.size()) r.buckets.emplace_back();
  Bucket& b = r.buckets[r.count++];
  b.bounds.assign(bounds.begin(), bounds.end());
  b.to_all = to_all;
  r.begun.fetch_add(1);
  wake();
}

std::size_t LocalSums::advance(int rank) {
  Rank& r = at(rank);
  for (std::size_t next = r.summed - r.before; next < r.count && !aborted_ && all_begun(r.before + next); ++next) {
    sum_own(rank, r.buckets[next]);
    r.summed.fetch_add(1);
    wake();
  }
  return std::min<std::size_t>(summed_by_all() - r.before, r.count);
}

// A rank is at the end of a step once it has begun all its buckets and written its numbers.
bool LocalSums::finish(int rank, std::span<double> numbers) {
  Rank& r = at(rank);
  const std::uint64_t step = r.ended, last = r.before + r.count;
  std::copy(numbers.begin(), numbers.end(), r.numbers[step % 2].begin());
  r.ended.fetch_add(1);
  wake();
  while (!is_complete(last, step + 1)) {
    advance(rank);
    const auto from = std::chrono::steady_clock::now();
    wait_until([&] { return aborted_ || (r.summed < last ? all_begun(r.summed) : is_complete(last, step + 1)); });
    r.waited_ns +=
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - from).count();
    if (aborted_) return false;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = ranks_[0].numbers[step % 2][i];
    for (std::size_t other = 1; other < ranks_.size(); ++other) numbers[i] += ranks_[other].numbers[step % 2][i];
  }
  r.before = last;
  r.count = 0;
  return !aborted_;
}

double LocalSums::waited_seconds(int rank) const {
  return 1e-9 * static_cast<double>(ranks_[static_cast<std::size_t>(rank)].waited_ns);
}

void LocalSums::abort() {
  aborted_ = true;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

bool LocalSums::all_begun(std::uint64_t bucket) const {
  return std::all_of(ranks_.begin(), ranks_.end(), [&](const Rank& r) { return r.begun > bucket; });
}

bool LocalSums::is_complete(std::uint64_t buckets, std::uint64_t steps) const {
  return summed_by_all() >= buckets && ended_by_all() >= steps;
}

std::uint64_t LocalSums::summed_by_all() const {
  std::uint64_t least = ranks_[0].summed;
  for (const Rank& r : ranks_) least = std::min<std::uint64_t>(least, r.summed);
  return least;
}

std::uint64_t LocalSums::ended_by_all() const {
  std::uint64_t least = ranks_[0].ended;
  for (const Rank& r : ranks_) least = std::min<std::uint64_t>(least, r.ended);
  return least;
}

void LocalSums::sum_own(int rank, const Bucket& b) {
  const auto at = static_cast<std::size_t>(rank);
  sum_in_rank_order<float>(
      static_cast<int>(ranks_.size()), b.bounds[at], b.bounds[at + 1],
      [&](int r) { return ranks_[static_cast<std::size_t>(r)].data; },
      [&](const float* sums, std::int64_t first, std::int64_t count) {
        if (!b.to_all)
          std::copy_n(sums, count, ranks_[at].data + first);
        else
          for (Rank& r : ranks_) std::copy_n(sums, count, r.data + first);
      });
}

// Whoever is about to sleep says so before it looks a last time.
void LocalSums::wake() {
  if (sleeping_ == 0) return;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

template <class Condition>
void LocalSums::wait_until(const Condition& over) {
  for (int i = 0; i < spins_ && !over(); ++i) relax();
  if (over()) return;
  ++sleeping_;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, over);
  }
  --sleeping_;
}

}  // namespace nw
