// SPDX-License-Identifier: Apache-2.0
// Small data files for tests, byte by byte: IDX, gzip, CIFAR records, BMP images.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nw::test {

inline void write_bytes(const std::filesystem::path& file, std::string_view bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string big_endian(std::uint32_t v) {
  return {static_cast<char>(v >> 24), static_cast<char>(v >> 16 & 255), static_cast<char>(v >> 8 & 255),
          static_cast<char>(v & 255)};
}
inline std::string little_endian(std::uint64_t v, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(v >> (8 * i) & 255);
  return out;
}

/// An IDX file of unsigned bytes with any header, also one that contradicts the data.
inline std::string idx_bytes(const std::vector<std::uint32_t>& sizes, const std::string& data) {
  std::string out{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
  for (const std::uint32_t s : sizes) out += big_endian(s);
  return out + data;
}
/// `count` images of height × width whose pixel i of image n is (n * 7 + i) % 256.
inline std::string idx_images(std::uint32_t count, std::uint32_t height, std::uint32_t width) {
  std::string data;
  for (std::uint32_t n = 0; n < count; ++n)
    for (std::uint32_t i = 0; i < height * width; ++i) data += static_cast<char>((n * 7 + i) % 256);
  return idx_bytes({count, height, width}, data);
}
/// Labels 0, 1, …, classes - 1, 0, 1, …
inline std::string idx_labels(std::uint32_t count, std::uint32_t classes) {
  std::string data;
  for (std::uint32_t n = 0; n < count; ++n) data += static_cast<char>(n % classes);
  return idx_bytes({count}, data);
}

/// One gzip member. The content may be generated piece by piece by `piece`, so that the test for a decompression bomb
/// needs little memory.
inline std::string gzip_bytes(std::string_view bytes, std::uint64_t times = 1) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string out, piece(1 << 16, '\0');
  for (std::uint64_t i = 0; i < times; ++i) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = static_cast<uInt>(piece.size());
      deflate(&stream, i + 1 == times ? Z_FINISH : Z_NO_FLUSH);
      out.append(piece.data(), piece.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

/// CIFAR-10 records; pixel i of plane c of image n is (n + 50 * c + i) % 256.
inline std::string cifar_records(int count, const std::function<int(int)>& label) {
  std::string out;
  for (int n = 0; n < count; ++n) {
    out += static_cast<char>(label(n));
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 1024; ++i) out += static_cast<char>((n + 50 * c + i) % 256);
  }
  return out;
}

/// A 24-bit BMP of one colour.
inline std::string bmp_bytes(int height, int width, std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  const int row = (3 * width + 3) / 4 * 4;
  std::string out = "BM" + little_endian(54 + static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(height), 4) +
                    little_endian(0, 4) + little_endian(54, 4);
  out += little_endian(40, 4) + little_endian(static_cast<std::uint64_t>(width), 4) +
         little_endian(static_cast<std::uint64_t>(height), 4);
  out += little_endian(1, 2) + little_endian(24, 2) + std::string(24, '\0');
  for (int y = 0; y < height; ++y) {
    std::string line;
    for (int x = 0; x < width; ++x) line += {static_cast<char>(blue), static_cast<char>(green), static_cast<char>(red)};
    line.resize(static_cast<std::size_t>(row), '\0');
    out += line;
  }
  return out;
}

/// Sets an environment variable during the object's lifetime; nullptr unsets it.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) {
      had_ = true;
      old_ = old;
    }
    if (value)
      ::setenv(name, value, 1);
    else
      ::unsetenv(name);
  }
  Environment(const Environment&) = delete;
  ~Environment() {
    if (had_)
      ::setenv(name_.c_str(), old_.c_str(), 1);
    else
      ::unsetenv(name_.c_str());
  }

 private:
  std::string name_, old_;
  bool had_ = false;
};

}  // namespace nw::test
