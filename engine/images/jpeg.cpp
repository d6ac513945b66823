// SPDX-License-Identifier: Apache-2.0
// Source of the CMYK arithmetic: PIL's convert("RGB"), which computes round(k·(255 - c)/255) for each colour; checked
// against pixels computed by PIL (tests/reference/make/make_odd_images.py).
#include "engine/images/jpeg.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <new>
#include <utility>

// jpeglib.h needs size_t and FILE before it.
#include <jpeglib.h>
// The codes of libjpeg's messages.
#include <jerror.h>

namespace nw::images {
namespace {

/// Whether pixels are wrong after this warning; other warnings (unknown marker versions, bytes between segments) change
/// no pixels.
bool is_damage(int code) {
  return code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE || code == JWRN_JPEG_EOF || code == JWRN_MUST_RESYNC ||
         code == JWRN_BOGUS_PROGRESSION || code == JWRN_ARITH_BAD_CODE;
}

/// A decoder that a thread reuses: creating one costs about as much as decoding an image of 32 × 32 pixels. libjpeg
/// keeps the tables of earlier files for files that have none; here a file is decoded as by a new decoder.
class Decoder {
 public:
  Decoder() {
    info_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = [](j_common_ptr info) {
      auto* e = reinterpret_cast<Errors*>(info->err);
      e->no_memory = e->base.msg_code == JERR_OUT_OF_MEMORY;
      std::longjmp(e->back, 1);
    };
    errors_.base.emit_message = [](j_common_ptr info, int level) {
      auto* e = reinterpret_cast<Errors*>(info->err);
      if (level < 0 && is_damage(e->base.msg_code)) e->damaged = true;
    };
    errors_.base.output_message = [](j_common_ptr) {};
    create();
  }
  ~Decoder() { jpeg_destroy_decompress(&info_); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  std::optional<Image> decode(std::span<const std::uint8_t> bytes, const ImageHeader& claim) {
    empty_tables();
    const bool is_new = std::exchange(is_new_, false);
    auto image = try_decode(bytes, claim);
    if (image || is_new) return image;
    jpeg_destroy_decompress(&info_);  // the file may lack a table for which libjpeg has a default
    create();
    return try_decode(bytes, claim);
  }

 private:
  struct Errors {
    jpeg_error_mgr base{};
    std::jmp_buf back{};
    bool damaged = false, no_memory = false;
  };

  void create() {
    if (setjmp(errors_.back) != 0) throw std::bad_alloc();
    jpeg_create_decompress(&info_);
  }
  std::optional<Image> try_decode(std::span<const std::uint8_t> bytes, const ImageHeader& claim) {
    Image out;
    errors_.damaged = errors_.no_memory = false;
    if (!start(bytes, claim.width, claim.height)) return give_up();
    out.height = info_.output_height;
    out.width = info_.output_width;
    out.channels = info_.output_components;
    out.hwc.resize(static_cast<std::size_t>(out.height * out.width * out.channels));
    if (!scan(out.hwc.data(), static_cast<std::size_t>(out.width * out.channels)) || errors_.damaged) return give_up();
    if (out.channels == 4) to_rgb(out);
    return out;
  }
  // The memory of a table stays until the decoder's end. An empty table of codes is damage to libjpeg.
  void empty_tables() {
    for (JQUANT_TBL* t : info_.quant_tbl_ptrs)
      if (t) std::fill(std::begin(t->quantval), std::end(t->quantval), UINT16{0});
    for (auto* tables : {info_.dc_huff_tbl_ptrs, info_.ac_huff_tbl_ptrs})
      for (JHUFF_TBL* t : std::span(tables, NUM_HUFF_TBLS))
        if (t) std::fill(std::begin(t->bits), std::end(t->bits), UINT8{0});
  }
  /// Whether a part of the image was scaled by a table that the file does not hold.
  bool has_empty_table() const {
    return std::any_of(info_.comp_info, info_.comp_info + info_.num_components, [](const jpeg_component_info& c) {
      const JQUANT_TBL* const t = c.quant_table;
      return t && std::all_of(std::begin(t->quantval), std::end(t->quantval), [](UINT16 q) { return q == 0; });
    });
  }

  // libjpeg reports errors by longjmp: the functions that call it may have no objects with destructors.
  // What is allocated is what was checked: libjpeg must find the size that the header's reader found.
  bool start(std::span<const std::uint8_t> bytes, std::uint64_t width, std::uint64_t height) {
    if (setjmp(errors_.back) != 0) return false;
    jpeg_mem_src(&info_, bytes.data(), bytes.size());
    jpeg_read_header(&info_, TRUE);
    if (info_.image_width != width || info_.image_height != height || !is_decodable(width, height)) return false;
    const bool inks = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
    info_.out_color_space = inks ? JCS_CMYK : info_.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    return jpeg_start_decompress(&info_);
  }
  bool scan(std::uint8_t* to, std::size_t line) {
    if (setjmp(errors_.back) != 0) return false;
    while (info_.output_scanline < info_.output_height) {
      JSAMPROW row = to + line * info_.output_scanline;
      if (jpeg_read_scanlines(&info_, &row, 1) != 1) return false;
    }
    return !has_empty_table() && jpeg_finish_decompress(&info_);
  }
  std::optional<Image> give_up() {
    jpeg_abort_decompress(&info_);
    if (errors_.no_memory) throw std::bad_alloc();
    return std::nullopt;
  }

  static void to_rgb(Image& p) {
    const auto pixels = static_cast<std::size_t>(p.height * p.width);
    for (std::size_t i = 0; i < pixels; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        const unsigned black = p.hwc[4 * i + 3], product = (255u - p.hwc[4 * i + c]) * black + 128;
        p.hwc[3 * i + c] = static_cast<std::uint8_t>(black - ((product + (product >> 8)) >> 8));
      }
    p.channels = 3;
    p.hwc.resize(3 * pixels);
  }

  jpeg_decompress_struct info_{};
  Errors errors_;
  bool is_new_ = true;
};

}  // namespace

std::optional<Image> decode_jpeg(std::span<const std::uint8_t> bytes, const ImageHeader& claim) {
  thread_local Decoder decoder;
  return decoder.decode(bytes, claim);
}

}  // namespace nw::images
