// SPDX-License-Identifier: Apache-2.0
#include "engine/core/path_text.hpp"

#include "kernels/printable.hpp"

namespace nw {
namespace {

constexpr char32_t first_byte = 0x10FF00;

/// U+10FF00 + b: F4 8F BC 80 … F4 8F BF BF.
void append_byte(std::string& out, char byte) {
  const auto b = static_cast<unsigned char>(byte);
  out += "\xF4\x8F";
  out += static_cast<char>(0xBC | b >> 6);
  out += static_cast<char>(0x80 | (b & 0x3F));
}

}  // namespace

std::string path_to_text(std::string_view path) {
  std::string out;
  for (std::size_t at = 0; at < path.size();) {
    const Utf8 d = decode_utf8(path.substr(at));
    const std::string_view bytes = path.substr(at, d.bytes);
    if (d.valid && d.character < first_byte)
      out += bytes;
    else
      for (const char byte : bytes) append_byte(out, byte);
    at += d.bytes;
  }
  return out;
}

std::string text_to_path(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8 d = decode_utf8(text.substr(at));
    if (d.valid && d.character >= first_byte)
      out += static_cast<char>(d.character - first_byte);
    else
      out += text.substr(at, d.bytes);
    at += d.bytes;
  }
  return out;
}

}  // namespace nw
