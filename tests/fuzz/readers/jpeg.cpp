// SPDX-License-Identifier: Apache-2.0
#include "engine/images/jpeg.hpp"

#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_jpeg(Bytes bytes) {
  const auto claim = images::read_claim(bytes);
  if (!claim || claim->format != images::Format::jpeg || !claim->complete || claim->damaged) return {};
  if (claim->width > 4096 || claim->height > 4096) return {};
  const auto pixels = images::decode_jpeg(bytes, *claim);
  if (!pixels) return {};
  if (static_cast<std::uint64_t>(pixels->height) != claim->height ||
      static_cast<std::uint64_t>(pixels->width) != claim->width)
    return {true, "a size that its header did not claim"};
  if (pixels->channels != 1 && pixels->channels != 3) return {true, "neither gray nor RGB"};
  if (pixels->hwc.size() != claim->height * claim->width * static_cast<std::uint64_t>(pixels->channels))
    return {true, "too many or too few pixels"};
  return {true, {}};
}
