// SPDX-License-Identifier: Apache-2.0
// PBM, PGM and PPM (netpbm's P1 to P6), as text and as bytes, with values of one and of two bytes. Read here, not by
// OpenCV: the values of a file whose highest is not 255 are stretched as PIL stretches them.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "engine/core/image.hpp"

namespace nw::images {

struct PnmHeader {
  std::uint64_t width = 0, height = 0;  // pixels
  std::uint64_t highest = 1;            // the value that is white: 1 of bits, up to 65535
  std::int64_t channels = 1;            // 1 or 3
  bool bits = false, text = false;      // P1 and P4; P1 to P3
  std::size_t data = 0;                 // the place of the first value
  /// The fewest bytes that this many values can take; sizes up to 2^31 only.
  std::uint64_t min_bytes() const;
};
/// Whether bytes start as a PNM file does: P, a digit from 1 to 6, white space.
bool is_pnm(std::span<const std::uint8_t> bytes);
/// Nothing when the file ends in its header or the header is wrong.
std::optional<PnmHeader> pnm_header(std::span<const std::uint8_t> bytes);
/// The pixels as PIL's convert("RGB") or convert("L") takes them: bits become 0 and 255, colours are stretched to 255,
/// grey of two bytes is stretched to 65535 and cut at 255. Nothing for a file that ends early or holds what is no
/// value. `clipped` becomes true if a grey value was cut. Safe from several threads.
std::optional<Image> decode_pnm(std::span<const std::uint8_t> bytes, bool& clipped);

}  // namespace nw::images
