// SPDX-License-Identifier: Apache-2.0
#include "kernels/nested_text.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

TEST(NestedText, RendersInEnglishAndKeepsItsTemplate) {
  const Text inner = text("{0}: this {1} file is cut short", "a/7.png", "PNG");
  const Text outer = text("Left out: {0}", nested(inner));
  EXPECT_EQ(outer.str(), "Left out: a/7.png: this PNG file is cut short");
  EXPECT_EQ(nested_in(outer.args[0]), inner);
  EXPECT_EQ(plain(outer.args[0]), inner.str());
}

TEST(NestedText, ASentenceWithoutArgumentsAndTwoLevelsOfNestingAreSupported) {
  const Text inner = text("no room");
  EXPECT_EQ(nested_in(nested(inner)), inner);
  const Text middle = text("{0} failed: {1}", "x", nested(inner));
  EXPECT_EQ(text("{0}!", nested(middle)).str(), "x failed: no room!");
}

TEST(NestedText, PlainArgumentsAreUnchangedAndCannotImitateNestedText) {
  EXPECT_FALSE(nested_in("a/7.png"));
  EXPECT_FALSE(nested_in(""));
  EXPECT_EQ(text("{0} {1}", "a", "").str(), "a ");
  const Text forged = text("{0} is wrong",
                           "evil\x1f"
                           "b\x1e"
                           "c");
  EXPECT_EQ(nested_in(nested(forged)), text("{0} is wrong", "evilbc"));
  EXPECT_EQ(text("{0}", "\x1e").str(), "");
}

}  // namespace
}  // namespace nw
