// SPDX-License-Identifier: Apache-2.0
#include "engine/design/names.hpp"

#include <gtest/gtest.h>

#include "engine/design/free_names.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/text_form.hpp"

namespace nw {
namespace {

TEST(LayerName, MayBeWrittenInAnyScript) {
  for (const char* name : {"conv1", "_x", "layer1.0.conv1", "卷积1", "слой", "ß", "couche_é", "畳み込み", "합성곱",
                           "طبقة", "परत", "𠀋", "々", "Ｃｏｎｖ１"})
    EXPECT_TRUE(is_name(name)) << name;
}

TEST(LayerName, HasNoSpacesPunctuationOrInvisibleCharacters) {
  for (const char* name :
       {"",         "1a",     ".a",         "a b",     "a:b",      "a=b",      "a/b",      "a\tb",     "a\x1b[31m",
        "a\u00a0b", "卷积 1", "卷\u3000积", "卷积：1", "a\u200bb", "a\u202eb", "a\u061cb", "a\u2066b", "\ufeffa",
        "a\u2028b", "→",      "🙂",         "a，b",    "\u0085",   "a\ue000",  "×",        "÷"})
    EXPECT_FALSE(is_name(name)) << name;
}

TEST(LayerName, IsValidUtf8) {
  for (const char* name : {"a\xff", "a\x80", "a\xc3", "\xc0\xc1", "a\xe5\x8d", "a\xc1\x81", "a\xe0\x81\x81",
                           "a\xed\xa0\x80", "a\xf0\x80\x81\x81", "a\xf4\x90\x80\x80", "a\xf8\x88\x80\x80\x80"})
    EXPECT_FALSE(is_name(name)) << name;
  EXPECT_TRUE(is_name(std::string(name_limit, 'a')));
  EXPECT_FALSE(is_name(std::string(name_limit + 1, 'a')));
}

TEST(LayerName, NearestKeepsWhatCanStay) {
  const std::pair<const char*, const char*> pairs[] = {{"conv1", "conv1"},
                                                       {"my conv", "my_conv"},
                                                       {"1x1", "_1x1"},
                                                       {".a", "_.a"},
                                                       {"a:b=c", "a_b_c"},
                                                       {"卷积 1", "卷积_1"},
                                                       {"🙂a", "_a"},
                                                       {"a\xff"
                                                        "b",
                                                        "a_b"},
                                                       {"!!!", ""},
                                                       {"", ""}};
  for (const auto& [typed, nearest] : pairs) {
    EXPECT_EQ(nearest_name(typed), nearest) << typed;
    EXPECT_TRUE(nearest_name(typed).empty() || is_name(nearest_name(typed))) << typed;
  }
  for (const char* letter : {"a", "卷", "𠀋"}) {
    std::string longest;
    for (int i = 0; i < 300; ++i) longest += letter;
    EXPECT_TRUE(is_name(nearest_name(longest) + "12345")) << "cut between characters, with room for a number";
  }
}

TEST(LayerName, NearestFreeOneIsNotTaken) {
  GraphDoc doc = find_template("lenet5")->make();
  NodeId conv = 0;
  for (const auto& [id, node] : doc.graph().nodes)
    if (node.name == "conv1") conv = id;
  for (const char* typed : {"relu1", "pool 1", "conv2", "9", "", "conv1 ", "fc"}) {
    const std::string name = nearest_free_name(doc, "", conv, typed);
    EXPECT_TRUE(doc.apply(rename_node(doc, "", conv, name))) << typed << " " << name;
    EXPECT_TRUE(doc.apply(rename_node(doc, "", conv, "conv1")));
  }
  EXPECT_EQ(nearest_free_name(doc, "", conv, "stem 1"), "stem_1");
  EXPECT_EQ(nearest_free_name(doc, "", conv, "conv2"), "conv3");
  doc = find_template("resnet18-cifar")->make();
  EXPECT_EQ(nearest_block_name(doc, "Basic Block"), "Basic_Block");
  EXPECT_FALSE(doc.blocks().contains(nearest_block_name(doc, "BasicBlock")));
  EXPECT_TRUE(is_name(nearest_block_name(doc, "")));
}

TEST(LayerName, OfAFormulasParameterIsAscii) {
  EXPECT_TRUE(is_identifier("filters_2"));
  for (const char* name : {"", "滤波器", "a.b", "2a", "é"}) EXPECT_FALSE(is_identifier(name)) << name;
}

TEST(LayerName, OfAnotherScriptIsKeptByProjectFileAndTextForm) {
  GraphDoc doc = find_template("lenet5")->make();
  NodeId conv = 0;
  for (const auto& [id, node] : doc.graph().nodes)
    if (node.name == "conv1") conv = id;
  ASSERT_TRUE(doc.apply(rename_node(doc, "", conv, "卷积1")));
  EXPECT_EQ(doc.graph().nodes.at(conv).name, "卷积1");
  const auto again = ProjectFile::parse(ProjectFile::text(doc), "test");
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_EQ(*again, doc);
  const std::string written = network_text(doc, "");
  EXPECT_NE(written.find("卷积1: Conv2d"), std::string::npos) << written;
  const TextReading read = read_network_text(doc, "", written);
  EXPECT_TRUE(read.faults.empty());
  EXPECT_TRUE(read.edit.empty()) << "the text is the network";
}

}  // namespace
}  // namespace nw
