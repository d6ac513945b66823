// SPDX-License-Identifier: Apache-2.0
// Lists of image files with their classes: tables of paths, COCO's annotations, VOC's lists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/cache/open.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/recognise.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {
using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

struct Listings : testing::Test {
  TemporaryFolder folder;
  fs::path top = folder.path() / "set";
  void SetUp() override {
    if (const auto decoder = image_decoder(); !decoder) GTEST_SKIP() << decoder.error().str();
  }
  fs::path put(const std::string& name, const std::string& bytes) {
    write_bytes(top / name, bytes);
    return top / name;
  }
  void photo(const std::string& name, std::uint8_t red) { put(name, bmp_bytes(3, 3, red, 0, 0)); }
  Result<OpenedData> open(SourceKind kind, const fs::path& file, const std::string& column = "",
                          const fs::path& test = {}) {
    return open_data({.kind = kind, .path = file.string(), .test_path = test.string(), .target_column = column}, {},
                     false);
  }
  std::string refused(SourceKind kind, const fs::path& file, const std::string& column = "") {
    const auto data = open(kind, file, column);
    if (data) return "";
    EXPECT_EQ(data.error().code, Errc::bad_input);
    return data.error().str();
  }
  static std::vector<int> reds(const Dataset& set) {
    std::vector<int> all;
    for (std::int64_t i = 0; i < set.size(); ++i) all.push_back(set.in_memory(i)[0]);
    return all;
  }
  static std::vector<std::int64_t> labels(const Dataset& set) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < set.size(); ++i) all.push_back(set.label(i));
    return all;
  }
};
using K = SourceKind;

TEST_F(Listings, OfPathsReadImagesBesideTheTable) {
  photo("pictures/a.bmp", 10);
  photo("b, and more.bmp", 20);
  photo("../above.bmp", 30);
  const fs::path table =
      put("list.csv", "id,filename,label\n1,pictures/a.bmp,dog\n2,\"b, and more.bmp\",cat\n3,../above.bmp,dog\n");
  const auto data = open(K::csv, table);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("cat", "dog"));
  EXPECT_THAT(labels(*data->train), ElementsAre(1, 0, 1));
  EXPECT_THAT(reds(*data->train), ElementsAre(10, 20, 30));
  EXPECT_EQ(data->train->origin(0), "pictures/a.bmp");
  EXPECT_EQ(data->test, nullptr);
}
TEST_F(Listings, OfPathsMayBeKnownByTheEndingsOfTheirCellsAndHaveATestTable) {
  photo("a.bmp", 10);
  photo("b.bmp", 20);
  const fs::path train = put("train.csv", "what;where\n7;a.bmp\n12;b.bmp\n"),
                 test = put("test/test.csv", "what;where\n12;../a.bmp\n");
  const auto data = open(K::csv, train, "what", test);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("7", "12"));
  EXPECT_THAT(labels(*data->test), ElementsAre(1));
  EXPECT_THAT(reds(*data->test), ElementsAre(10));
}
TEST_F(Listings, OfPathsNameMissingImages) {
  photo("a.bmp", 10);
  const auto data = open(K::csv, put("list.csv", "path,label\na.bmp,x\nabsent.bmp,y\n"));
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->size(), 1);
  EXPECT_EQ(data->unreadable, 1);
  EXPECT_THAT(data->warnings.at(0).str(), HasSubstr((top / "absent.bmp").string()));
}
TEST_F(Listings, OfPathsAreRejectedEachWithItsLine) {
  photo("a.bmp", 10);
  for (const auto& [table, words] : std::vector<std::pair<std::string, std::string>>{
           {"path,label\na.bmp\n", "line 2: has 1 cells, the first line has 2"},
           {"path,label\na.bmp,\n", "line 2: has no class in column 2"},
           {"path,label\n,x\n", "line 2: has no path of an image in column 1"},
           {"path,score\na.bmp,0.25\n", "its labels are fractional numbers, not classes; choose numbers as the target"},
           {"path,kind,size\na.bmp,x,3\n", "no column is called label, class or target"},
           {"path,label\n\"a.bmp,x\n", "a quote is not closed"}})
    EXPECT_THAT(refused(K::csv, put("list.csv", table)), HasSubstr(words)) << table;
  EXPECT_THAT(refused(K::csv, put("list.csv", "path,label\na.bmp,x\n"), "klass"),
              HasSubstr("names no column \"klass\""));
  EXPECT_THAT(refused(K::csv, put("list.csv", "path,label\nabsent.bmp,x\n")), HasSubstr("no image could be read"));
}
TEST_F(Listings, OfPixelsAreReadAsBefore) {
  const auto data = open(K::csv, put("pixels.csv", "label,image1,image2,image3,image4\n1,0,0,0,9\n0,1,2,3,4\n"));
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->bytes(), 4);
}

std::string coco(const std::string& annotations,
                 const std::string& images =
                     R"({"id":7,"file_name":"a.bmp"},{"id":3,"file_name":"b.bmp"},{"id":5,"file_name":"c.bmp"})") {
  return R"({"images":[)" + images + R"(],"annotations":[)" + annotations +
         R"(],"categories":[{"id":90,"name":"dog"},{"id":2,"name":"cat"}]})";
}
TEST_F(Listings, OfCocoGiveEachImageItsCategory) {
  for (const auto& [name, red] : {std::pair{"a.bmp", 10}, std::pair{"b.bmp", 20}, std::pair{"c.bmp", 30}})
    photo(std::string("train2017/") + name, static_cast<std::uint8_t>(red));
  const std::string all =
      coco(R"({"image_id":7,"category_id":90},{"image_id":7,"category_id":90},{"image_id":3,"category_id":2})");
  const auto data = open(K::coco, put("annotations/instances_train2017.json", all));
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("cat", "dog"));
  EXPECT_THAT(reds(*data->train), ElementsAre(20, 10));
  EXPECT_THAT(labels(*data->train), ElementsAre(0, 1));
  EXPECT_THAT(data->warnings.at(0).str(), HasSubstr("1 images have no category and are left out"));
}
TEST_F(Listings, OfCocoAreRejectedEachWithItsReason) {
  const std::string one = R"({"image_id":7,"category_id":90})";
  for (const auto& [json, words] : std::vector<std::pair<std::string, std::string>>{
           {coco(one + R"(,{"image_id":7,"category_id":2},{"image_id":3,"category_id":2})"),
            "1 images have several categories, the first is a.bmp (cat, dog); choose labels as the target"},
           {coco(R"({"image_id":8,"category_id":2})"), "annotation 0 is about image 8, which is not listed"},
           {coco(R"({"image_id":7,"category_id":4})"), "annotation 0 is about category 4, which is not listed"},
           {coco(R"({"image_id":"7","category_id":2})"), "annotations[0]"},
           {coco(one, R"({"id":7,"file_name":"a.bmp"},{"id":7,"file_name":"b.bmp"})"), "image 7 occurs twice"},
           {coco(""), "no image has a category"},
           {"{}", "list.json"},
           {"[1]", "list.json"},
           {coco(one).substr(0, 60), "not valid JSON"}})
    EXPECT_THAT(refused(K::coco, put("list.json", json)), HasSubstr(words)) << json;
}

TEST_F(Listings, OfVocGiveTheClassWhoseListMarksTheImage) {
  for (const auto& [name, red] :
       {std::pair{"000001", 10}, std::pair{"000002", 20}, std::pair{"000003", 30}, std::pair{"000004", 40}})
    photo(std::string("JPEGImages/") + name + ".jpg", static_cast<std::uint8_t>(red));
  put("ImageSets/Main/cat_train.txt", "000001  1\n000002 -1\n000003  0\n");
  put("ImageSets/Main/dog_train.txt", "000001 -1\r\n000002  1\r\n000003 -1\r\n");
  put("ImageSets/Main/cat_val.txt", "000004 -1\n");
  put("ImageSets/Main/dog_val.txt", "000004  1\n");
  put("ImageSets/Main/train.txt", "000001\n000002\n000003\n");
  const auto data = open(K::voc, top);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("cat", "dog"));
  EXPECT_THAT(reds(*data->train), ElementsAre(10, 20));
  EXPECT_THAT(labels(*data->train), ElementsAre(0, 1));
  EXPECT_THAT(labels(*data->test), ElementsAre(1));
  EXPECT_THAT(data->warnings.at(0).str(), HasSubstr("1 images of the part train have no class and are left out"));
  const auto one = open(K::voc, top / "ImageSets/Main/cat_train.txt", "", top / "ImageSets/Main/cat_val.txt");
  ASSERT_TRUE(one) << one.error().str();
  EXPECT_THAT(one->classes, ElementsAre("not cat", "cat"));
  EXPECT_THAT(reds(*one->train), ElementsAre(10, 20));
  EXPECT_THAT(labels(*one->train), ElementsAre(1, 0));
  EXPECT_THAT(labels(*one->test), ElementsAre(0));
}
TEST_F(Listings, OfVocAreRejectedEachWithItsReason) {
  put("ImageSets/Main/dog_train.txt", "000001 1\n000002 1\n");
  const fs::path cat = put("ImageSets/Main/cat_train.txt", "000001 1\n");
  EXPECT_THAT(refused(K::voc, top), HasSubstr("have more than one class, the first is 000001; choose labels as the "
                                              "target, or the list of one class, such as " +
                                              cat.string()));
  for (const auto& [list, words] :
       std::vector<std::pair<std::string, std::string>>{{"000001\n", "line 1: is no line of VOC's lists"},
                                                        {"000001 1\n000002 2\n", "line 2"},
                                                        {"000001 1 1\n", "line 1"},
                                                        {"../../etc/passwd 1\n", "line 1: the image's name is a path"},
                                                        {"", "lists no image"}})
    EXPECT_THAT(refused(K::voc, put("ImageSets/Main/cat_train.txt", list)), HasSubstr(words)) << list;
  EXPECT_THAT(refused(K::voc, top / "JPEGImages"), HasSubstr("JPEGImages"));
}

std::string cifar_100_records(int count, int coarse, int fine) {
  std::string out;
  for (int n = 0; n < count; ++n)
    out += std::string(1, static_cast<char>(coarse)) + static_cast<char>(fine) + std::string(1024, '\x11') +
           std::string(1024, '\x22') + std::string(1024, '\x33');
  return out;
}
TEST_F(Listings, Cifar100HasFineClassesAndCoarseOnes) {
  std::string fine, coarse;
  for (int i = 0; i < 100; ++i) fine += "fine" + std::to_string(i) + "\n";
  for (int i = 0; i < 20; ++i) coarse += "coarse" + std::to_string(i) + "\n";
  put("train.bin", cifar_100_records(2, 19, 99));
  put("test.bin", cifar_100_records(1, 3, 40));
  put("fine_label_names.txt", fine);
  put("coarse_label_names.txt", coarse);
  const auto data = open(K::cifar, top);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->classes.at(99), "fine99");
  EXPECT_EQ(data->train->label(1), 99);
  EXPECT_EQ(data->train->in_memory(0)[1], 0x22);
  EXPECT_EQ(data->test->label(0), 40);
  const auto groups = open_data({.kind = K::cifar, .path = top.string(), .target = "coarse"}, {}, false);
  ASSERT_TRUE(groups) << groups.error().str();
  EXPECT_EQ(groups->classes.size(), 20u);
  EXPECT_EQ(groups->train->label(0), 19);
  put("train.bin", cifar_100_records(1, 20, 0));
  EXPECT_THAT(open_data({.kind = K::cifar, .path = top.string(), .target = "coarse"}, {}, false).error().str(),
              HasSubstr("image 0 has class 20, CIFAR-100 ends at 19"));
  put("train.bin", cifar_100_records(1, 0, 100));
  EXPECT_THAT(refused(K::cifar, top), HasSubstr("image 0 has class 100, CIFAR-100 ends at 99"));
  put("train.bin", cifar_100_records(1, 0, 0) + "x");
  EXPECT_THAT(refused(K::cifar, top), HasSubstr("no whole number of CIFAR-100 records of 3074"));
}

TEST_F(Listings, AreRecognisedByTheirFiles) {
  put("m/mnist/train-images-idx3-ubyte.gz", "");
  put("m/cifar-100-binary/train.bin", "");
  put("voc/ImageSets/Main/cat_train.txt", "");
  put("photos/cat/1.JPG", "");
  put("split/train/cat/1.png", "");
  for (const char* name : {"a.zip", "a.tar", "a.tar.gz", "a.tgz", "a.csv", "a.json", "train-images-idx3-ubyte",
                           "readme.txt", "empty/none.txt"})
    put(name, "");
  const std::vector<std::pair<std::string, std::optional<K>>> all = {{"m", K::mnist},
                                                                     {"m/cifar-100-binary", K::cifar},
                                                                     {"voc", K::voc},
                                                                     {"voc/ImageSets/Main/cat_train.txt", K::voc},
                                                                     {"photos", K::image_folder},
                                                                     {"split", K::image_folder},
                                                                     {"a.zip", K::image_folder},
                                                                     {"a.tar", K::image_folder},
                                                                     {"a.tar.gz", K::image_folder},
                                                                     {"a.tgz", K::image_folder},
                                                                     {"a.csv", K::csv},
                                                                     {"a.json", K::coco},
                                                                     {"train-images-idx3-ubyte", K::idx},
                                                                     {"readme.txt", std::nullopt},
                                                                     {"empty", std::nullopt},
                                                                     {"absent", std::nullopt}};
  for (const auto& [name, kind] : all) EXPECT_EQ(recognise(top / name), kind) << name;
  EXPECT_EQ(recognise(top / "m", K::cifar), K::cifar);
}

}  // namespace
}  // namespace nw
