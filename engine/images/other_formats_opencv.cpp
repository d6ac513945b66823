// SPDX-License-Identifier: Apache-2.0
#include "engine/images/other_formats.hpp"

#include <mutex>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "engine/images/headers.hpp"

namespace nw::images {
namespace {

/// The caller reports errors of a file, once; it has threads of its own.
void prepare() {
  static std::once_flag once;
  std::call_once(once, [] {
    cv::setNumThreads(1);
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  });
}

/// Converts 16 bits to 8 like PIL: the upper byte of colours; grey values are limited to 255, which sets `clipped`.
void to_eight_bits(cv::Mat& image, bool& clipped) {
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

Image image_of(const cv::Mat& m) {
  Image out{m.rows, m.cols, m.channels(), {}};
  out.hwc.reserve(m.total() * m.elemSize());
  for (int y = 0; y < m.rows; ++y)
    out.hwc.insert(out.hwc.end(), m.ptr(y), m.ptr(y) + static_cast<std::size_t>(m.cols) * m.elemSize());
  return out;
}

/// Empty: damaged.
cv::Mat decoded(std::span<const std::uint8_t> bytes, bool& clipped) {
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

}  // namespace

bool reads_other_formats() { return true; }

std::optional<Image> decode_other(std::span<const std::uint8_t> bytes, bool& clipped) {
  prepare();
  try {
    const cv::Mat image = decoded(bytes, clipped);
    if (image.empty() || static_cast<std::uint64_t>(image.total()) > pixel_limit) return std::nullopt;
    return image_of(image);
  } catch (const cv::Exception&) { return std::nullopt; }
}

Image resized_by_area(const Image& image, std::int64_t height, std::int64_t width) {
  prepare();
  const cv::Mat from(static_cast<int>(image.height), static_cast<int>(image.width),
                     CV_MAKETYPE(CV_8U, static_cast<int>(image.channels)), const_cast<std::uint8_t*>(image.hwc.data()));
  cv::Mat to;
  cv::resize(from, to, cv::Size(static_cast<int>(width), static_cast<int>(height)), 0, 0,
             image.height > height || image.width > width ? cv::INTER_AREA : cv::INTER_LINEAR);
  return image_of(to);
}

}  // namespace nw::images
