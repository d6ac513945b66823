// SPDX-License-Identifier: Apache-2.0
// The work of a graph of the fake GPUs, and its launch. Between the parts of the fake.
#pragma once
#include <deque>
#include <map>

#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::cuda {

struct Recorded {
  FakeCall call;
  std::function<void()> work;           // null: call.stream waits here for what call.waits_for has done so far
  std::vector<std::uint64_t> memory{};  // the allocations that the work uses
};

/// Replays a graph in the order of the capture, or with the work of all other streams put off until one waits for it.
class Replay {
 public:
  Replay(const std::vector<Recorded>& graph, bool put_off) : graph_(graph), put_off_(put_off) {}
  void run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Recorded& r = graph_[i];
      if (put_off_ && r.call.stream > 0)
        waiting_[r.call.stream].push_back(i);
      else
        play(i);
    }
    while (!waiting_.empty()) play_stream(waiting_.begin()->first, graph_.size());
  }

 private:
  void play(std::size_t i) {
    const Recorded& r = graph_[i];
    if (r.work) return r.work();
    play_stream(r.call.waits_for, i);
  }
  void play_stream(int stream, std::size_t before) {
    auto& all = waiting_[stream];
    while (!all.empty() && all.front() < before) {
      const std::size_t i = all.front();
      all.pop_front();
      play(i);
    }
    if (all.empty()) waiting_.erase(stream);
  }
  const std::vector<Recorded>& graph_;
  const bool put_off_;
  std::map<int, std::deque<std::size_t>> waiting_;  // indices of the put off work, by stream
};

}  // namespace nw::cuda
