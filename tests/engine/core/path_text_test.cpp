// SPDX-License-Identifier: Apache-2.0
#include "engine/core/path_text.hpp"

#include <gtest/gtest.h>

#include <random>

#include "engine/core/json.hpp"

namespace nw {
namespace {

TEST(PathText, KeepsWhatIsUtf8) {
  for (const char* path : {"", "/home/me/data", "照片/naïve 🐈", "a\nb"}) {
    EXPECT_EQ(path_to_text(path), path);
    EXPECT_EQ(text_to_path(path), path);
  }
}

TEST(PathText, AnyBytesComeBackFromJson) {
  std::mt19937 random(19);
  for (int round = 0; round < 20'000; ++round) {
    std::string path(random() % 20, ' ');
    for (char& c : path) c = static_cast<char>(random() % 3 == 0 ? 0xF4 - random() % 0x80 : 1 + random() % 255);
    const auto json = parse_json(canonical(Json(path_to_text(path))), "f");
    ASSERT_TRUE(json) << json.error().str();
    EXPECT_EQ(text_to_path(json->get<std::string>()), path) << testing::PrintToString(path);
  }
}

}  // namespace
}  // namespace nw
