// SPDX-License-Identifier: Apache-2.0
#include "engine/core/png.hpp"

#include <zlib.h>

#include <cstdint>

namespace nw {
namespace {

std::string png_number(std::uint32_t n) {
  return {static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8), static_cast<char>(n)};
}

/// A PNG chunk: length, type, data, and the CRC of type and data.
std::string png_chunk(const std::string& kind, const std::string& bytes) {
  const std::string body = kind + bytes;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return png_number(static_cast<std::uint32_t>(bytes.size())) + body + png_number(static_cast<std::uint32_t>(sum));
}

/// The scanlines of a PNG image. Each begins with its filter type, here 0 (none).
std::string png_lines(const Image& p, std::int64_t kept) {
  std::string lines;
  for (std::int64_t y = 0; y < p.height; ++y) {
    lines += '\0';
    for (std::int64_t x = 0; x < p.width; ++x)
      for (std::int64_t c = 0; c < kept; ++c)
        lines += static_cast<char>(p.hwc[static_cast<std::size_t>((y * p.width + x) * p.channels + c)]);
  }
  return lines;
}

std::string png_deflated(const std::string& bytes) {
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
      png_number(static_cast<std::uint32_t>(p.width)) + png_number(static_cast<std::uint32_t>(p.height));
  // bit depth, colour type, compression method (deflate), filter method, no interlacing
  header += {8, static_cast<char>(colour ? 2 : 0), 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) +
         png_chunk("IDAT", png_deflated(png_lines(p, colour ? 3 : 1))) + png_chunk("IEND", "");
}

}  // namespace nw
