// SPDX-License-Identifier: Apache-2.0
// Unusual images compared with torchvision's ImageFolder (tests/reference/make/make_odd_images.py): the same class
// names, class indices and pixels.
#include <gtest/gtest.h>

#include <map>

#include "engine/core/json.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

const fs::path reference = fs::path(test::tests_folder()) / "reference";

struct Expected {
  std::int64_t label = 0, height = 0, width = 0;
  std::vector<std::uint8_t> rgb;
};

std::vector<std::uint8_t> unhex(const std::string& digits) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

struct UnusualImages : testing::Test {
  std::vector<std::string> classes;
  std::map<std::string, Expected> images;  // by path relative to the folder
  UnusualImages() {
    const Json all = *parse_json(*read_file(reference / "odd_images.json", 1 << 20), "odd_images.json");
    classes = all["classes"].get<std::vector<std::string>>();
    for (const Json& image : all["images"])
      images[image["file"]] = {image["label"], image["height"], image["width"], unhex(image["rgb"])};
  }
};

/// The largest permitted difference of a byte. Versions of libjpeg-turbo differ by one in the inverse transform and
/// in chroma upsampling, versions of libwebp by one; all other formats are exact.
int tolerance(const fs::path& file) {
  const std::string kind = file.extension();
  return kind == ".jpg" || kind == ".jpeg" || file.filename() == "lossy.webp" ? 1 : 0;
}

int largest_difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  if (a.size() != b.size()) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST_F(UnusualImages, EachHasThePixelsThatTorchvisionSees) {
  const auto decoder = image_decoder();
  ASSERT_TRUE(decoder) << decoder.error().str();
  ASSERT_EQ(images.size(), 54u);
  for (const auto& [name, expected] : images) {
    const std::string bytes = *read_file(reference / "odd_images" / name, 1 << 20);
    const auto image =
        (*decoder)->decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, name, 3, 0, 0);
    ASSERT_TRUE(image) << image.error().str();
    EXPECT_EQ(image->height, expected.height) << name;
    EXPECT_EQ(image->width, expected.width) << name;
    EXPECT_LE(largest_difference(image->hwc, expected.rgb), tolerance(name)) << name;
    EXPECT_EQ(image->clipped, name.find("grey-16.") != std::string::npos) << name;
  }
}

TEST_F(UnusualImages, AreNumberedAsTorchvisionNumbersTheirClasses) {
  const auto data = open_image_folder(reference / "odd_images", {}, 3, 0, 0);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->classes, classes);
  ASSERT_EQ(data->train->size(), static_cast<std::int64_t>(images.size()));
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(data->train->bytes()));
  for (std::int64_t i = 0; i < data->train->size(); ++i) {
    const Expected& expected = images.at(data->train->origin(i));
    EXPECT_EQ(data->train->label(i), expected.label);
    ASSERT_TRUE(data->train->pixels(i, pixels));
    EXPECT_LE(largest_difference(pixels, expected.rgb), tolerance(data->train->origin(i))) << data->train->origin(i);
  }
  ASSERT_EQ(data->warnings.size(), 1u);
  EXPECT_NE(data->warnings[0].str().find("5 grey images of 16 bits hold values above 255"), std::string::npos);
  EXPECT_EQ(data->unreadable, 0);
}

}  // namespace
}  // namespace nw
