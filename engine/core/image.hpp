// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace nw {

/// The pixels of one image: height × width × channels bytes in memory order (H,W,C); 1 channel is grey, 3 are RGB.
struct Image {
  std::int64_t height = 0, width = 0, channels = 0;
  std::vector<std::uint8_t> hwc;
};

}  // namespace nw
