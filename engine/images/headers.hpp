// SPDX-License-Identifier: Apache-2.0
// What an image file claims, read from its first bytes before anything is decoded.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nw::images {

enum class Format : std::uint8_t { png, jpeg, bmp, webp, tiff, gif, pnm };
struct ImageHeader {
  Format format;
  std::uint64_t width = 0, height = 0;  // pixels; 0: the header does not say
  // ends where its own structure says; PNG, JPEG and GIF (to its first picture's end) are walked from mark to mark
  bool complete = true;
  // a part of it has changed since it was written (PNG, by its checksums), or its header says nothing that can be (PNM)
  bool damaged = false;
};
/// By magic, never by name; nothing for any other content.
std::optional<ImageHeader> read_claim(std::span<const std::uint8_t> bytes);
std::string_view name_of(Format);

}  // namespace nw::images
