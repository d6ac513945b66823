// SPDX-License-Identifier: Apache-2.0
// Fields to search that a project names itself, and what is written beside a field.
#include "engine/search/project_space.hpp"

#include <gtest/gtest.h>

#include "engine/design/block_edits.hpp"
#include "engine/design/project_file.hpp"
#include "engine/search/apply.hpp"

namespace nw::search {
namespace {

class ProjectSpace : public testing::Test {
 protected:
  GraphDoc doc = find_template("lenet5")->make();
  void apply(const Edit& edit) { ASSERT_TRUE(doc.apply(edit)); }
  Result<Parameter> typed(const char* field, const char* text, bool log = false) {
    return parameter_from_text(doc, *search_field(doc, field), text, log);
  }
  void search(const char* field, const char* text) { apply(search_over(doc, *typed(field, text))); }
  NodeId id_of(const std::string& name) {
    for (const auto& [id, node] : doc.graph().nodes)
      if (node.name == name) return id;
    return 0;
  }
};

TEST_F(ProjectSpace, IsKeptInTheFileAndTakenBackByUndo) {
  const std::string before = ProjectFile::text(doc);
  EXPECT_TRUE(project_space(doc).parameters.empty());
  auto undo = doc.apply(search_over(doc, *typed("fc1.out_features", "60, 120")));
  ASSERT_TRUE(undo);
  const auto read = ProjectFile::parse(ProjectFile::text(doc), "lenet5");
  ASSERT_TRUE(read);
  ASSERT_EQ(project_space(*read).parameters.size(), 1U);
  EXPECT_EQ(project_space(*read).parameters[0].values, (std::vector<Json>{60, 120}));
  ASSERT_TRUE(doc.apply(*undo));
  EXPECT_EQ(ProjectFile::text(doc), before);
}

TEST_F(ProjectSpace, HasOneParameterForAField) {
  search("learning_rate", "0.001 … 0.1");
  search("learning_rate", "0.01, 0.02");
  search("batch", "16, 32, 64");
  ASSERT_EQ(project_space(doc).parameters.size(), 2U);
  EXPECT_EQ(project_space(doc).parameters[0].values, (std::vector<Json>{0.01, 0.02}));
  apply(search_no_longer(doc, "learning_rate"));
  ASSERT_EQ(project_space(doc).parameters.size(), 1U);
  EXPECT_TRUE(search_no_longer(doc, "learning_rate").empty());
  apply(search_no_longer(doc, "batch"));
  EXPECT_TRUE(doc.extra("search").is_null()) << "an empty list is no part of the file";
}

TEST_F(ProjectSpace, FollowsTheNamesOfLayersAndLeavesOutWhatIsGone) {
  search("conv1.out_channels", "4, 8");
  search("conv2.out_channels", "8 … 16");
  apply(rename_node(doc, "", id_of("conv1"), "stem"));
  ASSERT_EQ(project_space(doc).parameters.size(), 2U);
  EXPECT_EQ(project_space(doc).parameters[0].name, "stem.out_channels");
  EXPECT_EQ(project_space(doc).parameters[0].sets, (std::vector<std::string>{"stem.out_channels"}));
  apply(remove_nodes(doc, "", {id_of("stem")}));
  ASSERT_EQ(project_space(doc).parameters.size(), 1U) << "of the layer that is left";
  EXPECT_TRUE(project_parameter(doc, "stem.out_channels")) << "and comes back when the layer does";
}

TEST_F(ProjectSpace, ReachesIntoBlocksAndFollowsTheirNames) {
  doc = find_template("resnet18-cifar")->make();
  const std::string block = doc.blocks().begin()->first;
  std::string field;
  for (const SearchField& f : search_fields(doc))
    if (f.name.starts_with(block + "/") && f.suggested.kind == Parameter::Kind::choice) field = f.name;
  ASSERT_FALSE(field.empty());
  apply(search_over(doc, search_field(doc, field)->suggested));
  ASSERT_EQ(project_space(doc).parameters.size(), 1U);
  apply(*rename_block(doc, block, "Renamed"));
  ASSERT_EQ(project_space(doc).parameters.size(), 1U);
  EXPECT_TRUE(project_space(doc).parameters[0].name.starts_with("Renamed/"));
}

TEST_F(ProjectSpace, ReadsRangesAndListsAsPeopleWriteThem) {
  const auto range = typed("learning_rate", " 0.001 .. 0.1 log ");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->kind, Parameter::Kind::real);
  EXPECT_EQ(range->low, 0.001);
  EXPECT_EQ(range->high, 0.1);
  EXPECT_TRUE(range->log);
  EXPECT_EQ(text_of(*range), "0.001 … 0.1");
  EXPECT_FALSE(typed("learning_rate", "0.001 to 0.1")->log);
  EXPECT_TRUE(typed("learning_rate", "0.001 至 0.1", true)->log);
  const auto whole = typed("fc1.out_features", "40 … 200");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->kind, Parameter::Kind::integer);
  EXPECT_EQ(whole->step, 8) << "as suggested for a width of 120";
  EXPECT_EQ(typed("fc1.out_features", "41 … 200")->step, 1);
  EXPECT_EQ(typed("optimizer", "sgd, adamw")->values, (std::vector<Json>{"sgd", "adamw"}));
  EXPECT_EQ(text_of(*typed("optimizer", "sgd,adamw")), "sgd, adamw");
  EXPECT_EQ(typed("conv1.kernel_size", "3, [3,5]")->values, (std::vector<Json>{3, {3, 5}}));
}

TEST_F(ProjectSpace, RefusesWhatTheFieldCannotBe) {
  for (const char* text : {"", "much … more", "0.1 … 0.001", "nan … 1", "1e999 … 2", "16, 16"})
    EXPECT_FALSE(typed("learning_rate", text)) << text;
  EXPECT_FALSE(typed("fc1.out_features", "0 … 8"));
  EXPECT_FALSE(typed("fc1.out_features", "1.5 … 8"));
  EXPECT_FALSE(typed("optimizer", "sgd, magic"));
  EXPECT_FALSE(typed("learning_rate", "0 … 1", true)) << "no logarithm of 0";
}

TEST_F(ProjectSpace, KnowsFieldsThatAreSeldomSearched) {
  EXPECT_TRUE(search_field(doc, "early_stopping_epochs"));
  EXPECT_TRUE(search_field(doc, "conv1.lr_scale"));
  EXPECT_TRUE(search_field(doc, "optimizer.momentum"));
  for (const char* none : {"epochs", "devices", "threads", "nothing", "conv1.nothing", "nobody.stride", ""})
    EXPECT_FALSE(search_field(doc, none)) << none;
  for (const SearchField& f : search_fields(doc)) EXPECT_NE(f.name, "conv1.lr_scale") << "no usual field";
}

TEST_F(ProjectSpace, OfADamagedFileIsEmpty) {
  for (const Json& damage : {Json("text"), Json{{"parameters", 3}}, Json{{"parameters", {{{"name", 1}}}}}}) {
    apply({PutExtra{"search", damage}});
    EXPECT_TRUE(project_space(doc).parameters.empty()) << damage;
    EXPECT_FALSE(project_parameter(doc, "batch"));
  }
  search("batch", "16, 32");
  EXPECT_TRUE(doc.extra("search").is_object());
  EXPECT_FALSE(doc.apply({PutExtra{"network", 1}})) << "the parts of the file that are more than a note";
}

}  // namespace
}  // namespace nw::search
