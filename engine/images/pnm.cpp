// SPDX-License-Identifier: Apache-2.0
// Sources: the manual pages pbm(5), pgm(5) and ppm(5) of netpbm; checked against pixels computed by PIL
// (tests/reference/make/make_odd_images.py).
#include "engine/images/pnm.hpp"

#include <algorithm>
#include <cmath>

#include "engine/images/headers.hpp"

namespace nw::images {
namespace {

using Bytes = std::span<const std::uint8_t>;
constexpr int longest_number = 10;  // digits, as in PIL

bool is_space(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Skips comments: from # to the end of the line.
void skip_comment(Bytes b, std::size_t& at) {
  while (at < b.size() && b[at] == '#') {
    while (at < b.size() && b[at] != '\n' && b[at] != '\r') ++at;
    if (at < b.size()) ++at;
  }
}

/// Reads a number and the white-space character after it, which may be missing at the end of the file.
std::optional<std::uint64_t> number(Bytes b, std::size_t& at) {
  std::uint64_t value = 0;
  int digits = 0;
  for (;; ++at) {
    skip_comment(b, at);
    if (at == b.size()) break;
    if (is_space(b[at])) {
      if (digits == 0) continue;
      ++at;
      break;
    }
    if (b[at] < '0' || b[at] > '9' || ++digits > longest_number) return std::nullopt;
    value = 10 * value + (b[at] - '0');
  }
  return digits > 0 ? std::optional(value) : std::nullopt;
}

/// Maps the values of the file to eight bits.
struct Stretch {
  explicit Stretch(const PnmHeader& h) : table(h.highest > 255 ? 65536 : 256) {
    const double to = deep(h) ? 65535 : 255;
    for (std::size_t v = 0; v < table.size(); ++v) {
      const double wide = std::min(to, std::nearbyint(static_cast<double>(v) / static_cast<double>(h.highest) * to));
      if (wide > 255 && first_clipped == table.size()) first_clipped = v;
      table[v] = static_cast<std::uint8_t>(std::min(wide, 255.0));
    }
  }
  static bool deep(const PnmHeader& h) { return h.channels == 1 && h.highest > 255; }
  std::vector<std::uint8_t> table;
  std::size_t first_clipped = table.size();  // values from here on are clipped
};

bool read_text(Bytes b, const PnmHeader& h, const Stretch& stretch, Image& out, bool& clipped) {
  std::size_t at = h.data;
  for (std::uint8_t& to : out.hwc) {
    const auto value = number(b, at);
    if (!value || *value > h.highest) return false;
    to = stretch.table[*value];
    clipped = clipped || *value >= stretch.first_clipped;
  }
  return true;
}

/// In text files, bits need no white space between them.
bool read_text_bits(Bytes b, const PnmHeader& h, Image& out) {
  std::size_t at = h.data;
  for (std::uint8_t& to : out.hwc) {
    for (skip_comment(b, at); at < b.size() && is_space(b[at]); skip_comment(b, at)) ++at;
    if (at == b.size() || (b[at] != '0' && b[at] != '1')) return false;
    to = b[at++] == '0' ? 255 : 0;
  }
  return true;
}

void read_bits(Bytes b, const PnmHeader& h, Image& out) {
  const std::size_t line = (h.width + 7) / 8;
  for (std::size_t i = 0; i < out.hwc.size(); ++i) {
    const std::size_t x = i % h.width;
    out.hwc[i] = b[h.data + i / h.width * line + x / 8] >> (7 - x % 8) & 1 ? 0 : 255;
  }
}

void read_bytes(Bytes b, const PnmHeader& h, const Stretch& stretch, Image& out, bool& clipped) {
  const Bytes from = b.subspan(h.data);
  for (std::size_t i = 0; i < out.hwc.size(); ++i) {
    const std::size_t value = h.highest > 255 ? static_cast<std::size_t>(from[2 * i] << 8 | from[2 * i + 1]) : from[i];
    out.hwc[i] = stretch.table[value];
    clipped = clipped || value >= stretch.first_clipped;
  }
}

}  // namespace

bool is_pnm(Bytes b) { return b.size() >= 3 && b[0] == 'P' && b[1] >= '1' && b[1] <= '6' && is_space(b[2]); }

std::optional<PnmHeader> pnm_header(Bytes b) {
  if (!is_pnm(b)) return std::nullopt;
  PnmHeader h;
  h.text = b[1] <= '3';
  h.bits = b[1] == '1' || b[1] == '4';
  h.channels = b[1] == '3' || b[1] == '6' ? 3 : 1;
  h.data = 3;
  for (std::uint64_t* to : {&h.width, &h.height, &h.highest}) {
    if (to == &h.highest && h.bits) break;
    const auto value = number(b, h.data);
    if (!value) return std::nullopt;
    *to = *value;
  }
  return h.highest > 0 && h.highest < 65536 ? std::optional(h) : std::nullopt;
}

std::uint64_t PnmHeader::min_bytes() const {
  if (bits) return text ? width * height : (width + 7) / 8 * height;
  const std::uint64_t values = width * height * static_cast<std::uint64_t>(channels);
  if (text) return values > 0 ? 2 * values - 1 : 0;  // one digit each, with white space between them
  return highest > 255 ? 2 * values : values;
}

std::optional<Image> decode_pnm(Bytes b, bool& clipped) {
  const auto h = pnm_header(b);
  if (!h || !is_decodable(h->width, h->height) || h->min_bytes() > b.size() - h->data) return std::nullopt;
  Image out{static_cast<std::int64_t>(h->height), static_cast<std::int64_t>(h->width), h->channels, {}};
  out.hwc.resize(static_cast<std::size_t>(out.height * out.width * out.channels));
  bool whole = true;
  if (h->bits && h->text)
    whole = read_text_bits(b, *h, out);
  else if (h->bits)
    read_bits(b, *h, out);
  else if (h->text)
    whole = read_text(b, *h, Stretch(*h), out, clipped);
  else
    read_bytes(b, *h, Stretch(*h), out, clipped);
  return whole ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace nw::images
