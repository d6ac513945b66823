// SPDX-License-Identifier: Apache-2.0
#include "engine/search/sampler.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_space(Bytes bytes) {
  using namespace nw::search;
  const auto space = parse_space(as_text(bytes), "space");
  if (!space) return {};
  const auto again = space_from_json(to_json(*space), "again");
  if (!again) return {true, "a space that was read is refused as written: " + again.error().str()};
  if (!(*again == *space)) return {true, "a space is not written as it was read"};
  Draw draw(1, 1);
  const Point point = random_point(*space, draw);
  if (!is_point(*space, point)) return {true, "a drawn point is none of the space"};
  const auto read = point_from_json(*space, point_to_json(*space, point), "point");
  if (!read) return {true, "a drawn point is refused as written: " + read.error().str()};
  return {true, {}};
}
