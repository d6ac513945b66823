// SPDX-License-Identifier: Apache-2.0
// A layer of messages between threads that play processes.
#pragma once
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "engine/parallel/messages.hpp"

namespace nw::test {

inline constexpr int most_ranks = 4;

/// Sender, receiver and tag: the first message is for the first receive, whichever is asked for first.
using Box = std::tuple<int, int, int>;
struct Handle {
  Box box;
  void* to = nullptr;
  bool receives = false;
  std::size_t number = 0;  // of the message in its box
};
struct Post {
  std::mutex mutex;
  std::deque<Handle> handles;
  std::map<Box, std::vector<std::vector<char>>> sent;  // those that were received are empty
  std::map<Box, std::size_t> receives;
  std::atomic<int> world{0}, ended{0}, aborted_with{0};
  std::array<std::atomic<bool>, most_ranks> silent{};  // its messages are lost
  /// Begins anew, for so many ranks.
  void reset(int ranks) {
    const std::lock_guard lock(mutex);
    handles.clear();
    sent.clear();
    receives.clear();
    world = ranks;
    ended = aborted_with = 0;
    for (auto& s : silent) s = false;
  }
};
inline Post& post() {
  static Post p;
  return p;
}

inline Handle* handle(Handle made) {
  const std::lock_guard lock(post().mutex);
  return &post().handles.emplace_back(std::move(made));
}

/// What rank R sees of the layer.
template <int R>
struct Layer {
  static const char* start(int* rank, int* world) {
    *rank = R;
    *world = post().world;
    return nullptr;
  }
  static const char* host(int rank) { return rank == 2 ? "other" : "here"; }
  static void* send(int to, int tag, const void* bytes, std::int64_t count) {
    {
      const std::lock_guard lock(post().mutex);
      const auto* first = static_cast<const char*>(bytes);
      if (!post().silent[R]) post().sent[{R, to, tag}].emplace_back(first, first + count);
    }
    return handle({});
  }
  static void* receive(int from, int tag, void* bytes, std::int64_t) {
    std::size_t number = 0;
    {
      const std::lock_guard lock(post().mutex);
      number = post().receives[{from, R, tag}]++;
    }
    return handle({{from, R, tag}, bytes, true, number});
  }
  static bool done(void* handle) {
    auto* h = static_cast<Handle*>(handle);
    const std::lock_guard lock(post().mutex);
    if (h->receives) {
      auto& box = post().sent[h->box];
      if (box.size() <= h->number) return false;
      std::copy(box[h->number].begin(), box[h->number].end(), static_cast<char*>(h->to));
      box[h->number] = {};
    }
    return true;
  }
  static void end() { ++post().ended; }
  static void abort(int code) { post().aborted_with = code; }
  static constexpr MessageLayer layer{message_layer_version, "threads", start, host, send, receive, done, end, abort};
};
inline constexpr const MessageLayer* layers[most_ranks] = {&Layer<0>::layer, &Layer<1>::layer, &Layer<2>::layer,
                                                           &Layer<3>::layer};

}  // namespace nw::test
