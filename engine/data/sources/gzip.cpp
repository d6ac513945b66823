// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>

#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

struct Inflater {
  z_stream stream{};
  bool ready = inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK;
  ~Inflater() {
    if (ready) inflateEnd(&stream);
  }
};

Error unpacks_too_large(const std::string& where, std::uint64_t limit_bytes) {
  return fail(Errc::bad_input, NW_TR("{0}: unpacks to more than the {1} bytes it should hold; it is not a data set"),
              where, limit_bytes);
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.size() > 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

Result<std::string> gunzip(std::string_view packed, const std::string& where, std::uint64_t limit_bytes,
                           const SizeFromStart& size_from_start) {
  Inflater inflater;
  if (!inflater.ready)
    return fail(Errc::out_of_memory,
                NW_TR("{0}: not enough memory to decompress it; close other programs and try again"), where);
  z_stream& stream = inflater.stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  // RFC 1951 packs at most 258 bytes into two bits, about 1032 to 1. A promised size above that is false, and no memory
  // is reserved for it.
  const std::uint64_t most = std::min<std::uint64_t>(limit_bytes, packed.size() * std::uint64_t{1032} + 1024);
  std::uint64_t limit = most;
  std::string out, piece(1 << 18, '\0');
  int state = Z_OK;
  for (bool first = true; state == Z_OK && out.size() <= limit; first = false) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
    if (first && size_from_start) {
      NW_ASSIGN(limit, size_from_start(out));
      if (limit > most)
        return fail(Errc::bad_input,
                    NW_TR("{0}: its header says {1} bytes follow, more than it can hold; download it again"), where,
                    limit);
      out.reserve(limit + 1);
    }
    if (state == Z_STREAM_END && stream.avail_in > 0) state = inflateReset(&stream);  // the next member
  }
  if (out.size() > limit) return unpacks_too_large(where, limit);
  if (state != Z_STREAM_END)
    return fail(Errc::bad_input, NW_TR("{0}: the compressed data is cut short or damaged; download it again"), where);
  return out;
}

Result<std::string> read_maybe_gzip(const fs::path& path, std::uint64_t limit_bytes,
                                    const SizeFromStart& size_from_start) {
  constexpr std::uint64_t packed_limit = (std::uint64_t{1} << 32) - 1;  // the limit of zlib per call
  NW_ASSIGN(std::string bytes, read_file(path, std::min(limit_bytes, packed_limit)));
  if (!is_gzip(bytes)) return bytes;
  return gunzip(bytes, path.string(), limit_bytes, size_from_start);
}

}  // namespace nw
