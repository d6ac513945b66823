// SPDX-License-Identifier: Apache-2.0
// The helper on a real socket pair: malformed requests, cancelled ones, and the end of either process.
#include <gmock/gmock.h>

#include "tests/engine/predict/helper_fixture.hpp"
#include "tests/support/data_files.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

TEST_F(Helper, AnswersMalformedRequestsWithOneSentenceAndContinues) {
  for (const Json& nonsense :
       {Json{{"do", "fly"}}, Json{{"do", 5}}, Json{{"do", "open_run"}}, Json{{"do", "open_run"}, {"run", "/nowhere"}},
        Json{{"do", "samples"}, {"data", {{"kind", "moon"}}}, {"begin", 0}, {"count", 1}, {"size", 8}},
        Json{{"do", "samples"}, {"data", data()}, {"begin", -1}, {"count", 1}, {"size", 8}},
        Json{{"do", "samples"}, {"data", data()}, {"begin", 0}, {"count", 1 << 30}, {"size", 8}},
        Json{{"do", "samples"}, {"data", data()}, {"begin", 0}, {"count", 1}, {"size", 1 << 30}},
        run({{"do", "evaluate"}, {"split", "moon"}}), run({{"do", "evaluate"}, {"checkpoint", "../.."}}),
        run({{"do", "thumbnails"}, {"samples", {1e9}}, {"size", 8}}),
        run({{"do", "thumbnails"}, {"samples", {-1}}, {"size", 8}}),
        run({{"do", "activation"}, {"sample", 0}, {"node", "nobody"}}),
        run({{"do", "activation"}, {"sample", 400}, {"node", "pool1"}}),
        run({{"do", "predict"}, {"height", 28}, {"width", 28}, {"channels", 1}}),
        run({{"do", "predict_file"}, {"path", "/dev/zero"}}),
        Json{{"do", "decode"}, {"path", "/proc/self/mem"}, {"size", 8}}}) {
    const Json answer = ask(nonsense).json;
    EXPECT_FALSE(answer.contains("ok")) << nonsense.dump() << " -> " << answer.dump();
    EXPECT_GT(answer.value("error", "").size(), 10u) << nonsense.dump();
  }
  EXPECT_EQ(ask(run({{"do", "open_run"}})).json.value("ok", false), true) << "still there";
}

TEST_F(Helper, RejectsRequestsThatAreNotObjects) {
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

TEST_F(Helper, EndsWhenTheWindowIsGoneEvenDuringARequest) {
  send(run({{"id", 1}, {"do", "evaluate"}, {"split", "train"}}));
  disconnect_peer();
  EXPECT_FALSE(thread_.joinable());
}

TEST(Messages, WithInconsistentLengthsEndTheConnectionAndBrokenJsonDoesNot) {
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
  EXPECT_EQ(refused.error().code, Errc::disconnected);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace nw
