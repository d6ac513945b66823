// SPDX-License-Identifier: Apache-2.0
// Sources: PNG (W3C, third edition, 11.2.1), JPEG (ITU-T T.81 annex B), BMP (BITMAPINFOHEADER), WebP container (RFC 9649),
// TIFF 6.0 section 2.
#include "engine/images/headers.hpp"

#include <algorithm>
#include <cstring>

namespace nw::images {
namespace {

using Bytes = std::span<const std::uint8_t>;

bool starts(Bytes b, std::string_view magic, std::size_t at = 0) {
  return b.size() >= at + magic.size() && std::memcmp(b.data() + at, magic.data(), magic.size()) == 0;
}
std::uint64_t big(Bytes b, std::size_t at, int n) {
  std::uint64_t v = 0;
  for (int i = 0; i < n; ++i) v = v << 8 | (at + static_cast<std::size_t>(i) < b.size() ? b[at + static_cast<std::size_t>(i)] : 0);
  return v;
}
std::uint64_t little(Bytes b, std::size_t at, int n) {
  std::uint64_t v = 0;
  for (int i = n; i-- > 0;) v = v << 8 | (at + static_cast<std::size_t>(i) < b.size() ? b[at + static_cast<std::size_t>(i)] : 0);
  return v;
}

Claim png(Bytes b) {
  static constexpr std::string_view end("\0\0\0\0IEND\xAE\x42\x60\x82", 12);
  const auto tail = b.size() > 4096 ? b.subspan(b.size() - 4096) : b;
  const std::string_view view(reinterpret_cast<const char*>(tail.data()), tail.size());
  return {Format::png, big(b, 16, 4), big(b, 20, 4), view.rfind(end) != std::string_view::npos};
}

/// Walks the marker segments to the frame header; the end marker must stand at the end of the entropy-coded data.
Claim jpeg(Bytes b) {
  Claim claim{Format::jpeg, 0, 0, false};
  std::size_t at = 2;
  while (at + 4 <= b.size() && b[at] == 0xFF) {
    const int marker = b[at + 1];
    if (marker == 0xFF) { ++at; continue; }
    const std::uint64_t length = big(b, at + 2, 2);
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame) { claim.height = big(b, at + 5, 2); claim.width = big(b, at + 7, 2); }
    if (marker == 0xDA || length < 2) break;
    at += 2 + length;
  }
  // Cameras append data behind the end marker; a file cut short has none behind its scan.
  for (std::size_t i = b.size(); i-- > at + 1;)
    if (b[i] == 0xD9 && b[i - 1] == 0xFF) { claim.complete = true; break; }
  return claim;
}

Claim bmp(Bytes b) {
  const auto height = static_cast<std::int32_t>(little(b, 22, 4));
  return {Format::bmp, little(b, 18, 4), static_cast<std::uint64_t>(height < 0 ? -static_cast<std::int64_t>(height) : height), little(b, 2, 4) <= b.size()};
}

Claim webp(Bytes b) {
  Claim claim{Format::webp, 0, 0, little(b, 4, 4) + 8 <= b.size()};
  if (starts(b, "VP8 ", 12)) { claim.width = little(b, 26, 2) & 0x3FFF; claim.height = little(b, 28, 2) & 0x3FFF; }
  if (starts(b, "VP8L", 12)) { claim.width = (little(b, 21, 4) & 0x3FFF) + 1; claim.height = (little(b, 21, 4) >> 14 & 0x3FFF) + 1; }
  if (starts(b, "VP8X", 12)) { claim.width = little(b, 24, 3) + 1; claim.height = little(b, 27, 3) + 1; }
  return claim;
}

/// Width and height from the first directory.
Claim tiff(Bytes b, bool is_little) {
  const auto get = [&](std::size_t at, int n) { return is_little ? little(b, at, n) : big(b, at, n); };
  Claim claim{Format::tiff, 0, 0, true};
  const std::uint64_t directory = get(4, 4);
  if (directory + 2 > b.size()) return {Format::tiff, 0, 0, false};
  const std::uint64_t entries = std::min<std::uint64_t>(get(directory, 2), 4096);
  for (std::uint64_t e = 0; e < entries; ++e) {
    const std::size_t at = directory + 2 + 12 * e;
    const std::uint64_t tag = get(at, 2), value = get(at + 8, get(at + 2, 2) == 3 ? 2 : 4);
    if (tag == 256) claim.width = value;
    if (tag == 257) claim.height = value;
  }
  return claim;
}

}  // namespace

std::optional<Claim> read_claim(Bytes b) {
  if (starts(b, std::string_view("\x89PNG\r\n\x1a\n", 8)) && b.size() >= 24) return png(b);
  if (starts(b, "\xFF\xD8\xFF")) return jpeg(b);
  if (starts(b, "BM") && b.size() >= 26) return bmp(b);
  if (starts(b, "RIFF") && starts(b, "WEBP", 8) && b.size() >= 30) return webp(b);
  if (starts(b, std::string_view("II*\0", 4)) && b.size() >= 8) return tiff(b, true);
  if (starts(b, std::string_view("MM\0*", 4)) && b.size() >= 8) return tiff(b, false);
  return std::nullopt;
}

std::string_view name_of(Format f) {
  static constexpr std::string_view names[] = {"PNG", "JPEG", "BMP", "WebP", "TIFF"};
  return names[static_cast<std::size_t>(f)];
}

}  // namespace nw::images
