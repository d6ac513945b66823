// SPDX-License-Identifier: Apache-2.0
// What netwright-cli infer-server serves: runs that are trained further, folders that vanish, bundles.
#include <atomic>

#include "engine/train/checkpoint.hpp"
#include "tests/app/infer_server_fixture.hpp"

namespace nw {
namespace {

TEST_F(InferServer, LoadsANewCheckpointUnderLoad) {
  const auto checkpoints = list_checkpoints(at("digits"));
  ASSERT_GE(checkpoints.size(), 2u);
  start({"--checkpoint", "latest"});
  const std::string before = json(get("/v2/models/digits"))["versions"][0];
  std::atomic<bool> done{false};
  std::atomic<int> failed{0}, answered{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&] {
      HttpConnection c(port_);
      while (!done) {
        c.send(http_request("POST", infer_, body(9)));
        c.receive().status == 200 ? ++answered : ++failed;
      }
    });
  ASSERT_TRUE(point_at_checkpoint(at("digits"), "latest", checkpoints.front().name));
  const bool changed = wait_for([&] { return json(get("/v2/models/digits"))["versions"][0] != before; });
  done = true;
  for (auto& c : clients) c.join();
  EXPECT_TRUE(changed);
  EXPECT_EQ(failed, 0);
  EXPECT_GT(answered, 0);
  EXPECT_EQ(json(post(infer_, body(9)))["model_version"], std::to_string(checkpoints.front().step));
  stop();
}

TEST_F(InferServer, KeepsItsNetworkWhereTheNewCheckpointIsDamaged) {
  const auto checkpoints = list_checkpoints(at("digits"));
  const std::string next = checkpoints.front().name,
                    weights = at("digits") + "/checkpoints/" + next + "/model.safetensors";
  start({"--checkpoint", "latest"});
  const Json before = json(post(infer_, body(9)));
  const std::string whole = *read_file(weights, 1 << 28);
  std::string damaged = whole;
  damaged[damaged.size() - 3] = static_cast<char>(damaged[damaged.size() - 3] ^ 1);
  ASSERT_TRUE(save_file(weights, damaged));
  ASSERT_TRUE(point_at_checkpoint(at("digits"), "latest", next));
  ASSERT_TRUE(wait_for([&] { return server_->err().find("not_reloaded") != std::string::npos; }));
  const Json after = json(post(infer_, body(9)));
  EXPECT_EQ(after["outputs"], before["outputs"]);
  EXPECT_EQ(after["model_version"], before["model_version"]);
  EXPECT_THAT(json(post("/v2/repository/index", ""))[0].value("reason", ""), HasSubstr("damaged"));
  ASSERT_TRUE(save_file(weights, whole));
  EXPECT_TRUE(wait_for([&] { return json(post("/v2/repository/index", ""))[0]["reason"] == ""; }));
  EXPECT_NE(json(post(infer_, body(9)))["model_version"], before["model_version"]) << "it is whole now";
  stop();
}

TEST_F(InferServer, GoesOnWhenAFolderVanishes) {
  start();
  const Json before = scores(post(infer_, body(9)));
  fs::rename(at("digits"), at("gone"));
  ASSERT_TRUE(wait_for([&] { return server_->err().find("not_reloaded") != std::string::npos; }));
  EXPECT_EQ(scores(post(infer_, body(9))), before);
  EXPECT_NE(json(post("/v2/repository/index", ""))[0]["reason"], "");
  fs::rename(at("gone"), at("digits"));
  EXPECT_TRUE(wait_for([&] { return json(post("/v2/repository/index", ""))[0]["reason"] == ""; }));
  stop();
}

TEST_F(InferServer, ABundleAnswersAsItsRunDoes) {
  const CommandOutput made = run({"export", at("digits"), "--bundle", at("boxed")});
  if (made.err.find("there is none (cc, gcc, clang)") != std::string::npos) GTEST_SKIP() << "no C compiler";
  ASSERT_EQ(made.code, 0) << made.err;
  start({at("boxed")});
  const HttpResponse of_run = post("/v2/models/digits/infer", body(77, 3)),
                     of_bundle = post("/v2/models/boxed/infer", body(77, 3));
  EXPECT_EQ(of_bundle.status, 200) << of_bundle.body;
  EXPECT_EQ(scores(of_run), scores(of_bundle));
  stop();
  std::string card = *read_file(at("boxed") + "/classes.json", 1 << 20);
  card.insert(card.find('"') + 1, "x");
  ASSERT_TRUE(save_file(at("boxed") + "/classes.json", card));
  Command again(place_, {"infer-server", at("boxed"), "--port", "0"});
  ASSERT_TRUE(wait_for([&] { return again.ended() || again.out().find(" serves ") != std::string::npos; }));
  if (!again.ended()) ::kill(again.pid(), SIGTERM);
  const CommandOutput refused = again.wait();
  EXPECT_EQ(refused.code, 3) << "a changed bundle is served";
  EXPECT_THAT(refused.err, HasSubstr("is not the bundle that was written. classes.json: it was changed"));
}

TEST_F(InferServer, WhatCannotBeServedIsToldAtTheStart) {
  start();
  const CommandOutput taken = run({"infer-server", at("digits"), "--port", std::to_string(port_)});
  EXPECT_EQ(taken.code, 1);
  EXPECT_THAT(taken.err, HasSubstr("cannot be listened on"));
  EXPECT_EQ(run({"infer-server", at("missing")}).code, 3);
  EXPECT_EQ(run({"infer-server", at("digits"), at("digits")}).code, 2);
  EXPECT_EQ(run({"infer-server", at("digits"), "--host", "example.org"}).code, 2);
  std::ofstream(at("short")) << "abc\n";
  EXPECT_EQ(run({"infer-server", at("digits"), "--token-file", at("short")}).code, 3);
  stop();
}

}  // namespace
}  // namespace nw
