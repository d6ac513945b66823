// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/inline_picture.hpp"

#include <zlib.h>

namespace nw::predicting {
namespace {

std::string big_endian(std::uint32_t n) {
  return {static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8), static_cast<char>(n)};
}

/// A PNG chunk: length, type, data, and the CRC of type and data.
std::string chunk(const std::string& kind, const std::string& bytes) {
  const std::string body = kind + bytes;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(static_cast<std::uint32_t>(bytes.size())) + body + big_endian(static_cast<std::uint32_t>(sum));
}

/// The scanlines of a PNG image. Each begins with its filter type, here 0 (none).
std::string lines_of(const Image& p, std::int64_t kept) {
  std::string lines;
  for (std::int64_t y = 0; y < p.height; ++y) {
    lines += '\0';
    for (std::int64_t x = 0; x < p.width; ++x)
      for (std::int64_t c = 0; c < kept; ++c)
        lines += static_cast<char>(p.hwc[static_cast<std::size_t>((y * p.width + x) * p.channels + c)]);
  }
  return lines;
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
           static_cast<uLong>(bytes.size()));
  out.resize(size);
  return out;
}

}  // namespace

std::string png_of(const Image& p) {
  const bool colour = p.channels == 3;
  std::string header =
      big_endian(static_cast<std::uint32_t>(p.width)) + big_endian(static_cast<std::uint32_t>(p.height));
  // bit depth, colour type, compression method (deflate), filter method, no interlacing
  header += {8, static_cast<char>(colour ? 2 : 0), 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", deflated(lines_of(p, colour ? 3 : 1))) +
         chunk("IEND", "");
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? letters[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string data_uri(const Image& p) { return "data:image/png;base64," + base64(png_of(p)); }

}  // namespace nw::predicting
