// SPDX-License-Identifier: Apache-2.0
// Multi-label and numeric targets: every source that provides them, and every stage up to the batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/data/cache/open.hpp"
#include "engine/data/cache/pack.hpp"
#include "engine/data/data_hash.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/targets.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/data_facts.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {
using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using K = SourceKind;

struct Targets : testing::Test {
  TemporaryFolder folder;
  fs::path top = folder.path() / "set";
  fs::path put(const std::string& name, const std::string& bytes) {
    write_bytes(top / name, bytes);
    return top / name;
  }
  void photo(const std::string& name, std::uint8_t red) { put(name, bmp_bytes(3, 3, red, 0, 0)); }
  static Result<OpenedData> open(K kind, const fs::path& file, const std::string& target,
                                 const std::string& columns = "", const fs::path& test = {}) {
    return open_data(
        {.kind = kind, .path = file.string(), .test_path = test.string(), .target_column = columns, .target = target},
        {}, false);
  }
  static std::string refused(K kind, const fs::path& file, const std::string& target, const std::string& columns = "") {
    const auto data = open(kind, file, target, columns);
    if (data) return "";
    EXPECT_EQ(data.error().code, Errc::bad_input);
    return data.error().str();
  }
  static std::vector<float> row(const Dataset& set, std::int64_t i) {
    return {set.targets(i).begin(), set.targets(i).end()};
  }
  static std::vector<std::string> groups(const OpenedData& d) {
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < d.train->size(); ++i)
      all.push_back(d.classes.at(static_cast<std::size_t>(d.train->label(i))));
    return all;
  }
};

// ---- tables of pixels
TEST_F(Targets, OfATableAreNotPixels) {
  const auto data =
      open(K::csv, put("t.csv", "a,cat,b,dog\n1,1,2,0\n3,0,4,0\n5,1,6,1\n7,1,8,0\n"), "labels", "dog, cat");
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->target_kind, TargetKind::labels);
  EXPECT_THAT(data->target_names, ElementsAre("dog", "cat"));
  EXPECT_EQ(data->train->bytes(), 2);
  EXPECT_EQ(data->train->in_memory(2)[1], 6);
  EXPECT_THAT(row(*data->train, 0), ElementsAre(0, 1));
  EXPECT_THAT(row(*data->train, 2), ElementsAre(1, 1));
  EXPECT_THAT(groups(*data), ElementsAre("cat", "none", "dog", "cat")) << "the rarest of its own";
}
TEST_F(Targets, MayStandAsAListInOneCell) {
  const auto data = open(K::csv, put("t.csv", "label,p\ncat|dog,1\n,2\n dog ; bird,3\n\"bird, ape\",4\n"), "labels");
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->target_names, ElementsAre("ape", "bird", "cat", "dog"));
  EXPECT_THAT(row(*data->train, 0), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(row(*data->train, 1), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(row(*data->train, 2), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(row(*data->train, 3), ElementsAre(1, 1, 0, 0));
}
TEST_F(Targets, MayBeNumbers) {
  const auto data = open(K::csv, put("t.csv", "age,weight,p\n1.5,-2,9\n30,1e3,8\n"), "values", "age,weight");
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->target_names, ElementsAre("age", "weight"));
  EXPECT_THAT(row(*data->train, 0), ElementsAre(1.5F, -2));
  EXPECT_THAT(row(*data->train, 1), ElementsAre(30, 1000));
  EXPECT_THAT(data->classes, ElementsAre("1.5", "30"));
}
TEST_F(Targets, OfATestTableAreThoseOfTheTrainingTable) {
  const fs::path train = put("t.csv", "label,p\ncat,1\ndog,2\n"), test = put("u.csv", "label,p\ndog|cow,1\n");
  const auto data = open(K::csv, train, "labels", "", test);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->target_names, ElementsAre("cat", "cow", "dog"));
  EXPECT_THAT(row(*data->test, 0), ElementsAre(0, 1, 1));
  const fs::path other = put("v.csv", "kind,p\ndog,1\n");
  EXPECT_THAT(open(K::csv, train, "labels", "", other).error().str(),
              HasSubstr("have other names than those of the training table"));
}
TEST_F(Targets, ThatAreInvalidAreRejectedWithTheirLine) {
  EXPECT_THAT(refused(K::csv, put("t.csv", "a,b,p\n1,2,3\n"), "labels", "a,b"),
              HasSubstr("line 2: cell 2 is \"2\"; a label's column holds 1"));
  EXPECT_THAT(refused(K::csv, put("t.csv", "a,p\nx,3\n"), "values", "a"),
              HasSubstr("line 2: cell 1 is \"x\", which is not a number"));
  EXPECT_THAT(refused(K::csv, put("t.csv", "a,p\n1e40,3\n"), "values", "a"), HasSubstr("not a number"));
  EXPECT_THAT(refused(K::csv, put("t.csv", "a,p\nnan,3\n"), "values", "a"), HasSubstr("not a number"));
  EXPECT_THAT(refused(K::csv, put("t.csv", "1,2\n3,4\n"), "values"), HasSubstr("must name the columns"));
  EXPECT_THAT(refused(K::csv, put("t.csv", "a,b\n3,4\n"), "values", "a,b"), HasSubstr("none is left for pixels"));
  EXPECT_THAT(refused(K::csv, put("t.csv", "a,b\n3,4\n"), "values", "c"), HasSubstr("names no column \"c\""));
  EXPECT_THAT(refused(K::csv, put("t.csv", "label,b\n,4\n"), "labels"), HasSubstr("no image has a label"));
}

// ---- lists of files
TEST_F(Targets, OfFilesComeFromTheirTable) {
  if (!image_decoder()) GTEST_SKIP() << image_decoder().error().str();
  for (const auto& [name, red] : {std::pair{"a.bmp", 10}, {"b.bmp", 20}, {"c.bmp", 30}})
    photo(name, static_cast<std::uint8_t>(red));
  const auto values = open(K::csv, put("list.csv", "x,file,y\n0.5,a.bmp,1\n-3,b.bmp,2\n7,c.bmp,4\n"), "values");
  ASSERT_TRUE(values) << values.error().str();
  EXPECT_THAT(values->target_names, ElementsAre("x", "y"));
  EXPECT_THAT(row(*values->train, 1), ElementsAre(-3, 2));
  put("b.bmp", "no image");
  const auto labels = open(K::csv, put("list.csv", "file,label\na.bmp,sun|sea\nb.bmp,sea\nc.bmp,\n"), "labels");
  ASSERT_TRUE(labels) << labels.error().str();
  EXPECT_THAT(labels->target_names, ElementsAre("sea", "sun"));
  ASSERT_EQ(labels->train->size(), 2) << "one cannot be read, and its targets go with it";
  EXPECT_THAT(row(*labels->train, 0), ElementsAre(1, 1));
  EXPECT_THAT(row(*labels->train, 1), ElementsAre(0, 0));
  EXPECT_THAT(refused(K::csv, put("list.csv", "file,label\na.bmp,1.5\n"), "class"),
              HasSubstr("choose numbers as the target"));
}
TEST_F(Targets, OfCocoAreAllCategoriesOfAnImage) {
  if (!image_decoder()) GTEST_SKIP() << image_decoder().error().str();
  for (const char* name : {"a.bmp", "b.bmp", "c.bmp"}) photo(name, 9);
  const std::string head =
      R"({"images":[{"id":3,"file_name":"a.bmp"},{"id":1,"file_name":"b.bmp"},{"id":2,"file_name":"c.bmp"}],"categories":[{"id":7,"name":"dog"},{"id":2,"name":"cat"}],)";
  const fs::path file = put(
      "coco.json",
      head +
          R"("annotations":[{"image_id":3,"category_id":7},{"image_id":3,"category_id":2},{"image_id":1,"category_id":7}]})");
  EXPECT_THAT(refused(K::coco, file, "class"), HasSubstr("choose labels as the target"));
  const auto data = open(K::coco, file, "labels");
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->target_names, ElementsAre("cat", "dog"));
  EXPECT_THAT(row(*data->train, 0), ElementsAre(0, 1));
  EXPECT_THAT(row(*data->train, 1), ElementsAre(0, 0)) << "an image without a category has no label";
  EXPECT_THAT(row(*data->train, 2), ElementsAre(1, 1));
  EXPECT_THAT(groups(*data), ElementsAre("dog", "none", "cat"));
  EXPECT_THAT(refused(K::coco, file, "values"), HasSubstr("no numeric targets"));
}
TEST_F(Targets, OfVocAreTheListsThatMarkAnImage) {
  if (!image_decoder()) GTEST_SKIP() << image_decoder().error().str();
  for (const char* name : {"1", "2", "3"}) put(std::string("JPEGImages/") + name + ".jpg", bmp_bytes(3, 3, 1, 2, 3));
  put("ImageSets/Main/cat_train.txt", "1 1\n2 -1\n3 0\n");
  put("ImageSets/Main/dog_train.txt", "1  1\n2 -1\n3 -1\n");
  const auto data = open(K::voc, top, "labels");
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->target_names, ElementsAre("cat", "dog"));
  EXPECT_THAT(row(*data->train, 0), ElementsAre(1, 1));
  EXPECT_THAT(row(*data->train, 1), ElementsAre(0, 0));
  EXPECT_THAT(row(*data->train, 2), ElementsAre(1, 0)) << "a difficult one is there";
}

// ---- synthetic sets
TEST_F(Targets, OfShapesAreWhatWasDrawn) {
  const auto of = [](const char* target) {
    return *open_data({.kind = K::synthetic,
                       .target = target,
                       .synthetic_set = "shapes",
                       .synthetic_train = 300,
                       .synthetic_test = 30},
                      {}, false);
  };
  const OpenedData classes = of("class"), labels = of("labels"), values = of("values");
  EXPECT_THAT(classes.classes, ElementsAre("circle", "square", "triangle"));
  EXPECT_TRUE(classes.train->targets(0).empty());
  EXPECT_THAT(labels.classes, ElementsAre("circle", "square", "triangle", "none"));
  std::int64_t all = 0, none = 0;
  for (std::int64_t i = 0; i < 300; ++i) {
    const std::vector<float> r = row(*labels.train, i);
    all += r[0] + r[1] + r[2] == 3;
    none += r[0] + r[1] + r[2] == 0;
    for (const float v : row(*values.train, i)) EXPECT_TRUE(v > 0 && v < 1) << v;
  }
  EXPECT_NEAR(static_cast<double>(all), 300.0 / 8, 20);
  EXPECT_NEAR(static_cast<double>(none), 300.0 / 8, 20);
  EXPECT_THAT(values.target_names, ElementsAre("x", "y", "size"));
  EXPECT_EQ(values.classes.size(), 10);
  // The brightest pixels lie around the position given by the target.
  std::int64_t near = 0;
  for (std::int64_t i = 0; i < 300; ++i) {
    const std::vector<float> r = row(*values.train, i);
    const std::uint8_t* p = values.train->in_memory(i);
    const auto brightness = [&](std::int64_t x, std::int64_t y) {
      return p[(y * 32 + x) * 3] + p[(y * 32 + x) * 3 + 1] + p[(y * 32 + x) * 3 + 2];
    };
    near += brightness(std::lround(r[0] * 32), std::lround(r[1] * 32)) >
            brightness(r[0] < 0.5F ? 31 : 0, r[1] < 0.5F ? 31 : 0) + 100;
  }
  EXPECT_GT(near, 290);
}
TEST_F(Targets, TwoMoonsAreTwoClassesOfPoints) {
  const auto data = open_data(
      {.kind = K::synthetic, .synthetic_set = "two_moons", .synthetic_train = 400, .synthetic_test = 100}, {}, false);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("upper", "lower"));
  EXPECT_EQ(data->train->bytes(), 2);
  double height[2] = {0, 0};
  std::int64_t count[2] = {0, 0};
  for (std::int64_t i = 0; i < 400; ++i) {
    const auto label = static_cast<std::size_t>(data->train->label(i));
    height[label] += data->train->in_memory(i)[1];
    ++count[label];
  }
  EXPECT_NEAR(static_cast<double>(count[0]), 200, 40);
  EXPECT_GT(height[0] / static_cast<double>(count[0]), height[1] / static_cast<double>(count[1]) + 60);
}
TEST_F(Targets, AreRejectedForASourceWithClassesOnly) {
  EXPECT_THAT(open_data({.kind = K::synthetic, .target = "labels"}, {}, false).error().str(),
              HasSubstr("choose class as the target"));
}

// ---- from the data set to the batch
TEST_F(Targets, AreKeptInAPackAndChangeTheDataHash) {
  const auto data = open(K::csv, put("t.csv", "a,b,p\n1,2.5,3\n4,5,6\n"), "values", "a,b");
  ASSERT_TRUE(data);
  const fs::path pack = folder.path() / "pack";
  ASSERT_TRUE(write_pack(pack, "key", *data));
  const auto back = open_pack(pack, "key");
  ASSERT_TRUE(back) << back.error().str();
  EXPECT_EQ(back->target_kind, TargetKind::values);
  EXPECT_THAT(back->target_names, ElementsAre("a", "b"));
  EXPECT_THAT(row(*back->train, 0), ElementsAre(1, 2.5F));
  EXPECT_THAT(row(*back->train, 1), ElementsAre(4, 5));
  EXPECT_EQ(*data_hash(*back), *data_hash(*data));
  const auto other = open(K::csv, put("t.csv", "a,b,p\n1,2.25,3\n4,5,6\n"), "values", "a,b");
  EXPECT_NE(*data_hash(*other), *data_hash(*data));
}
TEST_F(Targets, GiveTheNetworkAsManyOutputs) {
  const auto data = open(K::csv, put("t.csv", "a,b,p\n1,2,3\n4,5,6\n7,8,9\n"), "values", "a,b");
  const DataChoice choice{.validation_fraction = 0, .test_fraction = 0.34};
  const auto splits = split_data(*data, choice);
  ASSERT_TRUE(splits);
  const DataFacts facts = facts_of(*data, *splits, choice);
  EXPECT_EQ(facts.classes, 2);
  EXPECT_EQ(facts.targets, TargetKind::values);
}
TEST_F(Targets, ThatAreNumbersAreGroupedInEvenRanges) {
  std::vector<float> rows;
  for (int i = 0; i < 1000; ++i) rows.push_back(static_cast<float>((i * 7919) % 1000));
  const TargetGroups g = groups_of(TargetKind::values, {"v"}, rows);
  ASSERT_EQ(g.names.size(), 10);
  EXPECT_EQ(g.names[0], "0 – 99");
  EXPECT_EQ(g.names[9], "900 – 999");
  for (std::int64_t k = 0; k < 10; ++k) EXPECT_EQ(std::count(g.of.begin(), g.of.end(), k), 100);
  const TargetGroups same = groups_of(TargetKind::values, {"v"}, std::vector<float>(50, 3.0F));
  EXPECT_THAT(same.names, ElementsAre("3"));
}

}  // namespace
}  // namespace nw
