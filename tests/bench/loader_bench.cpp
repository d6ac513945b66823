// SPDX-License-Identifier: Apache-2.0
// loader_bench DIR [BATCH]: opens an image folder or archive, builds the batches of one epoch in shuffled order and
// prints the times in JSON. Decoded pixels come from the data cache in XDG_CACHE_HOME if it has them;
// NETWRIGHT_DATA_CACHE=0 disables the cache.
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "engine/core/json.hpp"
#include "engine/data/batches/batch.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/dataset.hpp"
#include "engine/parallel/team.hpp"

namespace {
using namespace nw;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// One epoch as the trainer requests it: every batch is built once, with one thread per processor.
Status one_epoch(const BatchBuilder& maker, std::int64_t batch, std::int64_t sample_floats) {
  std::vector<std::int64_t> order;
  maker.order(0, true, order);
  const auto size = static_cast<std::int64_t>(order.size());
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  const auto work = [&] {
    std::vector<float> images(static_cast<std::size_t>(batch * sample_floats));
    for (std::int64_t at = next.fetch_add(batch); at < size; at = next.fetch_add(batch)) {
      const std::int64_t count = std::min(batch, size - at);
      if (!maker.fill(std::span(order).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count)), 0, false,
                      std::span(images).first(static_cast<std::size_t>(count * sample_floats))))
        failed = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (int w = 1; w < default_threads(0); ++w) others.emplace_back(work);
    work();
  }
  return failed ? Status(fail(Errc::other, "a batch could not be made")) : Status();
}

Result<Json> measure(const std::string& place, std::int64_t batch) {
  const auto begin = Clock::now();
  NW_ASSIGN(const OpenedData data, open_data({.kind = SourceKind::image_folder, .path = place}, {}, false));
  const double open_s = seconds_since(begin);
  std::vector<std::int64_t> all(static_cast<std::size_t>(data.train->size()));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  const auto channels = static_cast<std::size_t>(data.train->channels());
  const BatchBuilder maker(data.train, all, {std::vector<float>(channels, 0.0F), std::vector<float>(channels, 1.0F)},
                           {}, 1);
  NW_TRY(one_epoch(maker, batch, data.train->bytes()));
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return Json{{"images", data.train->size()},
              {"test_images", data.test ? data.test->size() : 0},
              {"open_s", open_s},
              {"epoch_s", seconds_since(begin)},
              {"peak_rss_mib", static_cast<double>(used.ru_maxrss) / 1024}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "loader_bench DIR [BATCH]\n"), 2;
  const auto measured = measure(argv[1], argc > 2 ? std::atoll(argv[2]) : 64);
  if (!measured) return std::fprintf(stderr, "%s\n", measured.error().str().c_str()), 3;
  std::printf("%s\n", measured->dump().c_str());
  return 0;
}
