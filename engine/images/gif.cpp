// SPDX-License-Identifier: Apache-2.0
// Source: GIF89a specification (CompuServe, 1990), sections 18 to 23; checked against pixels computed by PIL
// (tests/reference/make/make_odd_images.py).
#include "engine/images/gif.hpp"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "engine/images/headers.hpp"

namespace nw::images {
namespace {

struct GifCloser {
  void operator()(GifFileType* file) const { DGifCloseFile(file, nullptr); }
};
using File = std::unique_ptr<GifFileType, GifCloser>;

struct Rest {
  std::span<const std::uint8_t> bytes;
};
int take(GifFileType* file, GifByteType* to, int wanted) {
  auto& rest = static_cast<Rest*>(file->UserData)->bytes;
  const std::size_t n = std::min(rest.size(), static_cast<std::size_t>(std::max(wanted, 0)));
  if (n > 0) std::memcpy(to, rest.data(), n);
  rest = rest.subspan(n);
  return static_cast<int>(n);
}

/// Reads one extension to its end; a graphic control extension sets the transparent colour, if it names one.
bool read_extension(GifFileType& file, std::optional<std::uint8_t>& transparent) {
  int kind = 0;
  GifByteType* block = nullptr;  // first byte: its length
  if (DGifGetExtension(&file, &kind, &block) == GIF_ERROR) return false;
  if (kind == GRAPHICS_EXT_FUNC_CODE && block && block[0] >= 4 && (block[1] & 1) != 0) transparent = block[4];
  while (block)
    if (DGifGetExtensionNext(&file, &block) == GIF_ERROR) return false;
  return true;
}

/// Reads up to the first frame's descriptor.
bool find_frame(GifFileType& file, std::optional<std::uint8_t>& transparent) {
  for (;;) {
    GifRecordType kind = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(&file, &kind) == GIF_ERROR) return false;
    if (kind == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(&file) == GIF_OK;
    if (kind != EXTENSION_RECORD_TYPE || !read_extension(file, transparent)) return false;
  }
}

/// Reads the frame's colour indices into its position on a canvas of `width`.
bool read_lines(GifFileType& file, std::vector<std::uint8_t>& canvas, std::size_t width) {
  const GifImageDesc& frame = file.Image;
  const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  for (int pass = frame.Interlace ? 0 : 3; pass < 4; ++pass)
    for (int y = frame.Interlace ? starts[pass] : 0; y < frame.Height; y += frame.Interlace ? steps[pass] : 1)
      if (DGifGetLine(
              &file,
              canvas.data() + static_cast<std::size_t>(frame.Top + y) * width + static_cast<std::size_t>(frame.Left),
              frame.Width) == GIF_ERROR)
        return false;
  return true;
}

using Palette = std::array<std::array<std::uint8_t, 3>, 256>;

/// Without a colour table, or with one that maps each index to itself (which PIL treats as grey), indices are grey
/// values. Colours missing in the table are black.
Palette palette_of(const GifFileType& file) {
  Palette greys, listed{};
  for (std::size_t i = 0; i < greys.size(); ++i) greys[i].fill(static_cast<std::uint8_t>(i));
  const ColorMapObject* map = file.Image.ColorMap ? file.Image.ColorMap : file.SColorMap;
  const std::size_t count = map ? std::min<std::size_t>(static_cast<std::size_t>(map->ColorCount), listed.size()) : 0;
  for (std::size_t i = 0; i < count; ++i) listed[i] = {map->Colors[i].Red, map->Colors[i].Green, map->Colors[i].Blue};
  return std::equal(listed.begin(), listed.begin() + static_cast<std::ptrdiff_t>(count), greys.begin()) ? greys
                                                                                                        : listed;
}

std::vector<std::uint8_t> coloured(const std::vector<std::uint8_t>& canvas, const Palette& palette,
                                   std::size_t channels) {
  std::vector<std::uint8_t> hwc(canvas.size() * channels);
  for (std::size_t i = 0; i < canvas.size(); ++i)
    std::copy_n(palette[canvas[i]].begin(), channels, hwc.begin() + static_cast<std::ptrdiff_t>(i * channels));
  return hwc;
}

}  // namespace

std::optional<Image> decode_gif(std::span<const std::uint8_t> bytes) {
  Rest rest{bytes};
  std::optional<std::uint8_t> transparent;
  const File file(DGifOpen(&rest, take, nullptr));
  if (!file || !find_frame(*file, transparent)) return std::nullopt;
  const GifImageDesc& frame = file->Image;
  const auto width = static_cast<std::size_t>(std::max(file->SWidth, frame.Left + frame.Width)),
             height = static_cast<std::size_t>(std::max(file->SHeight, frame.Top + frame.Height));
  if (frame.Width <= 0 || frame.Height <= 0 || !is_decodable(width, height)) return std::nullopt;
  std::vector<std::uint8_t> canvas(width * height, transparent.value_or(0));
  if (!read_lines(*file, canvas, width)) return std::nullopt;
  const Palette palette = palette_of(*file);
  const bool grey =
      std::all_of(palette.begin(), palette.end(), [](const auto& c) { return c[0] == c[1] && c[1] == c[2]; });
  const std::size_t channels = grey ? 1 : 3;
  return Image{static_cast<std::int64_t>(height), static_cast<std::int64_t>(width), static_cast<std::int64_t>(channels),
               coloured(canvas, palette, channels)};
}

}  // namespace nw::images
