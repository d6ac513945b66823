// SPDX-License-Identifier: Apache-2.0
// Every point of a space once, the first parameter's values first.
#include "engine/search/sampler.hpp"

namespace nw::search {
namespace {

std::optional<Point> propose_grid(const History& h) {
  const Tried tried(h.trials);
  const std::int64_t size = grid_size(h.space);
  for (std::int64_t i = 0; i < size; ++i)
    if (Point point = grid_point(h.space, i); !tried.has(point)) return point;
  return std::nullopt;
}

Status check_grid(const Space& space, std::span<const Objective>) {
  for (const Parameter& p : space.parameters)
    if (values_of(p) == 0)
      return fail(Errc::bad_input, NW_TR("a grid needs steps: {0} has none, so it has infinitely many values"), p.name);
  if (grid_size(space) == 0) return fail(Errc::bad_input, NW_TR("the grid of this space has more than 10^9 points"));
  return {};
}

}  // namespace
}  // namespace nw::search

namespace nw {

extern const search::Sampler grid_sampler{.name = "grid",
                                          .summary = text(NW_TR("Every point of a grid once")),
                                          .propose = search::propose_grid,
                                          .check = search::check_grid};

}  // namespace nw
