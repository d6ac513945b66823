// SPDX-License-Identifier: Apache-2.0
// What the module's own readers hand back.
#pragma once
#include <cstdint>
#include <vector>

namespace nw::images {

struct Pixels {
  std::int64_t height = 0, width = 0, channels = 0;  // 1 grey, 3 RGB
  std::vector<std::uint8_t> hwc;
  bool clipped = false;  // grey of sixteen bits with values above 255, which became 255
};

}  // namespace nw::images
