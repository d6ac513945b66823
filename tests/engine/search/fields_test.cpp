// SPDX-License-Identifier: Apache-2.0
// What the window offers to search: fields of every template, with ranges that the project takes.
#include "engine/search/fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/design/project_file.hpp"
#include "engine/search/apply.hpp"

namespace nw::search {
namespace {

const SearchField* find(const std::vector<SearchField>& fields, const std::string& name) {
  const auto it = std::find_if(fields.begin(), fields.end(), [&](const SearchField& f) { return f.name == name; });
  return it == fields.end() ? nullptr : &*it;
}

TEST(SearchFields, OfEveryTemplateCanBeSearched) {
  for (const Template& t : all_templates()) {
    const GraphDoc doc = t.make();
    const auto fields = search_fields(doc);
    ASSERT_TRUE(find(fields, "learning_rate")) << t.name;
    Space all;
    for (const SearchField& f : fields) {
      if (all.parameters.size() < most_parameters) all.parameters.push_back(f.suggested);
      EXPECT_EQ(std::count_if(fields.begin(), fields.end(), [&](const auto& o) { return o.name == f.name; }), 1);
    }
    EXPECT_TRUE(check_space(doc, all)) << t.name;
    EXPECT_EQ(*space_from_json(to_json(all), "s"), all) << t.name;
  }
}

TEST(SearchFields, SuggestRangesAroundTheValue) {
  const GraphDoc doc = find_template("lenet5")->make();
  const auto fields = search_fields(doc);
  const SearchField* rate = find(fields, "learning_rate");
  EXPECT_DOUBLE_EQ(rate->suggested.low, doc.settings().learning_rate / 10);
  EXPECT_TRUE(rate->suggested.log);
  EXPECT_EQ(rate->now, doc.settings().learning_rate);
  const SearchField* width = find(fields, "conv2.out_channels");
  ASSERT_TRUE(width);
  EXPECT_EQ(width->layer, "conv2");
  EXPECT_EQ(width->now, 16);
  EXPECT_EQ(width->suggested.low, 8);
  EXPECT_EQ(width->suggested.high, 32);
  EXPECT_EQ(width->suggested.step, 8);
  const SearchField* kernel = find(fields, "conv1.kernel_size");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->suggested.values, (std::vector<Json>{3, 5, 7}));
  EXPECT_FALSE(find(fields, "epochs"));
}

}  // namespace
}  // namespace nw::search
