// SPDX-License-Identifier: Apache-2.0
// The module's one decoder, on OpenCV. Checked before decoding: kind by magic, size against 64 megapixels, completeness (OpenCV
// turns a JPEG that was cut short into a full-size picture without a word).
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "engine/data/dataset.hpp"
#include "engine/images/headers.hpp"

namespace nw::images {
namespace {

constexpr std::uint64_t pixel_limit = 64u << 20;

class OpenCvDecoder final : public ImageDecoder {
 public:
  Result<Image> decode(std::span<const std::uint8_t> bytes, std::string_view where, std::int64_t channels, std::int64_t height, std::int64_t width) const override {
    const auto claim = read_claim(bytes);
    if (bytes.empty()) return fail(Errc::bad_input, NW_TR("{0}: is empty; copy or download it again"), where);
    if (!claim) return fail(Errc::bad_input, NW_TR("{0}: not an image of a kind that is read (PNG, JPEG, BMP, WebP, TIFF)"), where);
    if (claim->width > pixel_limit || claim->height > pixel_limit || claim->width * claim->height > pixel_limit)
      return fail(Errc::bad_input, NW_TR("{0}: {1}×{2} pixels are more than the 64 million that are read; make it smaller"), where, claim->width, claim->height);
    if (!claim->complete) return fail(Errc::bad_input, NW_TR("{0}: this {1} file is cut short; copy or download it again"), where, name_of(claim->format));
    if (claim->width == 0 || claim->height == 0 || claim->damaged) return fail(Errc::bad_input, NW_TR("{0}: damaged, it cannot be decoded"), where);
    try {
      return convert(bytes, where, channels, height, width);
    } catch (const cv::Exception&) {
      return fail(Errc::bad_input, NW_TR("{0}: damaged, it cannot be decoded"), where);
    } catch (const std::bad_alloc&) {
      return fail(Errc::out_of_memory, NW_TR("{0}: no memory to decode it"), where);
    }
  }

 private:
  /// Luma as PIL's convert("L") rounds it (ITU-R BT.601 weights in 16 bits); OpenCV rounds otherwise, and by format.
  static cv::Mat to_grey(const cv::Mat& rgb) {
    cv::Mat grey(rgb.rows, rgb.cols, CV_8UC1);
    for (int y = 0; y < rgb.rows; ++y) {
      const std::uint8_t* from = rgb.ptr(y);
      std::uint8_t* to = grey.ptr(y);
      for (int x = 0; x < rgb.cols; ++x, from += 3) to[x] = static_cast<std::uint8_t>((from[0] * 19595 + from[1] * 38470 + from[2] * 7471 + 0x8000) >> 16);
    }
    return grey;
  }

  static Result<Image> convert(std::span<const std::uint8_t> bytes, std::string_view where, std::int64_t channels, std::int64_t height, std::int64_t width) {
    const cv::Mat packed(1, static_cast<int>(bytes.size()), CV_8UC1, const_cast<std::uint8_t*>(bytes.data()));
    // Colours as they are with the orientation of EXIF applied; depth kept so that 16 bits are scaled here, not cut.
    cv::Mat image = cv::imdecode(packed, (channels == 3 ? cv::IMREAD_COLOR : cv::IMREAD_ANYCOLOR) | cv::IMREAD_ANYDEPTH);
    if (image.empty()) return fail(Errc::bad_input, NW_TR("{0}: damaged, it cannot be decoded"), where);
    if (static_cast<std::uint64_t>(image.total()) > pixel_limit) return fail(Errc::bad_input, NW_TR("{0}: more than 64 million pixels; make it smaller"), where);
    if (image.depth() == CV_16U) image.convertTo(image, CV_8U, 1.0 / 257);
    else if (image.depth() != CV_8U) image.convertTo(image, CV_8U, 255.0);
    if (image.channels() == 3) cv::cvtColor(image, image, cv::COLOR_BGR2RGB);
    if (image.channels() == 3 && channels == 1) image = to_grey(image);
    const std::int64_t found_height = image.rows, found_width = image.cols;
    if (height > 0 && width > 0 && (image.rows != height || image.cols != width)) {
      const bool smaller = image.rows > height || image.cols > width;
      cv::resize(image, image, cv::Size(static_cast<int>(width), static_cast<int>(height)), 0, 0, smaller ? cv::INTER_AREA : cv::INTER_LINEAR);
    }
    Image out{image.rows, image.cols, image.channels(), {}, found_height, found_width};
    out.hwc.reserve(image.total() * static_cast<std::size_t>(image.channels()));
    for (int y = 0; y < image.rows; ++y) out.hwc.insert(out.hwc.end(), image.ptr(y), image.ptr(y) + static_cast<std::size_t>(image.cols) * image.elemSize());
    return out;
  }
};

}  // namespace
}  // namespace nw::images

/// The module's only entry point; null when the program was built for another version of it.
extern "C" const nw::ImageDecoder* netwright_image_decoder(int version) {
  static const nw::images::OpenCvDecoder decoder;
  if (version != nw::image_module_version) return nullptr;
  cv::setNumThreads(1);
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);   // what is wrong with a file is said once, by us
  return &decoder;
}
