// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#include "engine/parallel/stage_link.hpp"

namespace nw {
namespace {

class LocalLink final : public StageLink {
 public:
  bool send(std::size_t transfer, std::int64_t part, std::span<const std::byte> bytes) override {
    std::vector<std::byte> message(bytes.begin(), bytes.end());
    const std::lock_guard lock(mutex_);
    if (aborted_) return false;
    messages_[{transfer, part}] = std::move(message);
    arrived_.notify_all();
    return true;
  }
  bool receive(std::size_t transfer, std::int64_t part, std::span<std::byte> bytes) override {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return aborted_ || messages_.contains({transfer, part}); });
    if (aborted_) return false;
    const auto node = messages_.extract({transfer, part});
    lock.unlock();
    if (node.mapped().size() != bytes.size()) return false;
    std::copy(node.mapped().begin(), node.mapped().end(), bytes.begin());
    return true;
  }
  void abort() override {
    const std::lock_guard lock(mutex_);
    aborted_ = true;
    arrived_.notify_all();
  }
  void reset() override {
    const std::lock_guard lock(mutex_);
    aborted_ = false;
    messages_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<std::size_t, std::int64_t>, std::vector<std::byte>> messages_;
  bool aborted_ = false;
};

}  // namespace

std::unique_ptr<StageLink> make_local_link() { return std::make_unique<LocalLink>(); }

}  // namespace nw
