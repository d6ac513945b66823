// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/events.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_event(Bytes bytes) {
  const auto event = parse_event(as_text(bytes));
  if (!event) return {};
  const std::string line = event_line(*event);
  const auto again = parse_event(line);
  if (!again) return {true, "an event that was read is refused as written: " + again.error().str()};
  if (event_line(*again) != line) return {true, "an event is not written as it was read"};
  return {true, {}};
}
