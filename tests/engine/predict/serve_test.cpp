// SPDX-License-Identifier: Apache-2.0
// The helper on a real socket pair: the requests of the window.
#include <gmock/gmock.h>

#include <cstring>
#include <set>

#include "engine/core/resize.hpp"
#include "engine/predict/arrays.hpp"
#include "tests/engine/predict/helper_fixture.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/diverged_run.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

TEST_F(Helper, GivesTheClassOfEverySampleInAFewBytes) {
  std::set<std::int32_t> seen;
  for (const char* split : {"train", "validation", "test"}) {
    const Message m = ask({{"do", "labels"}, {"data", data()}, {"split", split}});
    ASSERT_EQ(m.json.value("ok", false), true) << m.json.dump();
    const auto count = m.json["count"].get<std::size_t>();
    ASSERT_EQ(m.payload.size(), count * 8);
    std::vector<std::int32_t> numbers(count * 2);
    std::memcpy(numbers.data(), m.payload.data(), m.payload.size());
    EXPECT_EQ(m.json["test_set"], std::string(split) == "test");
    for (std::size_t i = 0; i < count; ++i) {
      if (std::string(split) != "test") { EXPECT_TRUE(seen.insert(numbers[i]).second) << "a sample in two parts"; }
      EXPECT_GE(numbers[count + i], 0);
      EXPECT_LT(numbers[count + i], 10);
    }
  }
  EXPECT_EQ(seen.size(), 2000u);
}

std::vector<std::int32_t> int32s(const Message& m) {
  std::vector<std::int32_t> numbers(m.payload.size() / 4);
  if (!numbers.empty()) std::memcpy(numbers.data(), m.payload.data(), numbers.size() * 4);
  return numbers;
}

TEST_F(Helper, SortsFilesByNaturalOrderAndMeasuresTheirBrightness) {
  const test::TemporaryFolder place;
  // A BMP with one grey value in all channels.
  const auto put = [&](const char* name, std::uint8_t grey) {
    test::write_bytes(place.path() / name, test::bmp_bytes(8, 8, grey, grey, grey));
  };
  put("b/img9.bmp", 90);
  put("b/img10.bmp", 10);
  put("a/img010.bmp", 30);
  put("a/img2.bmp", 200);
  put("a/IMG.bmp", 100);
  const Json folder{
      {"kind", "image_folder"}, {"path", place.path().string()}, {"validation_fraction", 0.0}, {"test_fraction", 0.0}};
  const Message open = ask({{"do", "open_data"}, {"data", folder}});
  if (!open.json.value("ok", false)) GTEST_SKIP() << "the module that reads images is not built: " << open.json.dump();
  std::size_t measured = 0;
  for (const char* split : {"train", "validation", "test"}) {
    const auto labels = int32s(ask({{"do", "labels"}, {"data", folder}, {"split", split}}));
    const auto order = int32s(ask({{"do", "order_by_name"}, {"data", folder}, {"split", split}}));
    const Message tones = ask({{"do", "tones"}, {"data", folder}, {"split", split}, {"begin", 0}});
    const auto values = int32s(tones);
    ASSERT_EQ(order.size(), labels.size() / 2);
    ASSERT_EQ(values.size(), 2 * order.size());
    EXPECT_EQ(tones.json["total"], order.size());
    measured += order.size();
    // The samples in index order: a/IMG, a/img010, a/img2, b/img10, b/img9.
    const std::vector<std::int32_t> grey{100, 30, 200, 10, 90}, by_name{0, 3, 1, 4, 2};
    for (std::size_t k = 1; k < order.size(); ++k)
      EXPECT_LT(by_name[static_cast<std::size_t>(labels[static_cast<std::size_t>(order[k - 1])])],
                by_name[static_cast<std::size_t>(labels[static_cast<std::size_t>(order[k])])])
          << split;
    for (std::size_t k = 0; k < order.size(); ++k) {
      EXPECT_EQ(values[k], 1000 * grey[static_cast<std::size_t>(labels[k])]);
      EXPECT_EQ(values[order.size() + k], 0) << "one colour";
    }
  }
  EXPECT_EQ(measured, 5u);
  EXPECT_EQ(ask({{"do", "tones"}, {"data", folder}, {"split", "train"}, {"begin", 6}}).json.value("ok", false), false);
  EXPECT_EQ(int32s(ask({{"do", "tones"}, {"data", data()}, {"split", "test"}, {"begin", 299}})).size(), 2u)
      << "from where it is asked on";
}

TEST_F(Helper, ReportsThePredictionsOfTheLastEvaluatedSplit) {
  const Json asked{{"do", "losses"}, {"data", data()}, {"split", "test"}};
  EXPECT_THAT(ask(asked).json.value("error", ""), HasSubstr("There are no predictions for these images yet"));
  const Message e = ask(run({{"do", "evaluate"}, {"split", "test"}}));
  const auto loss = array_in<float>(e, "loss_per_sample", 300), confidence = array_in<float>(e, "confidence", 300);
  ASSERT_TRUE(loss && confidence);
  const auto values = int32s(ask(asked));
  ASSERT_EQ(values.size(), 600u);
  for (const std::size_t i : {0, 7, 299}) {
    EXPECT_NEAR(values[i], 1000 * static_cast<double>((*loss)[i]), 1.01);
    EXPECT_NEAR(values[300 + i], 1e6 * static_cast<double>((*confidence)[i]), 1.01);
  }
  EXPECT_FALSE(ask({{"do", "losses"}, {"data", data()}, {"split", "train"}}).json.value("ok", false)) << "another part";
  Json other = data();
  other["synthetic_test"] = 301;
  EXPECT_FALSE(ask({{"do", "losses"}, {"data", other}, {"split", "test"}}).json.value("ok", false)) << "other data";
}

TEST_F(Helper, AnswersForANetworkThatDivergedAndSaysSo) {
  Trial t(test::diverge_in_one_step);
  EXPECT_FALSE(t.run());
  const auto asked = [&](Json request) {
    request["run"] = t.request.run.string();
    request["checkpoint"] = "latest";
    request["split"] = "test";
    return ask(std::move(request)).json;
  };
  const Json e = asked({{"do", "evaluate"}});
  ASSERT_TRUE(e.value("ok", false)) << e.dump();
  EXPECT_EQ(e["not_finite"], 64);
  EXPECT_TRUE(e["loss"].is_null());
  EXPECT_EQ(e["accuracy"], 0.0);
  EXPECT_TRUE(e["metrics"]["macro"]["roc_auc"].is_null());
  for (const Json& request : {Json{{"do", "curves"}, {"class", 0}}, Json{{"do", "report"}, {"format", "html"}},
                              Json{{"do", "suspects"}, {"limit", 50}}})
    EXPECT_TRUE(asked(request).value("ok", false)) << request.dump();
  EXPECT_THAT(asked({{"do", "map"}, {"method", "tsne"}, {"limit", 40}}).value("error", ""),
              HasSubstr("its training diverged"));
}

// Twice as many pixels of the same values: their mean gives the image back, antialiasing does not.
TEST_F(Helper, ResizesAPastedImageAsTheRunsVersionDid) {
  const Folder folder;
  const fs::path old = folder.path / "run";
  fs::copy(trained().request.run, old, fs::copy_options::recursive);
  Json definition = *parse_json(*read_file(old / "run.json", 1 << 20), "run.json");
  ASSERT_EQ(definition["project"]["data"].erase("resize"), 1u);
  ASSERT_TRUE(save_file(old / "run.json", definition.dump()));
  const auto p = Predictor::open(old, "latest");
  ASSERT_TRUE(p) << p.error().str();
  ASSERT_EQ((*p)->definition().doc.data().resize, "area");
  const auto hwc = pixels(data_of(**p), 4);
  const Image large = resized({28, 28, 1, hwc}, 56, 84, Resampling::nearest);
  const Message pasted = ask({{"do", "predict"},
                              {"run", old.string()},
                              {"checkpoint", "latest"},
                              {"height", 56},
                              {"width", 84},
                              {"channels", 1}},
                             large.hwc);
  ASSERT_EQ(pasted.payload.size(), hwc.size() * 4) << pasted.json.dump();
  for (std::size_t i = 0; i < hwc.size(); ++i) ASSERT_EQ(pasted.payload[4 * i], hwc[i]) << i;
}

TEST_F(Helper, CountsTheClassesOfADataSet) {
  const Json answer = ask({{"do", "open_data"}, {"data", data()}}).json;
  ASSERT_EQ(answer.value("ok", false), true) << answer.dump();
  EXPECT_EQ(answer["facts"]["train"].get<int>() + answer["facts"]["validation"].get<int>(), 2000);
  EXPECT_EQ(answer["facts"]["test"], 300);
  std::int64_t all = 0;
  for (const Json& n : answer["counts"]["train"]) all += n.get<std::int64_t>();
  EXPECT_EQ(all, answer["facts"]["train"]);
  EXPECT_EQ(answer["classes"].size(), 10u);
}

TEST_F(Helper, DrawsThumbnailsOfTheRequestedSize) {
  const Message m =
      ask({{"do", "samples"}, {"data", data()}, {"split", "test"}, {"begin", 290}, {"count", 20}, {"size", 16}});
  EXPECT_EQ(m.json["labels"].size(), 10u) << "no more than there are";
  EXPECT_EQ(m.payload.size(), 10u * 16 * 16 * 4);
  const Message a = ask({{"do", "augmented"},
                         {"data", data()},
                         {"count", 3},
                         {"size", 28},
                         {"settings", {{"random_crop", true}, {"horizontal_flip", true}}}});
  EXPECT_EQ(a.payload.size(), 3u * 28 * 28 * 4) << a.json.dump();
}

TEST_F(Helper, ThePreviewOfMixUpShowsClearMixtures) {
  const auto preview = [&](const Json& transforms) {
    const Message m = ask({{"do", "augmented"},
                           {"data", data()},
                           {"count", 12},
                           {"size", 28},
                           {"settings", {{"transforms", transforms}}}});
    EXPECT_EQ(m.payload.size(), 12u * 28 * 28 * 4) << m.json.dump();
    return m.payload;
  };
  const auto plain = preview(Json::array()), mixed = preview({{{"type", "MixUp"}, {"p", 1}, {"alpha", 0.2}}});
  ASSERT_EQ(plain.size(), mixed.size());
  const std::size_t each = plain.size() / 12;
  for (std::size_t k = 1; k < 12; ++k) {  // the first is mixed with the last training image, which is not shown
    const std::size_t other = k - 1;
    double most = 0;
    for (std::size_t i = 0; i < each; ++i) {
      const double own = plain[k * each + i], before = plain[other * each + i], seen = mixed[k * each + i];
      if (std::abs(own - before) > 100) most = std::max(most, std::abs(seen - own));
    }
    EXPECT_GT(most, 30) << "image " << k << " looks unmixed";
  }
}

TEST_F(Helper, ShowsEveryClassEarlyAndEachImageOnceIfTheDataIsSortedByClass) {
  const test::TemporaryFolder place;
  for (int c = 0; c < 5; ++c)
    for (int i = 0; i < 20; ++i)
      test::write_bytes(place.path() / ("class" + std::to_string(c)) / (std::to_string(i) + ".bmp"),
                        test::bmp_bytes(8, 8, static_cast<std::uint8_t>(50 * c), static_cast<std::uint8_t>(i), 0));
  const Json folder{{"kind", "image_folder"}, {"path", place.path().string()}};
  const Json open = ask({{"do", "open_data"}, {"data", folder}}).json;
  if (!open.value("ok", false)) GTEST_SKIP() << "the module that reads images is not built: " << open.dump();
  const auto shown = [&](std::int64_t begin, std::int64_t count) {
    return ask({{"do", "samples"},
                {"data", folder},
                {"split", "train"},
                {"begin", begin},
                {"count", count},
                {"size", 8}})
        .json;
  };
  std::set<Json> classes, images;
  const Json first = shown(0, 8);
  for (const Json& label : first["labels"]) classes.insert(label);
  EXPECT_EQ(classes.size(), 5u);
  const std::int64_t all = open["facts"]["train"];
  for (std::int64_t begin = 0; begin < all; begin += 7) {
    const Json part = shown(begin, 7);
    for (const Json& origin : part["origins"]) images.insert(origin);
  }
  EXPECT_EQ(static_cast<std::int64_t>(images.size()), all);
}

TEST_F(Helper, EvaluatesARunAndShowsItsImages) {
  const Json e = ask(run({{"do", "evaluate"}, {"checkpoint", "latest"}, {"split", "test"}})).json;
  ASSERT_EQ(e.value("ok", false), true) << e.dump();
  EXPECT_DOUBLE_EQ(e["accuracy"], trained().sink.all<Ended>()[0].test_accuracy);
  EXPECT_GT(progress_, 0);
  const Message t = ask(run({{"do", "thumbnails"}, {"split", "test"}, {"samples", {0, 5, 299}}, {"size", 28}}));
  EXPECT_EQ(t.payload.size(), 3u * 28 * 28 * 4);
  const Message w = ask(run({{"do", "filters"}, {"node", "conv1"}}));
  EXPECT_EQ(w.json["shape"], Json({6, 1, 5, 5})) << w.json.dump();
  EXPECT_EQ(w.payload.size(), 6 * 25 * sizeof(float));
  EXPECT_NE(
      ask(run({{"do", "filters"}, {"node", "pool1"}})).json["error"].get<std::string>().find("pool1 has no filters"),
      std::string::npos);
  const Message a = ask(run({{"do", "activation"}, {"split", "test"}, {"sample", 0}, {"node", "pool2"}}));
  EXPECT_EQ(a.json["shape"], Json({16, 5, 5}));
  EXPECT_EQ(a.payload.size(), 16u * 25 * sizeof(float));
}

TEST_F(Helper, NamesTheLayersWithFiltersInTheOrderOfComputation) {
  EXPECT_EQ(ask(run({{"do", "open_run"}})).json["filters"], Json({"conv1", "conv2"}));
}

TEST_F(Helper, DrawsTheCurvesOfAClassFromTheEvaluationItKeeps) {
  const Json all = ask(run({{"do", "evaluate"}, {"split", "test"}})).json;
  ASSERT_EQ(all["metrics"]["classes"].size(), 10u) << all.dump().substr(0, 200);
  const int before = progress_;
  const Json one = ask(run({{"do", "curves"}, {"split", "test"}, {"class", 3}})).json;
  ASSERT_TRUE(one.value("ok", false)) << one.dump();
  EXPECT_EQ(progress_, before) << "nothing was computed again";
  EXPECT_EQ(one["roc"]["x"].front(), 0.0);
  EXPECT_EQ(one["roc"]["y"].back(), 1.0);
  EXPECT_TRUE(one["roc"]["threshold"].front().is_null()) << "infinite";
  const Json& d = one["decisions"];
  const std::int64_t support = all["metrics"]["classes"][3]["support"];
  for (std::size_t i = 0; i < d["threshold"].size(); ++i)
    EXPECT_EQ(d["right_yes"][i].get<std::int64_t>() + d["wrong_no"][i].get<std::int64_t>(), support);
  EXPECT_TRUE(ask(run({{"do", "curves"}, {"split", "test"}, {"class", 10}})).json.contains("error"));
}

TEST_F(Helper, WritesAReportAndATableOfClasses) {
  const Message page = ask(run({{"do", "report"}, {"split", "test"}, {"checkpoint", "latest"}}));
  const std::string html(page.payload.begin(), page.payload.end());
  EXPECT_THAT(html, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(html, HasSubstr(trained().request.run.filename().string()));
  EXPECT_THAT(html, HasSubstr("data:image/png;base64,"));
  const Message table = ask(run({{"do", "report"}, {"split", "test"}, {"format", "csv"}}));
  EXPECT_THAT(std::string(table.payload.begin(), table.payload.end()), testing::StartsWith("class,support,"));
}

TEST_F(Helper, ChecksDataWithoutWhatIsExcludedAndShowsTheImagesByIndex) {
  Json some = data();
  some["synthetic_train"] = 300;
  some["synthetic_test"] = 40;
  const Json found = ask({{"do", "check"}, {"data", some}}).json;
  ASSERT_TRUE(found.value("ok", false)) << found.dump();
  EXPECT_EQ(found["images"], 340);
  EXPECT_GT(progress_, 0);
  const Message two = ask({{"do", "images"},
                           {"data", some},
                           {"size", 16},
                           {"samples", {{{"test_set", false}, {"index", 5}}, {{"test_set", true}, {"index", 7}}}}});
  ASSERT_EQ(two.json["names"].size(), 2u) << two.json.dump();
  EXPECT_EQ(two.payload.size(), 2u * 16 * 16 * 4);
  Json less = some;
  less["excluded"] = two.json["names"];
  EXPECT_EQ(ask({{"do", "check"}, {"data", less}}).json["images"], 338);
  EXPECT_TRUE(
      ask({{"do", "images"}, {"data", some}, {"size", 16}, {"samples", {{{"index", 300}}}}}).json.contains("error"));
}

TEST_F(Helper, LabelIssuesAreTrainingImagesByNameAndThumbnailsNameTheirs) {
  const Json found = ask(run({{"do", "suspects"}, {"limit", 5}})).json;
  ASSERT_TRUE(found.value("ok", false)) << found.dump();
  EXPECT_LE(found["label_issues"].size(), 5u);
  double before = 1e30;
  for (const Json& s : found["label_issues"]) {
    EXPECT_NE(s["label"], s["predicted"]);
    EXPECT_GE(s["confidence"].get<double>(), 0.5);
    EXPECT_LE(s["loss"].get<double>(), before);
    before = s["loss"];
    const Json names =
        ask(run({{"do", "thumbnails"}, {"split", "train"}, {"samples", {s["index"]}}, {"size", 8}})).json["names"];
    EXPECT_EQ(names, Json::array({s["name"]}));
  }
}

TEST_F(Helper, FindsTheTrainingImagesNearAnImageAndDrawsTheMap) {
  const Json found = ask(run({{"do", "neighbours"}, {"split", "train"}, {"sample", 3}, {"limit", 6}})).json;
  ASSERT_EQ(found["neighbours"].size(), 6u) << found.dump();
  double before = 2;
  for (const Json& n : found["neighbours"]) {
    EXPECT_NE(n["index"], 3) << "itself";
    EXPECT_LE(n["similarity"].get<double>(), before);
    before = n["similarity"];
  }
  const auto numbers = [](const Message& m, const char* name) {
    const auto found = array_in<double>(m, name);
    EXPECT_TRUE(found) << m.json.dump();
    return found ? *found : std::vector<double>();
  };
  const Message map = ask(run({{"do", "map"}, {"split", "test"}, {"limit", 40}}));
  ASSERT_EQ(numbers(map, "x").size(), 40u);
  EXPECT_EQ(numbers(map, "y").size(), 40u);
  EXPECT_GE(map.json["share"][0].get<double>(), map.json["share"][1].get<double>());
  const Message near = ask(run({{"do", "map"}, {"split", "test"}, {"limit", 40}, {"method", "tsne"}}));
  ASSERT_EQ(numbers(near, "x").size(), 40u);
  EXPECT_EQ(*array_in<std::int64_t>(near, "sample"), *array_in<std::int64_t>(map, "sample"));
  EXPECT_NE(numbers(near, "x"), numbers(map, "x"));
  EXPECT_GT(near.json["divergence"].get<double>(), 0);
  EXPECT_EQ(numbers(ask(run({{"do", "map"}, {"split", "test"}, {"limit", 40}, {"method", "tsne"}})), "y"),
            numbers(near, "y"))
      << "the same places every time";
  EXPECT_NE(ask(run({{"do", "map"}, {"split", "test"}, {"limit", 40}, {"method", "globe"}})).json["error"], Json());
}

TEST_F(Helper, PredictsADrawnImageAndAFile) {
  const auto p = Predictor::open(trained().request.run, "latest");
  ASSERT_TRUE(p);
  const SplitData d = data_of(**p);
  const auto hwc = pixels(d, 4);
  const auto expected = (*p)->predict(hwc, 1);
  ASSERT_TRUE(expected);
  const Json drawn =
      ask(run({{"do", "predict"}, {"checkpoint", "latest"}, {"height", 28}, {"width", 28}, {"channels", 1}}), hwc).json;
  EXPECT_EQ(drawn["predicted"], (*expected)[0].predicted) << drawn.dump();
  const Image large = resized({28, 28, 1, hwc}, 56, 84, Resampling::nearest);
  const Message pasted = ask(
      run({{"do", "predict"}, {"checkpoint", "latest"}, {"height", 56}, {"width", 84}, {"channels", 1}}), large.hwc);
  const Image fitted = resized(large, 28, 28, Resampling::antialiased);
  EXPECT_EQ(pasted.json["predicted"], (*p)->predict(fitted.hwc, 1)->front().predicted);
  ASSERT_EQ(pasted.payload.size(), hwc.size() * 4) << "the network's input";
  for (std::size_t i = 0; i < hwc.size(); ++i) ASSERT_EQ(pasted.payload[4 * i], fitted.hwc[i]) << i;
  const Folder folder;
  test::write_bytes(folder.path / "no.png", "not a picture");
  const Json broken = ask(run({{"do", "predict_file"}, {"path", (folder.path / "no.png").string()}})).json;
  EXPECT_THAT(broken.value("error", ""), HasSubstr("no.png"));
  EXPECT_EQ(broken["code"], static_cast<int>(Errc::bad_input));
}

}  // namespace
}  // namespace nw
