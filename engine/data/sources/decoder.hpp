// SPDX-License-Identifier: Apache-2.0
// The decoder of image files, and the module that contains it.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/core/image.hpp"
#include "engine/core/resize.hpp"
#include "kernels/result.hpp"

namespace nw {

struct DecodedImage : Image {
  std::int64_t found_height = 0, found_width = 0;  // in the file, before resizing
  bool clipped = false;                            // 16-bit grey with values above 255, which were clipped to 255
};

/// Decodes image files; implemented by the module libnw_images.
class ImageDecoder {
 public:
  virtual ~ImageDecoder() = default;
  /// Safe from several threads. bytes of a PNG, JPEG, GIF (first frame), BMP, WebP, TIFF, PBM, PGM or PPM file
  /// (detected by signature); channels 1 (grey), 3 (RGB) or 0 (as found); height/width 0 = as found, else resized; area
  /// means OpenCV's.
  /// Pixels equal those of PIL's convert("RGB"), thus of torchvision's ImageFolder: transparency is dropped, a palette
  /// is resolved, 16-bit colours are reduced to their upper byte, 16-bit grey is clipped at 255 (`clipped`), and the
  /// EXIF orientation is ignored. Rejected: other signatures, truncated files (JPEG too), damaged files, more than 64
  /// megapixels.
  virtual Result<DecodedImage> decode(std::span<const std::uint8_t> bytes, std::string_view where,
                                      std::int64_t channels, std::int64_t height, std::int64_t width,
                                      Resampling = Resampling::antialiased) const = 0;
};
/// The module exports `extern "C" const nw::ImageDecoder* netwright_image_decoder(int version)`; null for another
/// version.
inline constexpr int image_module_version = 3;
/// Loads the module from the executable's folder, once. An error with the reason if it is not installed.
Result<const ImageDecoder*> image_decoder();

}  // namespace nw
