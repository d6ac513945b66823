// SPDX-License-Identifier: Apache-2.0
#include "engine/images/gif.hpp"
#include "engine/images/headers.hpp"
#include "engine/images/pnm.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_pixels(Bytes bytes) {
  const auto claim = images::read_claim(bytes);
  if (!claim || !claim->complete || claim->width > 4096 || claim->height > 4096) return {};
  if (claim->format != images::Format::gif && claim->format != images::Format::pnm) return {};
  bool clipped = false;
  const auto pixels =
      claim->format == images::Format::gif ? images::decode_gif(bytes) : images::decode_pnm(bytes, clipped);
  if (!pixels) return {};
  if (static_cast<std::uint64_t>(pixels->height) != claim->height ||
      static_cast<std::uint64_t>(pixels->width) != claim->width)
    return {true, "a size that its header did not claim"};
  if (pixels->hwc.size() != claim->height * claim->width * static_cast<std::uint64_t>(pixels->channels))
    return {true, "too many or too few pixels"};
  return {true, {}};
}
