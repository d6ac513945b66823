// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>

#include "engine/data/sources.hpp"

namespace nw {
namespace {

/// All members of a gzip file (RFC 1952), in pieces, never more than `limit_bytes`.
Result<std::string> gunzip(const std::string& packed, const std::string& where, std::uint64_t limit_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return fail(Errc::out_of_memory, NW_TR("{0}: no memory to unpack it"), where);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  std::vector<char> piece(1 << 18);
  int state = Z_OK;
  while (state == Z_OK && out.size() <= limit_bytes) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
    if (state == Z_STREAM_END && stream.avail_in > 0) state = inflateReset(&stream);
  }
  inflateEnd(&stream);
  if (out.size() > limit_bytes) return fail(Errc::bad_input, NW_TR("{0}: unpacks to more than {1} bytes; it is not a data set"), where, limit_bytes);
  if (state != Z_STREAM_END) return fail(Errc::bad_input, NW_TR("{0}: the compressed data is cut short or damaged; download it again"), where);
  return out;
}

}  // namespace

Result<std::string> read_maybe_gzip(const fs::path& path, std::uint64_t limit_bytes) {
  NW_ASSIGN(std::string bytes, read_file(path, std::min<std::uint64_t>(limit_bytes, std::uint64_t{1} << 32) - 1));
  const bool packed = bytes.size() > 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
  return packed ? gunzip(bytes, path.string(), limit_bytes) : Result<std::string>(std::move(bytes));
}

}  // namespace nw
