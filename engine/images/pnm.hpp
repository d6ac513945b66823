// SPDX-License-Identifier: Apache-2.0
// PBM, PGM and PPM (netpbm's P1 to P6), text and binary, with values of one and two bytes. Not decoded by OpenCV,
// because values of a file whose maximum is not 255 must be scaled as in PIL.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "engine/core/image.hpp"

namespace nw::images {

struct PnmHeader {
  std::uint64_t width = 0, height = 0;  // pixels
  std::uint64_t highest = 1;            // the value of white: 1 for bits, up to 65535
  std::int64_t channels = 1;            // 1 or 3
  bool bits = false, text = false;      // bits: P1 and P4; text: P1 to P3
  std::size_t data = 0;                 // offset of the first value
  /// The smallest possible size of this many values; for widths and heights up to 2^31.
  std::uint64_t min_bytes() const;
};
/// Whether bytes start like a PNM file: P, a digit from 1 to 6, white space.
bool is_pnm(std::span<const std::uint8_t> bytes);
/// Nullopt if the header is invalid or truncated.
std::optional<PnmHeader> pnm_header(std::span<const std::uint8_t> bytes);
/// The pixels as in PIL's convert("RGB") or convert("L"): bits become 0 and 255, colours are scaled to 255, 16-bit grey
/// is scaled to 65535 and clipped at 255. Nullopt for a file that is truncated or contains an invalid value. `clipped`
/// becomes true if a grey value was clipped. Safe from several threads.
std::optional<Image> decode_pnm(std::span<const std::uint8_t> bytes, bool& clipped);

}  // namespace nw::images
