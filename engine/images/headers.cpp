// SPDX-License-Identifier: Apache-2.0
// Sources: PNG (W3C, third edition, chapters 5 and 11), JPEG (ITU-T T.81 annex B), BMP (BITMAPCOREHEADER,
// BITMAPINFOHEADER), WebP container (RFC 9649), TIFF 6.0 section 2, GIF89a sections 15 to 23.
#include "engine/images/headers.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include "engine/images/pnm.hpp"

namespace nw::images {
namespace {

using Bytes = std::span<const std::uint8_t>;

bool starts(Bytes b, std::string_view magic, std::size_t at = 0) {
  return b.size() >= at + magic.size() && std::memcmp(b.data() + at, magic.data(), magic.size()) == 0;
}
/// `n` bytes at `at`; bytes after the end are read as zero.
std::uint64_t big(Bytes b, std::size_t at, std::size_t n) {
  std::uint64_t v = 0;
  for (std::size_t i = 0; i < n; ++i) v = v << 8 | (at + i < b.size() ? b[at + i] : 0);
  return v;
}
std::uint64_t little(Bytes b, std::size_t at, std::size_t n) {
  std::uint64_t v = 0;
  for (std::size_t i = n; i-- > 0;) v = v << 8 | (at + i < b.size() ? b[at + i] : 0);
  return v;
}

/// Iterates over the chunks from IHDR to IEND: length, name, data, checksum. The names of critical chunks begin with a
/// capital letter.
ImageHeader png(Bytes b) {
  ImageHeader claim{Format::png, big(b, 16, 4), big(b, 20, 4), false};
  if (!starts(b, "IHDR", 12)) return {Format::png, 0, 0, false};
  bool pixels = false;
  for (std::size_t at = 8; at + 12 <= b.size();) {
    const std::uint64_t length = big(b, at, 4);
    if (length > b.size() - at - 12) break;
    const bool needed = b[at + 4] >= 'A' && b[at + 4] <= 'Z';
    if (needed && ::crc32(0, b.data() + at + 4, static_cast<uInt>(length + 4)) != big(b, at + 8 + length, 4))
      claim.damaged = true;
    pixels = pixels || starts(b, "IDAT", at + 4);
    if (starts(b, "IEND", at + 4)) {
      claim.complete = true;
      break;
    }
    at += 12 + length;
  }
  claim.damaged = claim.damaged || (claim.complete && !pixels);
  return claim;
}

/// After a scan's header: the position of the next marker that is neither a stuffed 0xFF nor a restart; the end of the
/// file if there is none.
std::size_t skip_scan(Bytes b, std::size_t at) {
  for (; at + 1 < b.size(); ++at) {
    const void* mark = std::memchr(b.data() + at, 0xFF, b.size() - 1 - at);
    if (!mark) break;
    at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(mark) - b.data());
    if (b[at + 1] != 0x00 && b[at + 1] != 0xFF && (b[at + 1] < 0xD0 || b[at + 1] > 0xD7)) return at;
  }
  return b.size();
}

/// Iterates over the marker segments and scans to the end marker. Data after it, which cameras append, is ignored. A
/// file of one image has one frame: of several, decoders differ in which one they use.
ImageHeader jpeg(Bytes b) {
  ImageHeader claim{Format::jpeg, 0, 0, false};
  bool framed = false;
  for (std::size_t at = 2; at + 2 <= b.size() && b[at] == 0xFF;) {
    const int marker = b[at + 1];
    if (marker == 0xFF) {
      ++at;
      continue;
    }
    if (marker == 0xD9) {
      claim.complete = true;
      break;
    }
    if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7)) {
      at += 2;
      continue;
    }
    const std::uint64_t length = big(b, at + 2, 2);
    if (length < 2 || at + 2 + length > b.size()) break;
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame && std::exchange(framed, true)) claim.damaged = true;
    if (frame && !claim.damaged) {
      claim.height = big(b, at + 5, 2);
      claim.width = big(b, at + 7, 2);
    }
    at += 2 + length;
    if (marker == 0xDA) at = skip_scan(b, at);
  }
  return claim;
}

ImageHeader bmp(Bytes b) {
  const bool complete = little(b, 2, 4) <= b.size();
  if (little(b, 14, 4) == 12) return {Format::bmp, little(b, 18, 2), little(b, 20, 2), complete};
  const auto height = static_cast<std::int32_t>(little(b, 22, 4));
  return {Format::bmp, little(b, 18, 4),
          static_cast<std::uint64_t>(height < 0 ? -static_cast<std::int64_t>(height) : height), complete};
}

ImageHeader webp(Bytes b) {
  ImageHeader claim{Format::webp, 0, 0, little(b, 4, 4) + 8 <= b.size()};
  if (starts(b, "VP8 ", 12)) {
    claim.width = little(b, 26, 2) & 0x3FFF;
    claim.height = little(b, 28, 2) & 0x3FFF;
  }
  if (starts(b, "VP8L", 12)) {
    claim.width = (little(b, 21, 4) & 0x3FFF) + 1;
    claim.height = (little(b, 21, 4) >> 14 & 0x3FFF) + 1;
  }
  if (starts(b, "VP8X", 12)) {
    claim.width = little(b, 24, 3) + 1;
    claim.height = little(b, 27, 3) + 1;
  }
  return claim;
}

/// Width and height from the first directory. Tiles count too, so that the size limit also applies to them. A size is
/// given once, as one number of 16 or 32 bits: of others, decoders differ in what they read.
ImageHeader tiff(Bytes b, bool is_little) {
  constexpr std::uint64_t tags[] = {256, 257, 322, 323}, short_type = 3, long_type = 4;
  const auto get = [&](std::size_t at, std::size_t n) { return is_little ? little(b, at, n) : big(b, at, n); };
  ImageHeader claim{Format::tiff, 0, 0, false};
  const std::uint64_t directory = get(4, 4), entries = get(directory, 2);
  std::array<std::uint64_t, 4> sizes{};  // width, height; of a tile
  std::array<bool, 4> given{};
  if (directory + 2 + 12 * entries > b.size()) return claim;
  for (std::uint64_t e = 0; e < entries; ++e) {
    const std::size_t at = directory + 2 + 12 * e;
    const std::uint64_t tag = get(at, 2), type = get(at + 2, 2), count = get(at + 4, 4);
    const auto place = std::find(std::begin(tags), std::end(tags), tag) - std::begin(tags);
    if (place == std::ssize(tags)) continue;
    const auto i = static_cast<std::size_t>(place);
    if (std::exchange(given[i], true) || (type != short_type && type != long_type) || count != 1) claim.damaged = true;
    sizes[i] = get(at + 8, type == short_type ? 2 : 4);
  }
  claim.width = sizes[0];
  claim.height = sizes[1];
  const auto [tile_width, tile_height] = std::pair(sizes[2], sizes[3]);
  claim.complete = true;
  if (tile_width * tile_height > claim.width * claim.height) {
    claim.width = std::max(claim.width, tile_width);
    claim.height = std::max(claim.height, tile_height);
  }
  return claim;
}

/// The position after a list of sub-blocks, each with its length, the last of length 0; nullopt if the file ends
/// before.
std::optional<std::size_t> skip_blocks(Bytes b, std::size_t at) {
  while (at < b.size() && b[at] != 0) at += 1u + b[at];
  return at < b.size() ? std::optional(at + 1) : std::nullopt;
}

/// The size in bytes of the colour table described by `flags`.
std::size_t colours(int flags) { return (flags & 0x80) != 0 ? std::size_t{6} << (flags & 7) : 0; }

/// Skips extensions up to the first image, and that image. The canvas contains the screen and the image.
ImageHeader gif(Bytes b) {
  ImageHeader claim{Format::gif, little(b, 6, 2), little(b, 8, 2), false};
  std::optional<std::size_t> at = 13 + colours(static_cast<int>(big(b, 10, 1)));
  while (at && *at < b.size() && b[*at] == 0x21) at = skip_blocks(b, *at + 2);
  if (!at || *at >= b.size()) return claim;
  if (b[*at] != 0x2C) return {Format::gif, 0, 0, true};  // another block type, or the end: the file has no image
  if (*at + 11 > b.size()) return claim;
  claim.width = std::max(claim.width, little(b, *at + 1, 2) + little(b, *at + 5, 2));
  claim.height = std::max(claim.height, little(b, *at + 3, 2) + little(b, *at + 7, 2));
  claim.complete = skip_blocks(b, *at + 11 + colours(b[*at + 9])).has_value();
  return claim;
}

ImageHeader pnm(Bytes b) {
  const auto h = pnm_header(b);
  if (!h) return {Format::pnm, 0, 0, true};
  constexpr std::uint64_t largest = 1u << 31;
  return {Format::pnm, h->width, h->height,
          h->width > largest || h->height > largest || h->min_bytes() <= b.size() - h->data};
}

}  // namespace

std::optional<ImageHeader> read_claim(Bytes b) {
  if (starts(b, std::string_view("\x89PNG\r\n\x1a\n", 8))) return png(b);
  if (starts(b, "\xFF\xD8\xFF")) return jpeg(b);
  if (starts(b, "BM") && b.size() >= 26) return bmp(b);
  if (starts(b, "RIFF") && starts(b, "WEBP", 8)) return webp(b);
  if (starts(b, std::string_view("II*\0", 4))) return tiff(b, true);
  if (starts(b, std::string_view("MM\0*", 4))) return tiff(b, false);
  if (starts(b, "GIF87a") || starts(b, "GIF89a")) return gif(b);
  if (is_pnm(b)) return pnm(b);
  return std::nullopt;
}

std::string_view name_of(Format f) {
  switch (f) {
    case Format::png:
      return "PNG";
    case Format::jpeg:
      return "JPEG";
    case Format::bmp:
      return "BMP";
    case Format::webp:
      return "WebP";
    case Format::tiff:
      return "TIFF";
    case Format::gif:
      return "GIF";
    case Format::pnm:
      return "PNM";
  }
  return "";
}

}  // namespace nw::images
