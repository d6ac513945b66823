// SPDX-License-Identifier: Apache-2.0
// Bytes of image files, whole and damaged, and what the decoder module says of them.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <opencv2/imgcodecs.hpp>

#include "engine/data/sources/decoder.hpp"
#include "tests/support/data_files.hpp"

namespace nw::test {

using Bytes = std::vector<std::uint8_t>;

inline const ImageDecoder& decoder() {
  static const ImageDecoder* found = [] {
    auto d = image_decoder();
    if (!d) throw std::runtime_error(d.error().str());
    return *d;
  }();
  return *found;
}
inline Result<DecodedImage> decode(const Bytes& bytes, std::int64_t channels = 3, std::int64_t height = 0,
                                   std::int64_t width = 0) {
  return decoder().decode(bytes, "photo", channels, height, width);
}
inline std::string error(const Bytes& bytes) {
  const auto image = decode(bytes);
  if (image) return "";
  EXPECT_EQ(image.error().code, Errc::bad_input);
  EXPECT_THAT(image.error().str(), testing::HasSubstr("photo"));
  return image.error().str();
}
inline Bytes encode(const char* ending, const cv::Mat& image, const std::vector<int>& options = {}) {
  Bytes out;
  EXPECT_TRUE(cv::imencode(ending, image, out, options));
  return out;
}
/// A smooth colour image, BGR.
inline cv::Mat picture(int height = 40, int width = 60) {
  cv::Mat m(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      m.at<cv::Vec3b>(y, x) = {static_cast<std::uint8_t>(5 * y), static_cast<std::uint8_t>(4 * x),
                               static_cast<std::uint8_t>(255 - 3 * x)};
  return m;
}
inline Bytes text(const std::string& s) { return {s.begin(), s.end()}; }
inline Bytes cut(Bytes bytes, std::size_t length) {
  bytes.resize(length);
  return bytes;
}
inline Bytes big(std::uint32_t v) { return text(big_endian(v)); }
inline Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// One chunk of a PNG; its checksum (ISO 3309) is zlib's.
inline Bytes chunk(const std::string& name, const Bytes& data) {
  const Bytes body = text(name) + data;
  return big(static_cast<std::uint32_t>(data.size())) + body +
         big(static_cast<std::uint32_t>(::crc32(0, body.data(), static_cast<uInt>(body.size()))));
}
inline const Bytes png_magic{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
inline Bytes deflated(const Bytes& raw) {
  Bytes out(compressBound(raw.size()));
  uLongf size = out.size();
  compress(out.data(), &size, raw.data(), raw.size());
  return cut(out, size);
}

}  // namespace nw::test
