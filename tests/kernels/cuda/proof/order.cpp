// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/proof/order.hpp"

#include <algorithm>

#include "tests/kernels/cuda/proof/launch_meter.hpp"

namespace nw::proof {
namespace {

using cuda::FakeCall;
using cuda::FakeOrder;
using cuda::FakeRange;

bool overlap(const std::vector<FakeRange>& a, const std::vector<FakeRange>& b) {
  for (const FakeRange& x : a)
    for (const FakeRange& y : b)
      if (x.begin < y.end && y.begin < x.end) return true;
  return false;
}

}  // namespace

bool OrderMeter::run(const cuda::FakeKernel& k) {
  {
    const std::scoped_lock lock(mutex_);
    if (kernels_.count(k.call)) return true;
  }
  Cost c = measure(k);
  touches(k.call, std::move(c.reads), std::move(c.writes));
  return true;
}
void OrderMeter::touches(std::uint64_t call, std::vector<FakeRange> reads, std::vector<FakeRange> writes) {
  const std::scoped_lock lock(mutex_);
  kernels_[call] = {std::move(reads), std::move(writes)};
}

void OrderMeter::join(Clock& to, const Clock& from) {
  to.resize(std::max(to.size(), from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

std::size_t OrderMeter::lane(const LaneKey& key) {
  const auto [at, is_new] = lanes_.try_emplace(key, lanes_.size());
  if (is_new) clocks_.emplace_back();
  return at->second;
}

void OrderMeter::begin(std::size_t lane, const FakeCall& call, int gpu) {
  Clock& clock = clocks_[lane];
  clock.resize(std::max(clock.size(), lane + 1));
  work_.push_back({call.what, gpu, lane, clock[lane] + 1, clock, call.reads, call.writes});
  ids_.push_back(call.id);
  ++clock[lane];
}

// The host enqueues in its own order, so what it has waited for has ended before anything it enqueues begins.
void OrderMeter::order(const FakeOrder& o) {
  const std::scoped_lock lock(mutex_);
  const std::size_t host = lane({o.gpu, nullptr, 0});
  if (o.kind == FakeOrder::host_touches) return begin(host, o.calls.front(), o.gpu);
  const std::size_t stream = lane({o.gpu, o.stream, 0});
  switch (o.kind) {
    case FakeOrder::work:
      join(clocks_[stream], clocks_[host]);
      return begin(stream, o.calls.front(), o.gpu);
    case FakeOrder::graph:
      join(clocks_[stream], clocks_[host]);
      return replay(o);
    case FakeOrder::record:
      events_[o.object] = clocks_[stream];
      return;
    case FakeOrder::wait:
      if (!leaves_out()) join(clocks_[stream], events_[o.object]);
      return;
    case FakeOrder::host_waits_for_stream:
      return join(clocks_[host], clocks_[stream]);
    default:
      return join(clocks_[host], events_[o.object]);
  }
}

// All of a graph begins after what its stream did before, and ends before what the stream does next.
void OrderMeter::replay(const FakeOrder& o) {
  const std::size_t first = lane({o.gpu, o.stream, 0});
  const Clock at_begin = clocks_[first];
  std::set<std::size_t> used{first};
  const auto lane_of = [&](int stream) {
    const std::size_t l = lane({o.gpu, stream == 0 ? o.stream : o.object, stream});
    if (used.insert(l).second) join(clocks_[l], at_begin);
    return l;
  };
  std::vector<std::map<std::size_t, Clock>> so_far(o.calls.size() + 1);  // by call: the clocks before it
  for (std::size_t i = 0; i < o.calls.size(); ++i) {
    const FakeCall& c = o.calls[i];
    const std::size_t at = lane_of(c.stream);
    if (c.what != "wait") {
      begin(at, c, o.gpu);
    } else if (const std::size_t from = lane_of(c.waits_for); !leaves_out()) {
      const auto& known = so_far[c.waits_until];
      const auto then = known.find(from);
      join(clocks_[at], then == known.end() ? at_begin : then->second);
    }
    for (const std::size_t l : used) so_far[i + 1][l] = clocks_[l];
  }
  for (const std::size_t l : used) join(clocks_[first], clocks_[l]);
}

bool OrderMeter::before(const Work& a, const Work& b) { return a.lane < b.after.size() && b.after[a.lane] >= a.time; }

std::vector<std::string> OrderMeter::unordered() {
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < work_.size(); ++i)
    if (const auto k = kernels_.find(ids_[i]); k != kernels_.end())
      work_[i].reads = k->second.reads, work_[i].writes = k->second.writes;
  std::set<std::string> found;
  for (std::size_t i = 0; i < work_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Work &a = work_[j], &b = work_[i];
      if (a.lane == b.lane || a.gpu != b.gpu || before(a, b) || before(b, a)) continue;
      if (overlap(a.writes, b.writes) || overlap(a.writes, b.reads) || overlap(a.reads, b.writes))
        found.insert(a.what + " and " + b.what);
    }
  return {found.begin(), found.end()};
}

}  // namespace nw::proof
