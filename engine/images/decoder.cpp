// SPDX-License-Identifier: Apache-2.0
// The module's only decoder: JPEG by libjpeg, PNG by libpng, GIF by giflib, PNM in pnm.cpp, other formats by OpenCV,
// with pixels equal to those of PIL's convert("RGB"). Checked before decoding: format by signature, size against 64
// megapixels, completeness (OpenCV decodes a truncated file to a full-size image without an error).
#include "engine/data/sources/decoder.hpp"
#include "engine/data/dataset.hpp"
#include "engine/images/gif.hpp"
#include "engine/images/headers.hpp"
#include "engine/images/jpeg.hpp"
#include "engine/images/other_formats.hpp"
#include "engine/images/png.hpp"
#include "engine/images/pnm.hpp"

namespace nw::images {
namespace {

class Decoder final : public ImageDecoder {
 public:
  Result<DecodedImage> decode(std::span<const std::uint8_t> bytes, std::string_view where, std::int64_t channels,
                              std::int64_t height, std::int64_t width, Resampling how) const override {
    const auto claim = read_claim(bytes);
    if (bytes.empty()) return fail(Errc::bad_input, NW_TR("{0}: is empty; copy or download it again"), where);
    if (!claim)
      return fail(Errc::bad_input,
                  NW_TR("{0}: not an image of a kind that is read (PNG, JPEG, GIF, BMP, WebP, TIFF, PBM, PGM, PPM)"),
                  where);
    if (claim->width > 0 && claim->height > 0 && !is_decodable(claim->width, claim->height))
      return fail(Errc::bad_input,
                  NW_TR("{0}: {1}×{2} pixels are more than the 64 million that are read; make it smaller"), where,
                  claim->width, claim->height);
    if (!claim->complete)
      return fail(Errc::bad_input, NW_TR("{0}: this {1} file is cut short; copy or download it again"), where,
                  name_of(claim->format));
    if (claim->width == 0 || claim->height == 0 || claim->damaged)
      return fail(Errc::bad_input, NW_TR("{0}: damaged, it cannot be decoded"), where);
    if (!is_read_here(claim->format) && !reads_other_formats())
      return fail(Errc::bad_input, NW_TR("{0}: this program was built without {1}; save it as PNG or JPEG"), where,
                  name_of(claim->format));
    try {
      return convert(*claim, bytes, where, channels, {height, width, how});
    } catch (const std::bad_alloc&) { return fail(Errc::out_of_memory, NW_TR("{0}: no memory to decode it"), where); }
  }

 private:
  struct Wanted {
    std::int64_t height = 0, width = 0;  // 0: as found
    Resampling how = Resampling::antialiased;
    bool other_than(std::int64_t h, std::int64_t w) const {
      return height > 0 && width > 0 && (height != h || width != w);
    }
  };

  /// Luma rounded like PIL's convert("L"): ITU-R BT.601 weights in 16 bits.
  static void to_grey(Image& image) {
    const std::size_t pixels = image.hwc.size() / 3;
    const std::uint8_t* rgb = image.hwc.data();
    for (std::size_t i = 0; i < pixels; ++i, rgb += 3)
      image.hwc[i] = static_cast<std::uint8_t>((rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + 0x8000) >> 16);
    image.hwc.resize(pixels);
    image.channels = 1;
  }
  static void to_rgb(Image& image) {
    std::vector<std::uint8_t> rgb;
    rgb.reserve(3 * image.hwc.size());
    for (const std::uint8_t v : image.hwc) rgb.insert(rgb.end(), 3, v);
    image.hwc = std::move(rgb);
    image.channels = 3;
  }

  static bool is_read_here(Format f) {
    return f == Format::jpeg || f == Format::png || f == Format::gif || f == Format::pnm;
  }
  static std::optional<Image> decode_any(const ImageHeader& claim, std::span<const std::uint8_t> bytes, bool& clipped) {
    switch (claim.format) {
      case Format::jpeg:
        return decode_jpeg(bytes, claim);
      case Format::png:
        return decode_png(bytes, claim, clipped);
      case Format::gif:
        return decode_gif(bytes);
      case Format::pnm:
        return decode_pnm(bytes, clipped);
      default:
        return decode_other(bytes, clipped);
    }
  }

  static Result<DecodedImage> convert(const ImageHeader& claim, std::span<const std::uint8_t> bytes,
                                      std::string_view where, std::int64_t channels, const Wanted& wanted) {
    bool clipped = false;
    std::optional<Image> image = decode_any(claim, bytes, clipped);
    if (!image) return fail(Errc::bad_input, NW_TR("{0}: damaged, it cannot be decoded"), where);
    if (image->channels == 3 && channels == 1) to_grey(*image);
    if (image->channels == 1 && channels == 3) to_rgb(*image);
    const std::int64_t height = image->height, width = image->width;
    if (wanted.other_than(height, width))
      *image = wanted.how == Resampling::area ? resized_by_area(*image, wanted.height, wanted.width)
                                              : resized(*image, wanted.height, wanted.width, wanted.how);
    return DecodedImage{*std::move(image), height, width, clipped};
  }
};

}  // namespace
}  // namespace nw::images

/// The module's only entry point; returns null if the program was built for another version of the module.
extern "C" const nw::ImageDecoder* netwright_image_decoder(int version) {
  static const nw::images::Decoder decoder;
  if (version != nw::image_module_version) return nullptr;
  return &decoder;
}
