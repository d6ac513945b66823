// SPDX-License-Identifier: Apache-2.0
// Archives for tests, built byte by byte, so that they can be malformed: tar (POSIX.1-1988 ustar) and zip (PKWARE
// APPNOTE 6.3.3, stored or deflated).
#pragma once
#include <zlib.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/data_files.hpp"

namespace nw::test {

/// An entry of a tar: type '0' file, '5' folder, '1' hard link, '2' symbolic link, '3' and '4' devices, '6' pipe.
struct TarEntry {
  std::string name, bytes;
  char type = '0';
  std::string link;
};

inline std::string octal(std::uint64_t v, std::size_t digits) {
  std::string out(digits, '0');
  for (std::size_t i = digits; i-- > 0; v >>= 3) out[i] = static_cast<char>('0' + (v & 7));
  return out;
}

inline std::string tar_header(const TarEntry& e) {
  std::string h(512, '\0');
  const auto put = [&](std::size_t at, const std::string& s) { h.replace(at, s.size(), s); };
  put(0, e.name.substr(0, 99));
  put(100, octal(0644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(e.bytes.size(), 11));
  put(136, octal(0, 11));
  h[156] = e.type;
  put(157, e.link.substr(0, 99));
  put(257, std::string("ustar\00000", 8));
  put(148, "        ");
  unsigned sum = 0;
  for (const char c : h) sum += static_cast<unsigned char>(c);
  put(148, octal(sum, 6) + std::string("\0 ", 2));
  return h;
}
/// `ended`: append the two empty blocks that end a tar file.
inline std::string tar_bytes(const std::vector<TarEntry>& entries, bool ended = true) {
  std::string out;
  for (const TarEntry& e : entries)
    out += tar_header(e) + e.bytes + std::string((512 - e.bytes.size() % 512) % 512, '\0');
  return out + std::string(ended ? 1024 : 0, '\0');
}

/// An entry of a zip; `wrong_sum` stores a wrong checksum. `mode`: Unix file type and permissions.
struct ZipEntry {
  std::string name, bytes;
  bool deflated = false, encrypted = false, wrong_sum = false;
  unsigned mode = 0100644;
};

inline std::string deflated_bytes(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string zip_bytes(const std::vector<ZipEntry>& entries) {
  std::string out, directory;
  for (const ZipEntry& e : entries) {
    const std::string packed = e.deflated ? deflated_bytes(e.bytes) : e.bytes;
    auto sum = static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(e.bytes.data()), static_cast<uInt>(e.bytes.size())));
    if (e.wrong_sum) sum ^= 1;
    const std::string common = little_endian(20, 2) + little_endian(e.encrypted ? 1 : 0, 2) +
                               little_endian(e.deflated ? 8 : 0, 2) + little_endian(0, 4) + little_endian(sum, 4) +
                               little_endian(packed.size(), 4) + little_endian(e.bytes.size(), 4) +
                               little_endian(e.name.size(), 2) + little_endian(0, 2);
    directory += "PK\1\2" + little_endian(0x031E, 2) + common + little_endian(0, 2) + little_endian(0, 2) +
                 little_endian(0, 2) + little_endian(static_cast<std::uint64_t>(e.mode) << 16, 4) +
                 little_endian(out.size(), 4) + e.name;
    out += "PK\3\4" + common + e.name + packed;
  }
  const std::string end = "PK\5\6" + little_endian(0, 2) + little_endian(0, 2) + little_endian(entries.size(), 2) +
                          little_endian(entries.size(), 2) + little_endian(directory.size(), 4) +
                          little_endian(out.size(), 4) + little_endian(0, 2);
  return out + directory + end;
}

}  // namespace nw::test
