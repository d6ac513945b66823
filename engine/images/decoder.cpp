// SPDX-License-Identifier: Apache-2.0
// The module's only decoder: JPEG by libjpeg, GIF by giflib, PNM in pnm.cpp, other formats by OpenCV, with pixels equal
// to those of PIL's convert("RGB"). Checked before decoding: format by signature, size against 64 megapixels,
// completeness (OpenCV decodes a truncated JPEG to a full-size image without an error).
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/images/gif.hpp"
#include "engine/images/headers.hpp"
#include "engine/images/jpeg.hpp"
#include "engine/images/pnm.hpp"

namespace nw::images {
namespace {

class OpenCvDecoder final : public ImageDecoder {
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
    try {
      return convert(*claim, bytes, where, channels, {height, width, how});
    } catch (const cv::Exception&) {
      return fail(Errc::bad_input, NW_TR("{0}: damaged, it cannot be decoded"), where);
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

  /// Luma rounded like PIL's convert("L") (ITU-R BT.601 weights in 16 bits); OpenCV's rounding differs between formats.
  static cv::Mat to_grey(const cv::Mat& rgb) {
    cv::Mat grey(rgb.rows, rgb.cols, CV_8UC1);
    for (int y = 0; y < rgb.rows; ++y) {
      const std::uint8_t* from = rgb.ptr(y);
      std::uint8_t* to = grey.ptr(y);
      for (int x = 0; x < rgb.cols; ++x, from += 3)
        to[x] = static_cast<std::uint8_t>((from[0] * 19595 + from[1] * 38470 + from[2] * 7471 + 0x8000) >> 16);
    }
    return grey;
  }

  /// Converts 16 bits to 8 like PIL: the upper byte of colours; grey values are clipped at 255, which sets `clipped`.
  static void to_eight_bits(cv::Mat& image, bool& clipped) {
    cv::Mat bytes(image.rows, image.cols, CV_MAKETYPE(CV_8U, image.channels()));
    const bool grey = image.channels() == 1;
    for (int y = 0; y < image.rows; ++y) {
      const auto* from = image.ptr<std::uint16_t>(y);
      std::uint8_t* to = bytes.ptr(y);
      for (int i = 0; i < image.cols * image.channels(); ++i) {
        clipped = clipped || (grey && from[i] > 255);
        to[i] = static_cast<std::uint8_t>(grey ? std::min<int>(from[i], 255) : from[i] >> 8);
      }
    }
    image = bytes;
  }

  static bool is_read_here(Format f) { return f == Format::jpeg || f == Format::gif || f == Format::pnm; }
  static std::optional<Image> read_here(const ImageHeader& claim, std::span<const std::uint8_t> bytes, bool& clipped) {
    return claim.format == Format::jpeg  ? decode_jpeg(bytes, claim)
           : claim.format == Format::gif ? decode_gif(bytes)
                                         : decode_pnm(bytes, clipped);
  }

  /// Decodes other formats with OpenCV, to 8-bit grey or RGB.
  static cv::Mat by_opencv(std::span<const std::uint8_t> bytes, bool& clipped) {
    const cv::Mat packed(1, static_cast<int>(bytes.size()), CV_8UC1, const_cast<std::uint8_t*>(bytes.data()));
    cv::Mat image = cv::imdecode(packed, cv::IMREAD_ANYCOLOR | cv::IMREAD_ANYDEPTH | cv::IMREAD_IGNORE_ORIENTATION);
    if (image.empty()) return image;
    if (image.depth() == CV_16U)
      to_eight_bits(image, clipped);
    else if (image.depth() != CV_8U)
      image.convertTo(image, CV_8U, 255.0);
    if (image.channels() == 3) cv::cvtColor(image, image, cv::COLOR_BGR2RGB);
    return image;
  }

  static Result<DecodedImage> convert(const ImageHeader& claim, std::span<const std::uint8_t> bytes,
                                      std::string_view where, std::int64_t channels, const Wanted& wanted) {
    bool clipped = false;
    const bool is_own = is_read_here(claim.format);
    std::optional<Image> own = is_own ? read_here(claim, bytes, clipped) : std::nullopt;
    if (is_own && !own) return fail(Errc::bad_input, NW_TR("{0}: damaged, it cannot be decoded"), where);
    const bool same_size = own && !wanted.other_than(own->height, own->width);
    if (same_size && (channels == 0 || channels == own->channels)) {
      const std::int64_t found_height = own->height, found_width = own->width;
      return DecodedImage{*std::move(own), found_height, found_width, clipped};
    }
    cv::Mat image = own ? cv::Mat(static_cast<int>(own->height), static_cast<int>(own->width),
                                  CV_MAKETYPE(CV_8U, static_cast<int>(own->channels)), own->hwc.data())
                        : by_opencv(bytes, clipped);
    if (image.empty()) return fail(Errc::bad_input, NW_TR("{0}: damaged, it cannot be decoded"), where);
    if (static_cast<std::uint64_t>(image.total()) > pixel_limit)
      return fail(Errc::bad_input, NW_TR("{0}: more than 64 million pixels; make it smaller"), where);
    if (image.channels() == 3 && channels == 1) image = to_grey(image);
    if (image.channels() == 1 && channels == 3) cv::cvtColor(image, image, cv::COLOR_GRAY2RGB);
    return packed_of(image, wanted, clipped);
  }

  /// Resizes the image to the requested size.
  static DecodedImage packed_of(cv::Mat image, const Wanted& wanted, bool clipped) {
    const std::int64_t found_height = image.rows, found_width = image.cols;
    const bool resizes = wanted.other_than(found_height, found_width);
    if (resizes && wanted.how == Resampling::area) {
      const bool smaller = image.rows > wanted.height || image.cols > wanted.width;
      cv::resize(image, image, cv::Size(static_cast<int>(wanted.width), static_cast<int>(wanted.height)), 0, 0,
                 smaller ? cv::INTER_AREA : cv::INTER_LINEAR);
    }
    DecodedImage out{{image.rows, image.cols, image.channels(), {}}, found_height, found_width, clipped};
    out.hwc.reserve(image.total() * static_cast<std::size_t>(image.channels()));
    for (int y = 0; y < image.rows; ++y)
      out.hwc.insert(out.hwc.end(), image.ptr(y),
                     image.ptr(y) + static_cast<std::size_t>(image.cols) * image.elemSize());
    if (resizes && wanted.how != Resampling::area)
      static_cast<Image&>(out) = resized(out, wanted.height, wanted.width, wanted.how);
    return out;
  }
};

}  // namespace
}  // namespace nw::images

/// The module's only entry point; returns null if the program was built for another version of the module.
extern "C" const nw::ImageDecoder* netwright_image_decoder(int version) {
  static const nw::images::OpenCvDecoder decoder;
  if (version != nw::image_module_version) return nullptr;
  cv::setNumThreads(1);
  // the caller reports errors of a file, once
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  return &decoder;
}
