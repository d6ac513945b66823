// SPDX-License-Identifier: Apache-2.0
// Files that claim more than they hold, or are of no kind that is read: refused before they take memory or time.
#include <time.h>

#include <algorithm>
#include <array>

#include "tests/engine/images/image_bytes.hpp"
#include "tests/support/memory_limit.hpp"

namespace nw {
namespace {
using namespace test;
using testing::HasSubstr;

TEST(DamagedImages, ThatAreTextAreRejectedWhateverTheirName) {
  EXPECT_THAT(error(text("just words")), HasSubstr("not an image of a kind that is read"));
  EXPECT_THAT(error({}), HasSubstr("is empty"));
}
std::vector<Bytes> of_other_kinds() {
  std::vector<Bytes> all;
  for (const std::string& magic :
       {std::string("GIF88a"), std::string("P7\nWIDTH 1\n"), std::string("Pf 1 1 -1\n"), std::string("P6x"),
        std::string("\0\0\0\x0CjP  ", 8), std::string("\x76\x2f\x31\x01", 4), std::string("#?RADIANCE\n"),
        std::string("%PDF-1.4"), std::string("<svg xmlns=''/>"), std::string("\x59\xa6\x6a\x95", 4)})
    all.push_back(text(magic + std::string(100, '\0')));
  return all;
}
TEST(DamagedImages, OfKindsThatAreNotOnTheListAreRejected) {
  for (const Bytes& other : of_other_kinds())
    EXPECT_THAT(error(other), HasSubstr("not an image of a kind that is read"))
        << std::string(other.begin(), other.begin() + 8);
}

/// Headers that claim 20000×20000 pixels, each followed by little data.
std::vector<Bytes> giants() {
  const Bytes zeros(400, 0), size_big = big(20000) + big(20000),
                             size_little = text(little_endian(20000, 4) + little_endian(20000, 4));
  std::vector<Bytes> all;
  all.push_back(png_magic + chunk("IHDR", size_big + Bytes{8, 0, 0, 0, 0}) + chunk("IDAT", deflated(zeros)) +
                chunk("IEND", {}));
  all.push_back(Bytes{0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0x4E, 0x20, 0x4E, 0x20, 1, 1, 0x11, 0,
                      0xFF, 0xDA, 0,    8,    1, 1,  0, 0,    63,   0,    1,    2, 3, 0xFF, 0xD9});
  all.push_back(text("BM" + little_endian(54, 4) + little_endian(0, 4) + little_endian(54, 4) + little_endian(40, 4)) +
                size_little + text(little_endian(1, 2) + little_endian(24, 2)) + zeros);
  all.push_back(text("II*" + std::string(1, '\0') + little_endian(8, 4) + little_endian(2, 2) + little_endian(256, 2) +
                     little_endian(4, 2) + little_endian(1, 4) + little_endian(20000, 4) + little_endian(257, 2) +
                     little_endian(4, 2) + little_endian(1, 4) + little_endian(20000, 4)) +
                zeros);
  // VP8L: 14 bits each of width - 1 and height - 1, so 16384×16384 is the largest size.
  all.push_back(
      text("RIFF" + little_endian(30, 4) + "WEBPVP8L" + little_endian(10, 4) + "\x2f" + little_endian(0x0FFFFFFF, 4)) +
      zeros);
  all.push_back(text(std::string("GIF89a\x20\x4E\x20\x4E\0\0\0,\0\0\0\0\x20\x4E\x20\x4E\0\x08", 24)) + zeros);
  // a large frame on a small screen
  all.push_back(text(std::string("GIF89a\1\0\1\0\0\0\0,\x20\x4E\x20\x4E\x20\x4E\x20\x4E\0\x08", 24)) + zeros);
  for (const char* kind : {"1", "2", "3", "4", "5", "6"})
    all.push_back(text(std::string("P") + kind + " 20000 20000 255\n") + zeros);
  all.push_back(text("P6 4294967296 4294967296 255\n") + zeros);
  return all;
}
TEST(DamagedImages, OfTwentyThousandPixelsSquareAreRejectedBeforeTheyTakeMemory) {
  (void)decode(encode(".png", picture()));
  const std::vector<Bytes> all = giants();
  const test::MemoryLimit limit(32);
  for (const Bytes& giant : all) EXPECT_THAT(error(giant), HasSubstr("more than the 64 million"));
}
/// A frame header of a progressive JPEG with three colours.
Bytes frame(std::uint8_t side_high, std::uint8_t side_low) {
  return {0xFF, 0xC2, 0, 17, 8, side_high, side_low, side_high, side_low, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0};
}
/// A TIFF whose directory has these entries of 12 bytes.
Bytes tiff(const std::vector<std::array<unsigned, 3>>& tag_type_value) {
  std::string directory = little_endian(static_cast<unsigned>(tag_type_value.size()), 2);
  for (const auto& [tag, type, value] : tag_type_value)
    directory += little_endian(tag, 2) + little_endian(type, 2) + little_endian(1, 4) + little_endian(value, 4);
  return text("II*" + std::string(1, '\0') + little_endian(8, 4) + directory) + Bytes(400, 0);
}
/// Files that give their size twice, or in a form that decoders read differently.
std::vector<Bytes> of_two_sizes() {
  const Bytes start{0xFF, 0xD8}, end{0xFF, 0xD9},
      scan{0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6};
  return {start + frame(0xFF, 0xDC) + scan + frame(0, 16) + end,
          start + frame(0, 16) + scan + frame(0xFF, 0xDC) + end,
          start + frame(0xFF, 0xDC) + frame(0, 16) + scan + end,
          start + frame(0, 16) + frame(0xFF, 0xDC) + scan + end,
          tiff({{256, 4, 40000}, {257, 4, 40000}, {256, 4, 4}, {257, 4, 4}}),
          tiff({{256, 4, 4}, {257, 4, 4}, {256, 4, 40000}, {257, 4, 40000}}),
          tiff({{256, 16, 4}, {257, 4, 4}}),
          tiff({{256, 4, 4}, {257, 4, 4}, {322, 4, 40000}, {323, 4, 40000}, {322, 4, 16}, {323, 4, 16}})};
}
/// What is allocated is what was checked.
TEST(DamagedImages, OfTwoSizesAreRejectedBeforeTheyTakeMemory) {
  const std::vector<Bytes> all = of_two_sizes();
  const test::MemoryLimit limit(32);
  for (const Bytes& bytes : all) EXPECT_NE(error(bytes), "");
}

/// The processor time of this process for one refusal, the smallest of five.
double refusal_ms(const Bytes& bytes) {
  const auto now_ms = [] {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
  };
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double begin = now_ms();
    EXPECT_FALSE(decode(bytes));
    least = std::min(least, now_ms() - begin);
  }
  return least;
}
TEST(DamagedImages, ThatAreBombsOrOfOtherKindsAreRefusedWithinFiftyMilliseconds) {
  std::vector<Bytes> all = of_other_kinds();
  for (const auto& more : {giants(), of_two_sizes()}) all.insert(all.end(), more.begin(), more.end());
  for (const Bytes& small : giants()) all.push_back(small + Bytes(32 << 20, 0));  // and with as much data as is read
  all.push_back(text("%PDF-1.4") + Bytes(64 << 20, ' '));
  all.push_back(png_magic + chunk("IHDR", big(20000) + big(20000) + Bytes{8, 0, 0, 0, 0}) +
                chunk("IDAT", Bytes(16 << 20, 7)) + chunk("IEND", {}));
  double most = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double ms = refusal_ms(all[i]);
    EXPECT_LE(ms, 50) << "file " << i << " of " << all[i].size() << " bytes";
    most = std::max(most, ms);
  }
  std::printf("%zu files, at most %.2f ms\n", all.size(), most);
}
TEST(DamagedImages, WithoutSizeAreRejected) {
  EXPECT_NE(error(png_magic + chunk("IHDR", big(0) + big(5) + Bytes{8, 0, 0, 0, 0}) + chunk("IEND", {})), "");
  EXPECT_NE(error(Bytes{0xFF, 0xD8, 0xFF, 0xD9}), "");
}

}  // namespace
}  // namespace nw
