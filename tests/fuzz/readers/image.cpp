// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/decoder.hpp"
#include "engine/images/headers.hpp"
#include "tests/fuzz/readers/readers.hpp"

extern "C" const nw::ImageDecoder* netwright_image_decoder(int version);

nw::fuzz::Outcome nw::fuzz::read_image(Bytes bytes) {
  const auto claim = images::read_claim(bytes);
  if (claim && (claim->width > 1024 || claim->height > 1024)) return {};  // would take its time
  const auto image = netwright_image_decoder(image_module_version)->decode(bytes, "picture", 3, 0, 0);
  if (!image) return {false, image.error().str().empty() ? "a refusal without a sentence" : ""};
  if (!claim) return {true, "a format without a header"};
  if (static_cast<std::uint64_t>(image->found_height) != claim->height ||
      static_cast<std::uint64_t>(image->found_width) != claim->width)
    return {true, "a size that its header did not claim"};
  if (image->channels != 3 || image->hwc.size() != 3 * claim->width * claim->height)
    return {true, "too many or too few pixels"};
  return {true, {}};
}
