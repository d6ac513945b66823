// SPDX-License-Identifier: Apache-2.0
// A line of events.jsonl that is understood must be written the same way again.
#include <cstdlib>

#include "engine/train/events.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto event = nw::parse_event({reinterpret_cast<const char*>(data), size});
  if (!event) return 0;
  const std::string line = nw::event_line(*event);
  const auto again = nw::parse_event(line);
  if (!again || nw::event_line(*again) != line) std::abort();
  return 0;
}
