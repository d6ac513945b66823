// SPDX-License-Identifier: Apache-2.0
#include "engine/core/png_text.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace nw {
namespace {

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

std::string from_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

/// Unpacks at most `most` bytes; nullopt: damaged, or more.
std::optional<std::string> inflated(std::string_view packed, std::size_t most) {
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) return std::nullopt;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ends(&stream, &::inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out, piece(std::size_t{64} << 10, '\0');
  for (int state = Z_OK; state != Z_STREAM_END;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = ::inflate(&stream, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) return std::nullopt;
    const std::size_t made = piece.size() - stream.avail_out;
    if (out.size() + made > most || (made == 0 && state == Z_OK)) return std::nullopt;
    out.append(piece, 0, made);
  }
  return out;
}

/// Removes and returns what comes before the next zero byte.
std::string_view field(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\0'), rest.size());
  const std::string_view found = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return found;
}

/// The text in a chunk's data after its keyword; nullopt: damaged or too long.
std::optional<std::string> text_of(std::string_view kind, std::string_view data, std::size_t most) {
  if (kind == "tEXt") return data.size() <= most ? std::optional(from_latin1(data)) : std::nullopt;
  if (kind == "zTXt") {
    if (data.empty()) return std::nullopt;
    const auto text = inflated(data.substr(1), most);
    return text ? std::optional(from_latin1(*text)) : std::nullopt;
  }
  if (data.size() < 2) return std::nullopt;
  const bool packed = data[0] != 0;
  data.remove_prefix(2);  // and the method
  field(data);            // the language
  field(data);            // the translated keyword
  if (packed) return inflated(data, most);
  return data.size() <= most ? std::optional(std::string(data)) : std::nullopt;
}

}  // namespace

Result<std::optional<std::string>> png_text(std::string_view png, std::string_view keyword, std::size_t max_bytes,
                                            std::string_view where) {
  if (!png.starts_with("\x89PNG\r\n\x1a\n")) return fail(Errc::bad_input, NW_TR("{0}: not a PNG image"), where);
  png.remove_prefix(8);
  while (png.size() >= 12) {
    const std::uint64_t length = big_endian(png);
    if (length > png.size() - 12) break;
    const std::string_view kind = png.substr(4, 4), checked = png.substr(4, 4 + length);
    std::string_view data = png.substr(8, length);
    const std::uint64_t sum = big_endian(png.substr(8 + length));
    png.remove_prefix(12 + length);
    if (kind == "IEND") break;
    if ((kind != "tEXt" && kind != "zTXt" && kind != "iTXt") || field(data) != keyword) continue;
    if (::crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size())) != sum)
      return fail(Errc::bad_input, NW_TR("{0}: its text is damaged"), where);
    auto text = text_of(kind, data, max_bytes);
    if (!text)
      return fail(Errc::bad_input, NW_TR("{0}: its text is damaged or larger than {1} bytes"), where, max_bytes);
    return std::optional(*std::move(text));
  }
  return std::optional<std::string>();
}

}  // namespace nw
