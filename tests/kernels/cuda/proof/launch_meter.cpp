// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/proof/launch_meter.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "tests/kernels/cuda/fakes/fake_memory.hpp"
#include "tests/kernels/cuda/proof/access.hpp"
#include "tests/kernels/cuda/proof/metered_kernels.hpp"

namespace nw::proof {
namespace {

using cuda::FakeKernel;
using cuda::FakeRange;

/// A part of device memory: from an address in the functor up to the next one, or to the end of the allocation.
struct Part {
  FakeRange range, reads{}, writes{};
  double read_bytes = 0, written_bytes = 0;
};
void widen(FakeRange& r, const Access& a) {
  const std::byte* const end = a.at + a.bytes;
  r = r.begin ? FakeRange{std::min(r.begin, a.at), std::max(r.end, end)} : FakeRange{a.at, end};
}
double size_of(const FakeRange& r) { return static_cast<double>(r.end - r.begin); }

/// The most frequent load of a thread in one phase.
class Sites {
 public:
  void begin() { ++now_, most_ = 0; }
  void add(const void* site) {
    Site& s = sites_[reinterpret_cast<std::uintptr_t>(site) * 0x9E3779B97F4A7C15ULL >> 52];
    if (s.since != now_ || s.at != site) s = {site, now_, 0};
    most_ = std::max(most_, ++s.times);
  }
  int most() const { return most_; }

 private:
  struct Site {
    const void* at;
    std::uint64_t since;
    int times;
  };
  std::array<Site, 4096> sites_{};
  std::uint64_t now_ = 0;
  int most_ = 0;
};

class LaunchMeter final : public Listener {
 public:
  explicit LaunchMeter(const FakeKernel& launch)
      : launch_(launch), kernel_(metered_kernel(launch.name)), shared_(kernel_.shared_bytes + 16) {
    find_parts();
    aligned_ = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(shared_.data()) + 15) / 16 * 16);
  }
  Cost run() {
    Listener* const before = listen(this);
    const double ran = kernel_.threads ? run_blocks() : run_elements();
    listen(before);
    return cost(static_cast<double>(launch_.count) / ran);
  }

  void access(const Access& a) override {
    if (a.at >= aligned_ && a.at < aligned_ + kernel_.shared_bytes) return void(++accesses_);
    Part* const part = is_own(a.at) ? nullptr : part_of(a.at);
    if (!part) return;
    ++accesses_;
    widen(a.writes ? part->writes : part->reads, a);
    (a.writes ? part->written_bytes : part->read_bytes) += static_cast<double>(a.bytes);
    if (!a.writes) sites_.add(a.site);
  }

 private:
  static constexpr std::int64_t few = 8192, edge = 64, between = 128;

  void find_parts() {
    std::set<const std::byte*> begins;
    for (std::size_t i = 0; i + sizeof(void*) <= launch_.bytes; i += alignof(void*)) {
      const std::byte* at = nullptr;
      std::memcpy(&at, static_cast<const std::byte*>(launch_.functor) + i, sizeof at);
      if (cuda::fake_allocation(at)) begins.insert(at);
    }
    for (const std::byte* at : begins) parts_.push_back({{at, cuda::fake_range_around(at).end}});
  }
  /// The functor, or a variable of the thread.
  bool is_own(const std::byte* at) const {
    const auto* const functor = static_cast<const std::byte*>(launch_.functor);
    return (at >= functor && at < functor + launch_.bytes) || (at >= stack_.begin && at < stack_.end);
  }
  static FakeRange stack_of_this_thread() {
    pthread_attr_t attributes;
    void* at = nullptr;
    std::size_t bytes = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return {};
    ::pthread_attr_getstack(&attributes, &at, &bytes);
    ::pthread_attr_destroy(&attributes);
    return FakeRange::of(at, bytes);
  }
  Part* part_of(const std::byte* at) {
    auto after = std::upper_bound(parts_.begin(), parts_.end(), at,
                                  [](const std::byte* p, const Part& part) { return p < part.range.begin; });
    if (after != parts_.begin() && at < (after - 1)->range.end) return &*(after - 1);
    if (!cuda::fake_allocation(at)) return nullptr;  // of the thread itself, or the functor
    // an address that was read from device memory
    const auto range = cuda::fake_range_around(at);
    return &*parts_.insert(after, Part{range});
  }
  std::vector<std::int64_t> chosen(std::int64_t all, std::int64_t edges, std::int64_t inside) const {
    std::set<std::int64_t> s;
    for (std::int64_t i = 0; i < std::min(edges, launch_.count); ++i) s.insert({i, launch_.count - 1 - i});
    for (std::int64_t i = 0; i < inside; ++i) s.insert(launch_.count * i / inside);
    if (launch_.count <= all)
      for (std::int64_t i = 0; i < launch_.count; ++i) s.insert(i);
    return {s.begin(), s.end()};
  }
  double run_elements() {
    const auto indices = chosen(few, edge, between);
    for (const std::int64_t i : indices) {
      sites_.begin();
      kernel_.element(launch_.functor, i);
      loads_ = std::max(loads_, sites_.most());
    }
    return static_cast<double>(indices.size());
  }
  double run_blocks() {
    const auto blocks = chosen(few / kernel_.threads, 2, 4);
    for (const std::int64_t block : blocks) {
      std::vector<int> loads(static_cast<std::size_t>(kernel_.threads));
      for (int phase = 0; phase < kernel_.phases; ++phase)
        for (int thread = 0; thread < kernel_.threads; ++thread) {
          sites_.begin();
          kernel_.phase(launch_.functor, block, thread, phase, aligned_);
          loads[static_cast<std::size_t>(thread)] += sites_.most();
        }
      loads_ = std::max(loads_, *std::max_element(loads.begin(), loads.end()));
    }
    return static_cast<double>(blocks.size());
  }
  Cost cost(double scale) const {
    Cost c{launch_.name};
    c.blocks = static_cast<double>(launch_.blocks);
    c.threads = kernel_.threads ? c.blocks * launch_.threads
                                : std::min(static_cast<double>(launch_.count), c.blocks * launch_.threads);
    c.accesses = scale * static_cast<double>(accesses_);
    c.loads = (loads_ + together - 1) / together;
    for (const Part& p : parts_) {
      if (p.reads.begin) c.reads.push_back(p.reads);
      if (p.writes.begin) c.writes.push_back(p.writes);
      c.read += std::min(size_of(p.reads), scale * p.read_bytes);
      c.written += std::min(size_of(p.writes), scale * p.written_bytes);
    }
    return c;
  }

  const FakeKernel& launch_;
  const MeteredKernel& kernel_;
  std::vector<std::byte> shared_;
  std::byte* aligned_ = nullptr;
  const FakeRange stack_ = stack_of_this_thread();
  std::vector<Part> parts_;
  Sites sites_;
  std::int64_t accesses_ = 0;
  int loads_ = 0;
};

}  // namespace

Cost measure(const FakeKernel& launch) { return std::make_unique<LaunchMeter>(launch)->run(); }

}  // namespace nw::proof
