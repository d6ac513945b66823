// SPDX-License-Identifier: Apache-2.0
// Blocks as files of the user's palette.
#include "engine/design/block_card.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/json.hpp"
#include "engine/design/block_edits.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

GraphDoc with_blocks() {
  GraphDoc doc;
  for (const char* name : {"Inner", "Outer"}) test::edit(doc, {PutBlock{name, Block{{{"k", 3}}, {}}}});
  test::add_net(doc, "in: BlockInput; relu: ReLU; out: BlockOutput", "Inner");
  test::add_net(doc, "in: BlockInput; b: Block block=Inner; out: BlockOutput", "Outer");
  return doc;
}
const BlockCard card{"layer-relu", "Two lines\nof help."};

TEST(BlockCard, TravelsWithTheBlockUnderItsNewName) {
  const auto text = block_file_text(with_blocks(), "Outer", "Stage", card);
  ASSERT_TRUE(text) << text.error().str();
  const auto read = card_in(*text);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, card);
  const auto taken = take_block(GraphDoc(), *text);
  ASSERT_TRUE(taken) << taken.error().str();
  EXPECT_EQ(taken->name, "Stage");
  GraphDoc other;
  test::edit(other, taken->edit);
  EXPECT_EQ(other.blocks().size(), 2U) << "the nested block comes along";
  EXPECT_TRUE(with_blocks().blocks().contains("Outer")) << "the document itself is unchanged";
}

TEST(BlockCard, ANameThatIsNoneOrAnothersIsRefused) {
  EXPECT_FALSE(block_file_text(with_blocks(), "Outer", "4 bad", card));
  EXPECT_FALSE(block_file_text(with_blocks(), "Outer", "Inner", card));
  EXPECT_TRUE(block_file_text(with_blocks(), "Outer", "Outer", card));
}

TEST(BlockCard, WordsOfFilesAreBoundedAndWithoutControlCharacters) {
  const BlockCard hostile{std::string(5000, 'i'), "a\x1b[2J" + std::string(5000, 'x') + "é"};
  const auto read = card_in(*block_file_text(with_blocks(), "Outer", "Outer", hostile));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->icon.size(), longest_block_icon);
  EXPECT_LE(read->help.size(), longest_block_help);
  EXPECT_THAT(read->help, HasSubstr("a?[2J"));
  EXPECT_EQ(*card_in("{\"netwright-graph\": 1, \"network\": {\"nodes\": []}}"), BlockCard{}) << "copied layers alone";
  for (const char* bad : {"", "{", "[]", "{}", "{\"netwright-graph\": 1, \"card\": 7}",
                          "{\"netwright-graph\": 1, \"card\": {\"help\": [1]}}", "{\"netwright-graph\": \"x\"}"})
    EXPECT_FALSE(card_in(bad)) << bad;
}

}  // namespace
}  // namespace nw
