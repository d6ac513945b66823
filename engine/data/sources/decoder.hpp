// SPDX-License-Identifier: Apache-2.0
// What decodes image files, and the module that holds it.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/result.hpp"

namespace nw {

/// Decodes image files; provided by the process that loaded the image module (OpenCV). Null where it is missing.
class ImageDecoder {
 public:
  virtual ~ImageDecoder() = default;
  struct Image {
    std::int64_t height = 0, width = 0, channels = 0;
    std::vector<std::uint8_t> hwc;
    std::int64_t found_height = 0, found_width = 0;  // in the file, before resizing
    bool clipped = false;                            // grey of sixteen bits with values above 255, which became 255
  };
  /// Safe from several threads. bytes of a PNG, JPEG, GIF (its first picture), BMP, WebP, TIFF, PBM, PGM or PPM file
  /// (by magic); channels 1 (grey), 3 (RGB) or 0 (as found); height/width 0 = as found, else resized. Pixels are those
  /// of PIL's convert("RGB"), so those of torchvision's ImageFolder: transparency is dropped, a palette resolved,
  /// colours of sixteen bits give their upper byte, grey of sixteen bits is cut at 255 (`clipped`), and an orientation
  /// in EXIF turns nothing. Refused: other magic, truncated (JPEG too), damaged, more than 64 megapixels.
  virtual Result<Image> decode(std::span<const std::uint8_t> bytes, std::string_view where, std::int64_t channels,
                               std::int64_t height, std::int64_t width) const = 0;
};
/// The module exports `extern "C" const nw::ImageDecoder* netwright_image_decoder(int version)`; null for another
/// version.
inline constexpr int image_module_version = 2;
/// Loads the module beside the executable once; null and a reason when it is not installed.
Result<const ImageDecoder*> image_decoder();

}  // namespace nw
