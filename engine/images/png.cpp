// SPDX-License-Identifier: Apache-2.0
#include "engine/images/png.hpp"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <new>
#include <vector>

namespace nw::images {
namespace {

/// Pixels as libpng hands them out: 8 bits, or 16 with the upper byte first.
struct Rows {
  std::int64_t height = 0, width = 0, channels = 0;
  bool sixteen = false;
  std::vector<std::uint8_t> bytes;
  std::vector<png_bytep> row;
};

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : rest_(bytes) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, [](png_structp, png_const_charp) {});
    if (png_) info_ = png_create_info_struct(png_);
    if (!info_) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, this, take);
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// False: damaged.
  bool read(const ImageHeader& claim, Rows& to) {
    if (!start(claim, to)) return false;
    const auto line = static_cast<std::size_t>(to.width * to.channels * (to.sixteen ? 2 : 1));
    to.bytes.resize(line * static_cast<std::size_t>(to.height));
    for (std::int64_t y = 0; y < to.height; ++y) to.row.push_back(to.bytes.data() + line * static_cast<std::size_t>(y));
    return finish(to.row.data());
  }

 private:
  [[noreturn]] static void fail(png_structp png, png_const_charp) { png_longjmp(png, 1); }
  static void take(png_structp png, png_bytep to, png_size_t wanted) {
    auto& rest = static_cast<Reader*>(png_get_io_ptr(png))->rest_;
    if (rest.size() < wanted) png_error(png, "end of file");
    std::memcpy(to, rest.data(), wanted);
    rest = rest.subspan(wanted);
  }

  // libpng reports errors by longjmp: the functions that call it may have no objects with destructors.
  bool start(const ImageHeader& claim, Rows& to) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_benign_errors(png_, 1);
    // Texts and profiles change no pixel here and may unfold to much memory: they are skipped unread.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_user_limits(png_, static_cast<png_uint_32>(pixel_limit), static_cast<png_uint_32>(pixel_limit));
    png_read_info(png_, info_);
    if (png_get_image_width(png_, info_) != claim.width || png_get_image_height(png_, info_) != claim.height ||
        !is_decodable(claim.width, claim.height))
      return false;
    const png_byte colours = png_get_color_type(png_, info_);
    if (colours == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
    if (colours == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png_);
    if (colours == PNG_COLOR_TYPE_GRAY_ALPHA) png_set_gray_to_rgb(png_);
    png_set_strip_alpha(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    to.height = static_cast<std::int64_t>(claim.height);
    to.width = static_cast<std::int64_t>(claim.width);
    to.channels = png_get_channels(png_, info_);
    to.sixteen = png_get_bit_depth(png_, info_) == 16;
    return png_get_rowbytes(png_, info_) == static_cast<png_size_t>(to.width * to.channels * (to.sixteen ? 2 : 1));
  }
  bool finish(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  std::span<const std::uint8_t> rest_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

/// 16 bits to 8, as in PIL.
void to_eight_bits(Rows& of, bool& clipped) {
  const bool grey = of.channels == 1;
  const std::size_t count = of.bytes.size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t high = of.bytes[2 * i], low = of.bytes[2 * i + 1];
    clipped = clipped || (grey && high > 0);
    of.bytes[i] = !grey ? high : high > 0 ? 255 : low;
  }
  of.bytes.resize(count);
}

}  // namespace

std::optional<Image> decode_png(std::span<const std::uint8_t> bytes, const ImageHeader& claim, bool& clipped) {
  Rows rows;
  Reader reader(bytes);
  if (!reader.read(claim, rows)) return std::nullopt;
  if (rows.sixteen) to_eight_bits(rows, clipped);
  return Image{rows.height, rows.width, rows.channels, std::move(rows.bytes)};
}

}  // namespace nw::images
