// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/process_sums.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "engine/parallel/rank_order_sum.hpp"
#include "engine/parallel/waiting.hpp"

namespace nw {
namespace {

// Messages of one tag and one pair of ranks keep their order, and every rank begins buckets, and the sums of buckets,
// in the same order.
constexpr int parts_tag = 5, sums_tag = 6, numbers_tag = 7;

/// Never freed, and found from a static pointer: no leak.
template <class T>
void keep_to_the_end(std::vector<T> memory) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<std::vector<T>>;
  const std::lock_guard lock(mutex);
  kept->push_back(std::move(memory));
}

}  // namespace

ProcessSums::~ProcessSums() {
  if (begun_ == 0 && arriving_.empty() && sent_.empty()) return;
  keep_to_the_end(std::move(buckets_));
  keep_to_the_end(std::move(numbers_));
}

void ProcessSums::begin(float* data, std::span<const std::int64_t> bounds, bool to_all) {
  if (begun_ == buckets_.size()) buckets_.emplace_back();
  Bucket& b = buckets_[begun_++];
  b.data = data;
  b.bounds.assign(bounds.begin(), bounds.end());
  b.to_all = to_all;
  b.stage = Stage::parts;
  exchange_parts(b);
}

/// Every rank sends each other one its part.
void ProcessSums::exchange_parts(Bucket& b) {
  const MessageLayer& layer = group_.messages();
  b.elements_here = b.elements(rank_);
  b.others.resize(static_cast<std::size_t>(b.elements_here) * ranks_.size());
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (r == rank_) continue;
    if (b.bytes(rank_) > 0) b.open.push_back(layer.receive(ranks_[r], parts_tag, b.of(r), b.bytes(rank_)));
    if (b.bytes(r) > 0) b.open.push_back(layer.send(ranks_[r], parts_tag, b.data + b.bounds[r], b.bytes(r)));
  }
}

void ProcessSums::add_own(Bucket& b) {
  const std::int64_t from = b.bounds[rank_];
  sum_in_rank_order<float>(
      static_cast<int>(ranks_.size()), 0, b.elements_here,
      [&](int r) {
        const auto at = static_cast<std::size_t>(r);
        return at == rank_ ? b.data + from : b.of(at);
      },
      [&](const float* sums, std::int64_t first, std::int64_t count) {
        std::copy_n(sums, count, b.data + from + first);
      });
}

void ProcessSums::exchange_sums(Bucket& b) {
  const MessageLayer& layer = group_.messages();
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (r == rank_) continue;
    if (b.bytes(r) > 0) b.open.push_back(layer.receive(ranks_[r], sums_tag, b.data + b.bounds[r], b.bytes(r)));
    if (b.bytes(rank_) > 0) b.open.push_back(layer.send(ranks_[r], sums_tag, b.data + b.bounds[rank_], b.bytes(rank_)));
  }
}

bool ProcessSums::settled(std::vector<void*>& open) const {
  std::erase_if(open, [&](void* handle) { return group_.messages().done(handle); });
  return open.empty();
}

// In order: no bucket's parts are added before those of the bucket before it.
std::size_t ProcessSums::advance() {
  for (std::size_t i = ended_; i < begun_; ++i) {
    Bucket& b = buckets_[i];
    const bool here = settled(b.open);
    if (b.stage == Stage::parts && !here) break;
    if (b.stage == Stage::parts) {
      add_own(b);
      if (b.to_all) exchange_sums(b);
      b.stage = b.to_all ? Stage::sums : Stage::done;
    } else if (here) {
      b.stage = Stage::done;
    }
    if (i == ended_ && b.stage == Stage::done) ++ended_;
  }
  return ended_;
}

void ProcessSums::exchange_numbers(std::span<const double> own) {
  const MessageLayer& layer = group_.messages();
  numbers_.resize(ranks_.size());
  std::copy(own.begin(), own.end(), numbers_[rank_].begin());
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (r == rank_) continue;
    arriving_.push_back(layer.receive(ranks_[r], numbers_tag, numbers_[r].data(), sizeof(Numbers)));
    sent_.push_back(layer.send(ranks_[r], numbers_tag, numbers_[rank_].data(), sizeof(Numbers)));
  }
}

void ProcessSums::add_numbers(std::span<double> numbers) const {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = numbers_[0][i];
    for (std::size_t r = 1; r < numbers_.size(); ++r) numbers[i] += numbers_[r][i];
  }
}

// The numbers of a rank say that it is here.
bool ProcessSums::finish(std::span<double> numbers, std::atomic<double>& waited) {
  const auto from = std::chrono::steady_clock::now();
  exchange_numbers(numbers);
  bool all_here = false;
  for (Pause pause; advance() < begun_ || !all_here || !settled(sent_); pause.take()) {
    if (!all_here && settled(arriving_)) {
      all_here = true;
      waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
      continue;
    }
    if (aborted_ || group_.lost()) return false;
  }
  add_numbers(numbers);
  begun_ = ended_ = 0;
  return true;
}

}  // namespace nw
