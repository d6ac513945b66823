// SPDX-License-Identifier: Apache-2.0
// netwright-cli runs export --mlflow: against a server of this test, and against MLflow's own.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/app/cli_fixture.hpp"
#include "tests/support/http_server.hpp"
#include "tests/support/variable.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

/// Keeps what it is sent as MLflow does: experiments and runs by name and tag.
struct FakeMlflow {
  test::HttpServer server{[this](int socket, const test::HttpRequest& asked) { answer(socket, asked); }};
  std::vector<std::pair<std::string, Json>> calls;
  bool experiment = false, run = false;
  std::string refused;  // a call that is answered with 400

  void answer(int socket, const test::HttpRequest& asked) {
    const std::string call = asked.path.substr(asked.path.find("mlflow/") + 7);
    calls.emplace_back(call, Json::parse(asked.body, nullptr, false));
    const Json response = respond(call);
    test::send_head(socket, call == refused ? "400 Bad Request" : "200 OK",
                    "Content-Length: " + std::to_string(response.dump().size()) + "\r\n");
    test::send_all(socket, response.dump());
  }
  Json respond(const std::string& call) {
    if (call == refused) return {{"error_code", "INVALID"}, {"message", "not\x1b[2J today"}};
    if (call == "experiments/search")
      return experiment ? Json{{"experiments", {{{"experiment_id", "7"}, {"lifecycle_stage", "active"}}}}}
                        : Json::object();
    if (call == "experiments/create") experiment = true;
    if (call == "experiments/create") return {{"experiment_id", "7"}};
    if (call == "runs/search") return run ? Json{{"runs", {{{"info", {{"run_id", "r1"}}}}}}} : Json::object();
    if (call == "runs/create") run = true;
    if (call == "runs/create") return {{"run", {{"info", {{"run_id", "r1"}}}}}};
    return Json::object();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [call, body] : calls) all.push_back(call);
    return all;
  }
  /// All items that were logged under "metrics", "params" or "tags".
  std::vector<Json> logged(const char* kind) const {
    std::vector<Json> all;
    for (const auto& [call, body] : calls)
      if (call == "runs/log-batch") all.insert(all.end(), body[kind].begin(), body[kind].end());
    return all;
  }
};

class Mlflow : public Cli {
 protected:
  void SetUp() override { ASSERT_EQ(run({"train", project(2), "--run-dir", at("runs/one"), "--quiet"}).code, 0); }
  CommandOutput send(const std::string& url) { return run({"runs", "export", at("runs"), "--mlflow", url}); }
  std::string csv() { return *read_file(at("runs/one/metrics.csv"), 1 << 24); }
};

TEST_F(Mlflow, SendsExperimentParametersTagsAndMetricsWithTheirHistory) {
  FakeMlflow fake;
  const CommandOutput sent = send(fake.server.url(""));
  ASSERT_EQ(sent.code, 0) << sent.err;
  const std::vector<std::string> names = fake.names();
  ASSERT_GE(names.size(), 6U);
  EXPECT_EQ(names[1], "experiments/create");
  EXPECT_EQ(fake.calls[1].second["name"], "small");
  EXPECT_EQ(names[3], "runs/create");
  EXPECT_EQ(fake.calls[3].second["experiment_id"], "7");
  EXPECT_EQ(names.back(), "runs/update");
  EXPECT_EQ(fake.calls.back().second["status"], "FINISHED");
  EXPECT_GE(fake.calls.back().second["end_time"], fake.calls[3].second["start_time"]);
  std::map<std::string, std::string> params;
  for (const Json& p : fake.logged("params")) params[p["key"]] = p["value"];
  EXPECT_EQ(params["epochs"], "2");
  EXPECT_EQ(params["data.kind"], "synthetic");
  const Json& identity = fake.calls[3].second["tags"][0]["key"];
  for (const Json& t : fake.logged("tags")) EXPECT_NE(t["key"], identity) << "the run will not be found again";
  std::map<std::string, std::vector<std::int64_t>> steps;
  for (const Json& m : fake.logged("metrics")) steps[m["key"]].push_back(m["step"]);
  EXPECT_EQ(steps["epoch/validation_loss"].size(), 2U) << "the history, not the last value";
  EXPECT_LT(steps["epoch/validation_loss"][0], steps["epoch/validation_loss"][1]);
  EXPECT_EQ(steps["result/best_accuracy"].size(), 1U);
  const std::string rows = csv();
  EXPECT_GE(fake.logged("metrics").size(), static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n')) - 1);
}

TEST_F(Mlflow, ARunIsNotSentTwice) {
  FakeMlflow fake;
  ASSERT_EQ(send(fake.server.url("/")).code, 0);
  fake.calls.clear();
  ASSERT_EQ(send(fake.server.url("/")).code, 0);
  for (const std::string& call : fake.names()) {
    EXPECT_NE(call, "runs/create");
    EXPECT_NE(call, "experiments/create");
  }
}

TEST_F(Mlflow, RequestsStayWithinTheServersLimits) {
  std::ofstream rows(at("runs/one/metrics.csv"), std::ios::app);
  for (int i = 0; i < 2500; ++i) rows << 1000 + i << ",1,2.5,train/loss," << i << "\n";
  rows << "not,a,row\n7,1,nan,train/loss,x\n8,1,1,train/loss,nan\n";
  rows.close();
  FakeMlflow fake;
  ASSERT_EQ(send(fake.server.url("")).code, 0);
  for (const auto& [call, body] : fake.calls) {
    if (call != "runs/log-batch") continue;
    EXPECT_LE(body["metrics"].size(), 1000U);
    EXPECT_LE(body["params"].size(), 100U);
    EXPECT_LE(body["tags"].size(), 100U);
    EXPECT_LE(body.dump().size(), 1'000'000U);
  }
  int added = 0;
  for (const Json& m : fake.logged("metrics")) added += m["step"] >= 1000;
  EXPECT_EQ(added, 2500);
}

TEST_F(Mlflow, SaysWhyAServerDoesNotTakeARun) {
  EXPECT_EQ(send("ftp://127.0.0.1").code, 2);
  EXPECT_THAT(send("http://127.0.0.1:1").err, HasSubstr("cannot be reached"));
  FakeMlflow fake;
  fake.refused = "runs/create";
  const CommandOutput refused = send(fake.server.url(""));
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("refused runs/create: status 400: not"));
  EXPECT_EQ(refused.err.find('\x1b'), std::string::npos) << "the server's text is printed as it is";
}

TEST_F(Mlflow, ATokenIsSentAndAPasswordIsNotShown) {
  const test::Variable token("MLFLOW_TRACKING_TOKEN", "secret");
  FakeMlflow fake;
  std::string url = fake.server.url("");
  url.insert(7, "me:word@");
  const CommandOutput sent = send(url);
  EXPECT_EQ(sent.code, 0) << sent.err;
  EXPECT_EQ(sent.err.find("word"), std::string::npos) << sent.err;
  EXPECT_THAT(fake.server.asked().front().authorization, HasSubstr("secret"));
}

/// MLflow's own server, started by NETWRIGHT_PYTHON on a free port with a database in the test's folder.
TEST_F(Mlflow, TheRealServerHoldsWhatWasSent) {
  const char* python = std::getenv("NETWRIGHT_PYTHON");
  const std::string script = test::source_folder() + "/tests/app/mlflow_peer.py";
  if (!python) GTEST_SKIP() << "NETWRIGHT_PYTHON names no Python with mlflow";
  const std::string command = std::string("'") + python + "' -B '" + script + "' '" + test::programs_folder() +
                              "/netwright-cli' '" + at("runs") + "' '" + at("mlflow") + "' > '" + at("log") + "' 2>&1";
  const int code = WEXITSTATUS(std::system(command.c_str()));
  const std::string log = *read_file(at("log"), 1 << 24);
  if (code == 77) GTEST_SKIP() << log;
  EXPECT_EQ(code, 0) << log;
}

}  // namespace
}  // namespace nw
