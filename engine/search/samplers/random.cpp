// SPDX-License-Identifier: Apache-2.0
// Points drawn without regard to earlier trials. A point that was tried is drawn again, up to a limit.
#include "engine/search/sampler.hpp"

namespace nw::search {
namespace {

std::optional<Point> propose_random(const History& h) {
  Draw draw(h.seed, h.number);
  const Tried tried(h.trials);
  Point point = random_point(h.space, draw);
  for (int again = 0; again < 100 && tried.has(point); ++again) point = random_point(h.space, draw);
  return point;
}

}  // namespace
}  // namespace nw::search

namespace nw {

extern const search::Sampler random_sampler{
    .name = "random", .summary = text(NW_TR("Points drawn at random")), .propose = search::propose_random};

}  // namespace nw
