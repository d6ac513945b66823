// SPDX-License-Identifier: Apache-2.0
// The image decoder module: its pixels equal PIL's, and damaged or dangerous files are rejected before decoding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"
#include "engine/data/dataset.hpp"
#include "tests/engine/images/image_bytes.hpp"
#include "tests/support/noise_image.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {
using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(DecodedImages, OfEveryLosslessKindComeBackPixelByPixel) {
  const cv::Mat m = picture();
  for (const char* ending : {".png", ".bmp", ".tiff"}) {
    const auto image = decode(encode(ending, m));
    ASSERT_TRUE(image) << ending << image.error().str();
    ASSERT_EQ(image->height, 40);
    ASSERT_EQ(image->width, 60);
    ASSERT_EQ(image->channels, 3);
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 60; ++x)
        for (int c = 0; c < 3; ++c)
          ASSERT_EQ(image->hwc[(static_cast<std::size_t>(y) * 60 + static_cast<std::size_t>(x)) * 3 +
                               static_cast<std::size_t>(c)],
                    m.at<cv::Vec3b>(y, x)[2 - c])
              << ending;
  }
}
TEST(DecodedImages, AsJpegAndWebpComeBackNearlyAsTheyWere) {
  const cv::Mat m = picture();
  for (const char* ending : {".jpg", ".webp"}) {
    const auto image = decode(encode(ending, m));
    ASSERT_TRUE(image) << ending << image.error().str();
    double difference = 0;
    std::size_t at = 0;
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 60; ++x)
        for (int c = 0; c < 3; ++c) difference += std::abs(image->hwc[at++] - m.at<cv::Vec3b>(y, x)[2 - c]);
    EXPECT_LT(difference / 7200, 6) << ending;
  }
}
TEST(DecodedImages, TurnGreyWithTheRoundingOfPil) {
  cv::Mat m(1, 3, CV_8UC3);
  m.at<cv::Vec3b>(0, 0) = {50, 100, 200};
  m.at<cv::Vec3b>(0, 1) = {255, 255, 255};
  m.at<cv::Vec3b>(0, 2) = {1, 0, 254};
  EXPECT_THAT(decode(encode(".png", m), 1)->hwc, ElementsAre(124, 255, 76));  // Image.new("RGB", …).convert("L")
}
TEST(DecodedImages, InGreyBecomeColourWhereColourIsRequested) {
  const cv::Mat grey(2, 2, CV_8UC1, cv::Scalar(77));
  EXPECT_THAT(decode(encode(".png", grey), 3)->hwc, testing::Each(77));
  EXPECT_EQ(decode(encode(".png", grey), 3)->channels, 3);
  EXPECT_EQ(decode(encode(".png", grey), 0)->channels, 1);
  EXPECT_EQ(decode(encode(".png", picture()), 0)->channels, 3);
}
TEST(DecodedImages, SixteenBitGreyIsClippedLikePilAndFlagged) {
  cv::Mat m(1, 3, CV_16UC1);
  m.at<std::uint16_t>(0, 0) = 7;
  m.at<std::uint16_t>(0, 1) = 255;
  m.at<std::uint16_t>(0, 2) = 256;
  for (const char* ending : {".png", ".tiff"}) {
    EXPECT_THAT(decode(encode(ending, m), 1)->hwc, ElementsAre(7, 255, 255)) << ending;
    EXPECT_TRUE(decode(encode(ending, m), 1)->clipped) << ending;
    EXPECT_FALSE(decode(encode(ending, m.colRange(0, 2)), 3)->clipped) << ending;
  }
}
TEST(DecodedImages, OfSixteenBitsInColourGiveTheUpperByte) {
  const cv::Mat m(1, 1, CV_16UC3, cv::Scalar(0x1234, 0xFFFF, 0x00FF));
  for (const char* ending : {".png", ".tiff"}) {
    EXPECT_THAT(decode(encode(ending, m))->hwc, ElementsAre(0x00, 0xFF, 0x12)) << ending;
    EXPECT_FALSE(decode(encode(ending, m))->clipped) << ending;
  }
}
TEST(DecodedImages, LoseTheirTransparency) {
  const cv::Mat m(2, 2, CV_8UC4, cv::Scalar(10, 20, 30, 0));
  const auto image = decode(encode(".png", m));
  ASSERT_TRUE(image) << image.error().str();
  EXPECT_EQ(image->channels, 3);
  EXPECT_THAT(std::vector(image->hwc.begin(), image->hwc.begin() + 3), ElementsAre(30, 20, 10));
}
TEST(DecodedImages, WithAPaletteShowItsColours) {
  const Bytes header = big(2) + big(1) + Bytes{8, 3, 0, 0, 0};
  const Bytes file = png_magic + chunk("IHDR", header) + chunk("PLTE", {255, 0, 0, 0, 128, 255}) +
                     chunk("IDAT", deflated({0, 1, 0})) + chunk("IEND", {});
  const auto image = decode(file);
  ASSERT_TRUE(image) << image.error().str();
  EXPECT_THAT(image->hwc, ElementsAre(0, 128, 255, 255, 0, 0));
}
// PIL, and so torchvision, ignores the EXIF orientation when it opens an image: a network gets the same pixels from
// both.
TEST(DecodedImages, AreNotTurnedByTheirExif) {
  cv::Mat m(8, 16, CV_8UC3, cv::Scalar(0, 0, 0));
  m(cv::Rect(0, 0, 8, 8)).setTo(cv::Scalar(255, 255, 255));
  const Bytes plain = encode(".jpg", m, {cv::IMWRITE_JPEG_QUALITY, 100});
  // APP1 with one directory of one entry: orientation (0x0112) = 6, "turn right by 90 degrees to see it upright".
  const Bytes exif = text(std::string("Exif\0\0MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0", 32));
  const Bytes app1 = Bytes{0xFF, 0xE1, 0, static_cast<std::uint8_t>(exif.size() + 2)} + exif;
  const Bytes marked = Bytes(plain.begin(), plain.begin() + 2) + app1 + Bytes(plain.begin() + 2, plain.end());
  const auto image = decode(marked, 1);
  ASSERT_TRUE(image) << image.error().str();
  ASSERT_EQ(image->height, 8);
  ASSERT_EQ(image->width, 16);
  EXPECT_EQ(image->hwc, decode(plain, 1)->hwc);
}
TEST(DecodedImages, AreResizedOnRequestAndReportTheOriginalSize) {
  const auto image = decode(encode(".png", picture()), 3, 10, 20);
  ASSERT_TRUE(image);
  EXPECT_EQ(image->height, 10);
  EXPECT_EQ(image->width, 20);
  EXPECT_EQ(image->hwc.size(), 600u);
  EXPECT_EQ(image->found_height, 40);
  EXPECT_EQ(image->found_width, 60);
}

TEST(DecodedImages, AreResizedAsTorchvisionResizesUnlessAnotherWayIsNamed) {
  const Json cases = *parse_json(*read_file(fs::path(test::tests_folder()) / "reference/resize.json", 1 << 20),
                                 "resize.json", {.bytes = 1 << 20});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto from = cases[i]["from"].get<std::vector<std::int64_t>>(),
               to = cases[i]["to"].get<std::vector<std::int64_t>>();
    Image noise = test::noise_image(from[0], from[1], from[2], static_cast<std::uint32_t>(i + 1));
    cv::Mat m(static_cast<int>(noise.height), static_cast<int>(noise.width), noise.channels == 3 ? CV_8UC3 : CV_8UC1,
              noise.hwc.data());
    if (noise.channels == 3) cv::cvtColor(m, m, cv::COLOR_RGB2BGR);
    const Bytes file = encode(".png", m);
    EXPECT_LE(largest_difference(decode(file, from[2], to[0], to[1])->hwc,
                                 cases[i]["bilinear"].get<std::vector<std::uint8_t>>()),
              1)
        << i;
    EXPECT_EQ(decoder().decode(file, "photo", from[2], to[0], to[1], Resampling::nearest)->hwc,
              cases[i]["nearest"].get<std::vector<std::uint8_t>>())
        << i;
  }
  // "area" is OpenCV's, as in versions that knew no other way.
  const Image noise = test::noise_image(40, 60, 1, 9);
  const cv::Mat grey(40, 60, CV_8UC1, const_cast<std::uint8_t*>(noise.hwc.data()));
  cv::Mat smaller;
  cv::resize(grey, smaller, cv::Size(20, 13), 0, 0, cv::INTER_AREA);
  const auto area = decoder().decode(encode(".png", grey), "photo", 1, 13, 20, Resampling::area);
  EXPECT_EQ(area->hwc, std::vector<std::uint8_t>(smaller.data, smaller.data + smaller.total()));
  EXPECT_EQ(area->found_width, 60);
}

/// A reference image of a format that OpenCV cannot write, or not with all options.
Bytes malformed_image(const std::string& name) {
  return text(*read_file(fs::path(test::tests_folder()) / "reference/odd_images" / name, 1 << 20));
}
TEST(DamagedImages, AsGifOrPnmCutShortAnywhereAreRejected) {
  for (const char* name : {"gif/colours.gif", "gif/interlaced.gif", "gif/transparent-on-a-screen.gif", "pnm/bytes.ppm",
                           "pnm/of-16-bits.ppm", "pnm/bits.pgm", "pnm/text.ppm", "pnm/bits-as-text.pgm"}) {
    const Bytes whole = malformed_image(name);
    ASSERT_EQ(error(whole), "") << name;
    // the text format ends with a decimal number: any prefix of its digits is a valid number
    const std::size_t behind = std::string(name).starts_with("gif") ? 2 : name == std::string("pnm/text.ppm") ? 4 : 2;
    for (std::size_t less = behind; less <= whole.size(); ++less)
      ASSERT_NE(error(cut(whole, whole.size() - less)), "") << name << " less " << less;
  }
  EXPECT_THAT(error(cut(malformed_image("pnm/bytes.ppm"), 300)), HasSubstr("this PNM file is cut short"));
  EXPECT_THAT(error(cut(malformed_image("gif/colours.gif"), 900)), HasSubstr("this GIF file is cut short"));
}
TEST(DamagedImages, InvalidPnmHeadersAndPixelsAreRejected) {
  for (const char* content :
       {"P6\n", "P6\n3 x 255\n", "P5 1 1 0\n1", "P5 1 1 65536\n111", "P5 0 4 255\n", "P2 2 1 9\n3 10", "P2 2 1 9\n3 -1",
        "P2 1 1 9 00000000001", "P1 3 1 102", "P5 12345678901 1 255\n11", "P1 #"})
    EXPECT_THAT(error(text(content)), testing::AnyOf(HasSubstr("damaged"), HasSubstr("cut short"))) << content;
}
TEST(DamagedImages, AsGifWithoutAnImageAreRejected) {
  const Bytes screen = text(std::string("GIF89a\4\0\4\0\0\0\0", 13));
  const Bytes frame = text(std::string(",\0\0\0\0\1\0\1\0\0", 10));
  EXPECT_THAT(error(screen + text(";")), HasSubstr("damaged"));
  EXPECT_THAT(error(screen + text("?") + Bytes(20, 0)), HasSubstr("damaged"));
  EXPECT_THAT(error(screen + frame + Bytes{2, 2, 0x4C, 1, 0, ';'}), "");                 // clear, colour 1, end
  EXPECT_THAT(error(screen + frame + Bytes{2, 1, 0x2C, 0, ';'}), HasSubstr("damaged"));  // clear, end: no pixel
  // code lengths of 13 bits and more are invalid
  EXPECT_THAT(error(screen + frame + Bytes{13, 2, 0x4C, 1, 0, ';'}), HasSubstr("damaged"));
}
TEST(DamagedImages, AsJpegCutShortAnywhereAreRejected) {
  for (const auto& options : {std::vector<int>{}, std::vector<int>{cv::IMWRITE_JPEG_PROGRESSIVE, 1},
                              std::vector<int>{cv::IMWRITE_JPEG_RST_INTERVAL, 2}}) {
    const Bytes whole = encode(".jpg", picture(80, 80), options);
    ASSERT_EQ(error(whole), "");
    for (std::size_t length = 0; length < whole.size(); length += 1 + length / 97)
      EXPECT_NE(error(cut(whole, length)), "") << length;
    for (std::size_t less = 1; less < 40; ++less)
      EXPECT_THAT(error(cut(whole, whole.size() - less)), HasSubstr("cut short")) << less;
  }
}
/// A JPEG file without its segments of a kind (0xDB: quantization, 0xC4: codes).
Bytes without(std::uint8_t kind, const Bytes& jpeg) {
  Bytes left(jpeg.begin(), jpeg.begin() + 2);
  for (std::size_t at = 2; at + 4 < jpeg.size();) {
    const std::size_t length = 2u + jpeg[at + 2] * 256u + jpeg[at + 3];
    const bool is_scan = jpeg[at + 1] == 0xDA;
    const auto end = is_scan ? jpeg.end() : jpeg.begin() + static_cast<std::ptrdiff_t>(at + length);
    if (jpeg[at + 1] != kind) left.insert(left.end(), jpeg.begin() + static_cast<std::ptrdiff_t>(at), end);
    at = is_scan ? jpeg.size() : at + length;
  }
  return left;
}
// libjpeg keeps tables for files that have none: what a file shows would depend on the file decoded before it.
TEST(DamagedImages, AsJpegWithoutTablesDoNotUseThoseOfTheFileBefore) {
  const Bytes usual = encode(".jpg", picture()), other = encode(".jpg", picture(), {cv::IMWRITE_JPEG_OPTIMIZE, 1}),
              rough = encode(".jpg", picture(), {cv::IMWRITE_JPEG_QUALITY, 10}), no_codes = without(0xC4, usual);
  for (const Bytes& before : {usual, other, rough}) {
    ASSERT_EQ(error(before), "");
    EXPECT_THAT(error(without(0xDB, usual)), HasSubstr("damaged"));
    ASSERT_EQ(error(before), "");
    ASSERT_EQ(error(no_codes), "") << "those of a JPEG that says nothing are known";
    EXPECT_EQ(decode(no_codes)->hwc, decode(usual)->hwc);
  }
}
TEST(DamagedImages, OfTheOtherKindsCutShortAnywhereAreRejected) {
  cv::Mat noise(64, 64, CV_8UC3);
  cv::theRNG().state = 7;
  cv::randu(noise, 0, 255);
  for (const char* ending : {".png", ".bmp", ".webp", ".tiff"}) {
    const Bytes whole = encode(ending, noise);
    ASSERT_EQ(error(whole), "") << ending;
    for (const double share : {0.001, 0.1, 0.5, 0.9, 0.999})
      EXPECT_NE(error(cut(whole, static_cast<std::size_t>(share * static_cast<double>(whole.size())))), "")
          << ending << " " << share;
  }
}
TEST(DecodedImages, WithBytesBehindTheirEndAreReadAsOthersReadThem) {
  for (const char* ending : {".png", ".jpg"})
    EXPECT_EQ(error(encode(ending, picture()) + Bytes(100000, 'x')), "") << ending;
}
TEST(DamagedImages, WithFlippedBytesNeverCrash) {
  std::uint32_t state = 1;
  const auto next = [&] { return state = state * 1664525u + 1013904223u; };
  std::vector<Bytes> wholes = {malformed_image("gif/colours.gif"), malformed_image("gif/transparent-on-a-screen.gif"),
                               malformed_image("pnm/of-10-bits.ppm"), malformed_image("pnm/text.ppm"),
                               malformed_image("pnm/bits.pgm")};
  for (const char* ending : {".png", ".jpg", ".bmp", ".webp", ".tiff"})
    wholes.push_back(encode(ending, picture(24, 24)));
  for (const Bytes& whole : wholes) {
    for (int round = 0; round < 200; ++round) {
      Bytes bytes = whole;
      for (int k = 0; k < 4; ++k) bytes[next() % bytes.size()] = static_cast<std::uint8_t>(next() >> 24);
      const auto image = decode(bytes);  // success and failure are both valid
      EXPECT_TRUE(!image ||
                  image->hwc.size() == static_cast<std::size_t>(image->height * image->width * image->channels));
    }
  }
}

}  // namespace
}  // namespace nw
