// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/process_link.hpp"

#include <algorithm>
#include <condition_variable>
#include <list>

#include "engine/parallel/waiting.hpp"

namespace nw {
namespace {

using namespace std::chrono_literals;

constexpr int link_tag = 4;                                    // no other one of ProcessGroup
constexpr std::size_t longest_message = std::size_t{1} << 30;  // see MessageLayer::send

class ProcessLink final : public StageLink {
 public:
  ProcessLink(ProcessGroup& group, std::vector<LinkEnds> ends)
      : group_(group), ends_(std::move(ends)), sender_([this](const std::stop_token& over) { send_all(over); }) {}
  // Memory that is still being sent from stays: the process is about to end.
  ~ProcessLink() override {
    (void)wait_until([&] { return sent(); });
    sender_ = {};
    for (Sending& s : sending_) (void)s.bytes.release();
  }

  // Returns before the other stage has taken the message: it may itself be sending.
  bool send(std::size_t transfer, std::int64_t, std::span<const std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    for (std::size_t at = 0; at < bytes.size(); at += longest_message) {
      const auto piece = bytes.subspan(at, std::min(longest_message, bytes.size() - at));
      Sending& s = sending_.emplace_back(std::make_unique<std::byte[]>(piece.size()));
      std::copy(piece.begin(), piece.end(), s.bytes.get());
      s.handle = group_.messages().send(ends_[transfer].to, link_tag, s.bytes.get(), std::ssize(piece));
    }
    begun_.notify_all();
    return !over();
  }
  bool receive(std::size_t transfer, std::int64_t, std::span<std::byte> bytes) override {
    for (std::size_t at = 0; at < bytes.size(); at += longest_message) {
      const auto piece = bytes.subspan(at, std::min(longest_message, bytes.size() - at));
      void* const handle = group_.messages().receive(ends_[transfer].from, link_tag, piece.data(), std::ssize(piece));
      if (!wait_until([&] { return group_.messages().done(handle); })) return false;
    }
    return true;
  }
  void abort() override { aborted_ = true; }
  void reset() override { aborted_ = false; }

 private:
  struct Sending {
    explicit Sending(std::unique_ptr<std::byte[]> b) : bytes(std::move(b)) {}
    std::unique_ptr<std::byte[]> bytes;
    void* handle = nullptr;
  };
  bool over() const { return aborted_ || group_.lost(); }
  bool sent() {
    const std::lock_guard lock(mutex_);
    std::erase_if(sending_, [&](Sending& s) { return group_.messages().done(s.handle); });
    return sending_.empty();
  }
  /// A long message moves only while its sender calls the messages' layer, which a stage that computes does not.
  void send_all(const std::stop_token& over) {
    while (!over.stop_requested()) {
      {
        std::unique_lock lock(mutex_);
        begun_.wait(lock, over, [&] { return !sending_.empty(); });
      }
      if (!sent()) std::this_thread::sleep_for(50us);
    }
  }
  /// False: a process is lost, or abort() was called.
  template <class Condition>
  bool wait_until(Condition condition) {
    for (Pause pause; !condition(); pause.take())
      if (over()) return false;
    return true;
  }

  ProcessGroup& group_;
  const std::vector<LinkEnds> ends_;
  std::mutex mutex_;
  std::condition_variable_any begun_;
  std::list<Sending> sending_;  // guarded by mutex_
  std::atomic<bool> aborted_{false};
  std::jthread sender_;
};

}  // namespace

std::unique_ptr<StageLink> make_process_link(ProcessGroup& group, std::vector<LinkEnds> by_transfer) {
  return std::make_unique<ProcessLink>(group, std::move(by_transfer));
}

}  // namespace nw
