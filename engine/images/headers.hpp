// SPDX-License-Identifier: Apache-2.0
// The properties of an image file stated in its header, read before anything is decoded.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nw::images {

enum class Format : std::uint8_t { png, jpeg, bmp, webp, tiff, gif, pnm };
struct ImageHeader {
  Format format;
  std::uint64_t width = 0, height = 0;  // pixels; 0: not in the header
  // the file ends where its structure requires; PNG, JPEG and GIF (up to the end of the first image) are parsed
  // completely
  bool complete = true;
  // the file was changed after it was written (PNG, by its checksums), or its header is invalid (PNM)
  bool damaged = false;
};
/// The most pixels of an image that is decoded.
inline constexpr std::uint64_t pixel_limit = std::uint64_t{64} << 20;
/// Whether the size is known and within the limit.
constexpr bool is_decodable(std::uint64_t width, std::uint64_t height) {
  return width > 0 && height > 0 && width <= pixel_limit && height <= pixel_limit / width;
}
/// By signature, never by name; nullopt for any other content.
std::optional<ImageHeader> read_claim(std::span<const std::uint8_t> bytes);
std::string_view name_of(Format);

}  // namespace nw::images
