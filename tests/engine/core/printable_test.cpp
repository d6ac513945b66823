// SPDX-License-Identifier: Apache-2.0
#include "kernels/printable.hpp"

#include <gtest/gtest.h>

#include <random>

#include "engine/core/json.hpp"

namespace nw {
namespace {

bool commands_a_terminal(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F) return true;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

TEST(Printable, KeepsWords) {
  for (const char* kept : {"", "cat", "my photo (2).png", "汉字 naïve Ω 🐈", "16×5×5"}) {
    EXPECT_EQ(printable(kept), kept);
    EXPECT_EQ(printable_lines(kept), kept);
    EXPECT_EQ(printable_json(kept), kept);
  }
}

TEST(Printable, ReplacesEachControlCharacterByAQuestionMark) {
  EXPECT_EQ(printable("x\ntouch OWNED #"), "x?touch OWNED #");
  EXPECT_EQ(printable("\x1b[2J\r\x7f"), "?[2J??");
  EXPECT_EQ(printable("a\u0085b\u2028c\u202Ed\u2066e"), "a?b?c?d?e");
  EXPECT_EQ(printable_lines("a\tb\nc\x1b"), "a\tb\nc?");
}

TEST(Printable, HoldsNoCommandForAnyBytes) {
  std::mt19937 random(19);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(random() % 12, ' ');
    for (char& c : bytes) c = static_cast<char>(random() % 3 == 0 ? random() % 0xA0 : random() % 256);
    const std::string shown = printable(bytes);
    EXPECT_FALSE(commands_a_terminal(shown)) << testing::PrintToString(bytes);
    EXPECT_EQ(printable(shown), shown) << "it is valid UTF-8";
    EXPECT_FALSE(commands_a_terminal(text(NW_TR("{0} failed"), bytes).str()));
    EXPECT_FALSE(commands_a_terminal(printable_json(Json(shown + "\x7f\n").dump())));
  }
}

TEST(Printable, JsonReadsBackTheSame) {
  const std::string name = "a\x7f\u0085\u202Eb\n\x1b";
  const auto back = parse_json(printable_json(Json(name).dump()), "f");
  ASSERT_TRUE(back) << back.error().str();
  EXPECT_EQ(back->get<std::string>(), name);
}

TEST(Printable, NoMessageHasMoreLinesThanItsTemplate) {
  EXPECT_EQ(text(NW_TR("{0}: not a folder"), "a\nb\x1b]0;title\a").str(), "a?b?]0;title?: not a folder");
}

}  // namespace
}  // namespace nw
