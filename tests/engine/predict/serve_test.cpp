// SPDX-License-Identifier: Apache-2.0
// The helper on a real socket pair: what the window asks, what somebody hostile might ask, and what happens when either goes.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "engine/predict/serve.hpp"
#include "tests/engine/predict/trained.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

class Helper : public testing::Test {
 protected:
  Helper() {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0);
    thread_ = std::thread([fd = ends_[1]] { serve(fd); ::close(fd); });
  }
  ~Helper() override { hang_up(); }
  void hang_up() {
    if (!thread_.joinable()) return;
    ::close(ends_[0]);
    thread_.join();
  }
  void send(Json json, std::vector<std::uint8_t> payload = {}) { ASSERT_TRUE(send_message(ends_[0], {std::move(json), std::move(payload)})); }
  Message receive() {
    auto m = receive_message(ends_[0]);
    EXPECT_TRUE(m) << m.error().str();
    return m ? *m : Message{};
  }
  /// The final answer; progress messages are counted.
  Message ask(Json json, std::vector<std::uint8_t> payload = {}) {
    json["id"] = ++id_;
    send(json, std::move(payload));
    for (;;) {
      Message m = receive();
      if (m.json.is_null()) return m;
      EXPECT_EQ(m.json.value("id", 0), id_);
      if (!m.json.contains("progress")) return m;
      ++progress_;
    }
  }
  Json run(Json json) {
    json["run"] = trained().request.run.string();
    return json;
  }
  static Json data() { return to_json_of(trained().request.definition.doc.data()); }
  static Json to_json_of(const DataChoice& d) {
    return Json{{"kind", "synthetic"}, {"synthetic_train", d.synthetic_train}, {"synthetic_test", d.synthetic_test}, {"validation_fraction", 0.1}};
  }

  int ends_[2] = {-1, -1};
  int id_ = 0, progress_ = 0;
  std::thread thread_;
};

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

TEST_F(Helper, DrawsThumbnailsOfTheAskedSize) {
  const Message m = ask({{"do", "samples"}, {"data", data()}, {"split", "test"}, {"begin", 290}, {"count", 20}, {"size", 16}});
  EXPECT_EQ(m.json["labels"].size(), 10u) << "no more than there are";
  EXPECT_EQ(m.payload.size(), 10u * 16 * 16 * 4);
  const Message a = ask({{"do", "augmented"}, {"data", data()}, {"count", 3}, {"size", 28}, {"settings", {{"random_crop", true}, {"horizontal_flip", true}}}});
  EXPECT_EQ(a.payload.size(), 3u * 28 * 28 * 4) << a.json.dump();
}

TEST_F(Helper, ShowsEveryClassEarlyAndEachImageOnceWhenTheDataLiesClassByClass) {
  const test::TemporaryFolder place;
  for (int c = 0; c < 5; ++c)
    for (int i = 0; i < 20; ++i)
      test::write_bytes(place.path() / ("class" + std::to_string(c)) / (std::to_string(i) + ".bmp"), test::bmp_bytes(8, 8, static_cast<std::uint8_t>(50 * c), static_cast<std::uint8_t>(i), 0));
  const Json folder{{"kind", "image_folder"}, {"path", place.path().string()}};
  const Json open = ask({{"do", "open_data"}, {"data", folder}}).json;
  if (!open.value("ok", false)) GTEST_SKIP() << "the module that reads images is not built: " << open.dump();
  const auto shown = [&](std::int64_t begin, std::int64_t count) {
    return ask({{"do", "samples"}, {"data", folder}, {"split", "train"}, {"begin", begin}, {"count", count}, {"size", 8}}).json;
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
  const Message a = ask(run({{"do", "activation"}, {"split", "test"}, {"sample", 0}, {"node", "pool2"}}));
  EXPECT_EQ(a.json["shape"], Json({16, 5, 5}));
  EXPECT_EQ(a.payload.size(), 16u * 25 * sizeof(float));
}

TEST_F(Helper, PredictsADrawnImageAndAFile) {
  const auto p = Predictor::open(trained().request.run, "latest");
  ASSERT_TRUE(p);
  const SplitData d = data_of(**p);
  const auto hwc = pixels(d, 4);
  const auto expected = (*p)->predict(hwc, 1);
  ASSERT_TRUE(expected);
  const Json drawn = ask(run({{"do", "predict"}, {"checkpoint", "latest"}, {"height", 28}, {"width", 28}, {"channels", 1}}), hwc).json;
  EXPECT_EQ(drawn["predicted"], (*expected)[0].predicted) << drawn.dump();
  const Folder folder;
  test::write_bytes(folder.path / "no.png", "not a picture");
  const Json broken = ask(run({{"do", "predict_file"}, {"path", (folder.path / "no.png").string()}})).json;
  EXPECT_THAT(broken.value("error", ""), HasSubstr("no.png"));
  EXPECT_EQ(broken["code"], static_cast<int>(Errc::bad_input));
}

TEST_F(Helper, AnswersEveryKindOfNonsenseWithOneSentenceAndGoesOn) {
  for (const Json& nonsense : {Json{{"do", "fly"}}, Json{{"do", 5}}, Json{{"do", "open_run"}}, Json{{"do", "open_run"}, {"run", "/nowhere"}},
                               Json{{"do", "samples"}, {"data", {{"kind", "moon"}}}, {"begin", 0}, {"count", 1}, {"size", 8}},
                               Json{{"do", "samples"}, {"data", data()}, {"begin", -1}, {"count", 1}, {"size", 8}},
                               Json{{"do", "samples"}, {"data", data()}, {"begin", 0}, {"count", 1 << 30}, {"size", 8}},
                               Json{{"do", "samples"}, {"data", data()}, {"begin", 0}, {"count", 1}, {"size", 1 << 30}},
                               run({{"do", "evaluate"}, {"split", "moon"}}), run({{"do", "evaluate"}, {"checkpoint", "../.."}}),
                               run({{"do", "thumbnails"}, {"samples", {1e9}}, {"size", 8}}), run({{"do", "thumbnails"}, {"samples", {-1}}, {"size", 8}}),
                               run({{"do", "activation"}, {"sample", 0}, {"node", "nobody"}}), run({{"do", "activation"}, {"sample", 400}, {"node", "pool1"}}),
                               run({{"do", "predict"}, {"height", 28}, {"width", 28}, {"channels", 1}}),
                               run({{"do", "predict_file"}, {"path", "/dev/zero"}}), Json{{"do", "decode"}, {"path", "/proc/self/mem"}, {"size", 8}}}) {
    const Json answer = ask(nonsense).json;
    EXPECT_FALSE(answer.contains("ok")) << nonsense.dump() << " -> " << answer.dump();
    EXPECT_GT(answer.value("error", "").size(), 10u) << nonsense.dump();
  }
  EXPECT_EQ(ask(run({{"do", "open_run"}})).json.value("ok", false), true) << "still there";
}

TEST_F(Helper, TakesOnlyObjectsAndSaysSo) {
  send(Json::array({1, 2}));
  const Message m = receive();
  EXPECT_EQ(m.json.value("id", 0), -1);
  EXPECT_THAT(m.json.value("error", ""), HasSubstr("JSON object"));
}

TEST_F(Helper, ACancelledRequestIsAnsweredAsCancelled) {
  send(run({{"id", 1}, {"do", "evaluate"}, {"split", "train"}}));
  send(run({{"id", 2}, {"do", "evaluate"}, {"split", "train"}}));
  send({{"id", 2}, {"do", "cancel"}});
  bool first = false, second = false;
  while (!first || !second) {
    const Message m = receive();
    ASSERT_FALSE(m.json.is_null());
    if (m.json.contains("progress")) continue;
    if (m.json["id"] == 1) first = m.json.value("ok", false);
    if (m.json["id"] == 2) {
      second = true;
      EXPECT_EQ(m.json["code"], static_cast<int>(Errc::stopped)) << m.json.dump();
    }
  }
}

TEST_F(Helper, EndsWhenTheWindowIsGoneEvenInTheMiddleOfWork) {
  send(run({{"id", 1}, {"do", "evaluate"}, {"split", "train"}}));
  hang_up();
  EXPECT_FALSE(thread_.joinable());
}

TEST(Messages, WithLyingLengthsEndTheConnectionAndBrokenJsonDoesNot) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const std::string garbage = test::little_endian(5, 4) + "{\"a\":";
  ASSERT_EQ(::write(ends[0], garbage.data(), garbage.size()), static_cast<ssize_t>(garbage.size()));
  const auto broken = receive_message(ends[1]);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, Errc::bad_input);
  ASSERT_TRUE(send_message(ends[0], {Json{{"x", 1}}, {1, 2, 3}}));
  const auto whole = receive_message(ends[1]);
  ASSERT_TRUE(whole) << whole.error().str();
  EXPECT_EQ(whole->payload, (std::vector<std::uint8_t>{1, 2, 3}));
  const std::string lie = test::little_endian(0xffffffff, 4) + "{}";
  ASSERT_EQ(::write(ends[0], lie.data(), lie.size()), static_cast<ssize_t>(lie.size()));
  const auto refused = receive_message(ends[1]);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::other);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace nw
