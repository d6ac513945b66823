// SPDX-License-Identifier: Apache-2.0
// Which work of a GPU is certain to have ended before other work begins: through its stream, through events, through
// the order of a captured graph, or because the host waited.
#pragma once
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "tests/kernels/cuda/fakes/fake_meter.hpp"

namespace nw::proof {

/// Work, in the order in which it was enqueued, with what it reads and writes.
struct Work {
  std::string what;
  int gpu = 0;
  std::size_t lane = 0;               // a stream, a stream of a graph, or the host
  std::int64_t time = 0;              // of its lane, from 1
  std::vector<std::int64_t> after{};  // by lane: the time up to which everything has ended
  std::vector<cuda::FakeRange> reads{}, writes{};
};

/// A meter that records the order and measures the kernels' ranges once for each launch. For tests of several GPUs it
/// may be called by several threads, one for each GPU.
class OrderMeter final : public cuda::FakeMeter {
 public:
  /// Leaves out the n-th wait for an event, of a stream of a graph or outside of one: a fault that is planted.
  explicit OrderMeter(int left_out = -1) : left_out_(left_out) {}
  bool computes() const override { return false; }
  bool run(const cuda::FakeKernel&) override;
  /// What a kernel's launch touches, if run() is not called for it.
  void touches(std::uint64_t call, std::vector<cuda::FakeRange> reads, std::vector<cuda::FakeRange> writes);
  void order(const cuda::FakeOrder&) override;
  /// Pairs of which neither is certain to end before the other begins, though one writes what the other touches.
  std::vector<std::string> unordered();
  /// Waits for events so far, and lanes.
  int waits() const { return waits_; }
  std::size_t lanes() const { return lanes_.size(); }

 private:
  using Clock = std::vector<std::int64_t>;
  struct LaneKey {
    int gpu;
    const void* stream;
    int of_graph;  // 0: the stream itself, or the first of a graph
    bool operator<(const LaneKey& o) const {
      return std::tie(gpu, stream, of_graph) < std::tie(o.gpu, o.stream, o.of_graph);
    }
  };
  std::size_t lane(const LaneKey&);
  void begin(std::size_t lane, const cuda::FakeCall&, int gpu);
  void replay(const cuda::FakeOrder&);
  bool leaves_out() { return waits_++ == left_out_; }
  static void join(Clock& to, const Clock& from);
  static bool before(const Work& a, const Work& b);

  std::mutex mutex_;
  int left_out_, waits_ = 0;
  std::map<LaneKey, std::size_t> lanes_;
  std::vector<Clock> clocks_;  // by lane
  std::map<const void*, Clock> events_;
  std::vector<Work> work_;
  std::vector<std::uint64_t> ids_;  // of work_
  struct Ranges {
    std::vector<cuda::FakeRange> reads, writes;
  };
  std::map<std::uint64_t, Ranges> kernels_;  // by call
};

}  // namespace nw::proof
