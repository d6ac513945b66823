// SPDX-License-Identifier: Apache-2.0
// Ninety malformed files of eighteen kinds among valid ones: each is reported by its path before training, and none
// crashes or blocks the reader.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <opencv2/imgcodecs.hpp>

#include <algorithm>

#include "engine/data/cache/open.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {
using namespace test;

std::string encoded(const char* ending, int seed, const std::vector<int>& options = {}) {
  cv::Mat m(24, 20, CV_8UC3);
  cv::theRNG().state = static_cast<std::uint64_t>(seed) + 1;
  cv::randu(m, 0, 255);
  std::vector<std::uint8_t> out;
  cv::imencode(ending, m, out, options);
  return {out.begin(), out.end()};
}

std::string png_chunk(const std::string& named) {
  const auto sum = static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<uInt>(named.size())));
  return big_endian(static_cast<std::uint32_t>(named.size() - 4)) + named + big_endian(sum);
}
std::string png_of_size(std::uint32_t width, std::uint32_t height) {
  return "\x89PNG\r\n\x1a\n" +
         png_chunk("IHDR" + big_endian(width) + big_endian(height) + std::string("\x08\0\0\0\0", 5)) +
         png_chunk("IDAT" + std::string("\x78\x9c\x03\0\0\0\0\x01", 8)) + png_chunk("IEND");
}
std::string with_byte(std::string bytes, std::size_t at, char value) {
  bytes.at(at) = value;
  return bytes;
}
/// A GIF with one line of three pixels of colour 1, on a screen of 9 × 9 with two colours.
std::string gif_of(char green) {
  return std::string("GIF89a\x09\0\x09\0\x80\0\0", 13) + std::string(4, green) + "zz" +
         std::string(",\0\0\0\0\x03\0\x01\0\0\x02\x02\x4C\x5B\0;", 16);
}
/// A JPEG whose Huffman tables (marker FFC4) claim more codes than a table can hold.
std::string corrupt_huffman(int seed) {
  std::string bytes = encoded(".jpg", seed);
  const std::size_t at = bytes.find("\xFF\xC4");
  for (std::size_t i = at + 5; i < at + 5 + 16; ++i) bytes[i] = '\xFF';
  return bytes;
}

struct Hostile : testing::Test {
  TemporaryFolder folder;
  fs::path top = folder.path() / "photos";
  std::vector<fs::path> bad;
  fs::path next(const char* kind, int i, const char* ending) {
    bad.push_back(top / (i % 2 ? "cat" : "dog") / (kind + std::to_string(i) + ending));
    fs::create_directories(bad.back().parent_path());
    return bad.back();
  }
  void put(const char* kind, int i, const char* ending, const std::string& bytes) {
    write_bytes(next(kind, i, ending), bytes);
  }

  /// Five files of each of eighteen kinds.
  void make_all() {
    const char* endings[] = {".png", ".jpg", ".bmp", ".webp", ".tiff"};
    for (int i = 0; i < 5; ++i) {
      const std::string whole = encoded(endings[i], i);
      put("cut", i, endings[i], whole.substr(0, whole.size() / 2));
      put("empty", i, endings[i], "");
      put("magic", i, endings[i], "XXXX" + whole.substr(4));
      put("text", i, ".jpg", "<html>404: photo " + std::to_string(i) + " is gone</html>");
      put("huge", i, ".png", png_of_size(30000u + static_cast<unsigned>(i), 0x7FFFFFFF));
      put("zero", i, ".png", png_of_size(0, static_cast<std::uint32_t>(i + 1)));
      put("huffman", i, ".jpg", corrupt_huffman(i));
      const std::string png = encoded(".png", i);
      put("checksum", i, ".png", with_byte(png, png.find("IDAT") + 20 + static_cast<std::size_t>(i), '\x55'));
      const std::string gif = gif_of(static_cast<char>(i + 1));
      put("gif-cut", i, ".gif", gif.substr(0, gif.size() - 3 - static_cast<std::size_t>(i)));
      put("gif-huge", i, ".gif", with_byte(with_byte(gif, 7, '\x7F'), 9, '\x7F'));
      put("gif-pixels", i, ".gif", with_byte(gif, 20, '\x09'));  // the height is one line more than the data contains
      put("pnm-cut", i, ".ppm", std::string("P") + "23566"[i] + " 5 5 255\n1 2");
      put("pnm-huge", i, ".pgm", "P" + std::to_string(i + 2) + " 65536 65536 255\n" + std::string(100, '1'));
      put("pnm-values", i, ".PPM", "P" + std::to_string(i % 2 + 2) + " 1 1 1\n" + (i < 3 ? "7 7 7" : "x x x"));
      fs::create_directories(next("folder", i, ".png"));
      ASSERT_EQ(::mkfifo(next("pipe", i, ".jpg").c_str(), 0600), 0);
      fs::create_symlink(top / ("absent" + std::to_string(i) + ".png"), next("dangling", i, ".png"));
      put("forbidden", i, ".png", png);
      fs::permissions(bad.back(), fs::perms::none);
    }
  }
};

TEST_F(Hostile, MalformedFilesAreReportedByPathAndSkipped) {
  make_all();
  ASSERT_EQ(bad.size(), 90u);
  const bool may_read_all = ::access(bad.back().c_str(), R_OK) == 0;  // root ignores file permissions
  for (int i = 0; i < 4; ++i)
    write_bytes(top / (i % 2 ? "cat" : "dog") / ("good" + std::to_string(i) + ".png"), encoded(".png", 100 + i));
  const auto data = open_data({.kind = SourceKind::image_folder, .path = top.string()}, {}, false);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->size(), may_read_all ? 9 : 4);
  EXPECT_EQ(data->unreadable, may_read_all ? 85 : 90);
  for (const fs::path& file : bad) {
    if (may_read_all && file.filename().string().starts_with("forbidden")) continue;
    const auto names = [&](const Text& t) { return t.str().find(file.string()) != std::string::npos; };
    EXPECT_EQ(std::count_if(data->warnings.begin(), data->warnings.end(), names), 1) << file;
  }
}

}  // namespace
}  // namespace nw
