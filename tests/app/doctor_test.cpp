// SPDX-License-Identifier: Apache-2.0
// netwright-cli doctor, and the way back that train offers.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

TEST_F(Cli, TheDoctorFindsNothingInASmallTraining) {
  ASSERT_EQ(run({"train", project(4), "--run-dir", at("run")}).code, 0);
  const CommandOutput said = run({"doctor", at("run")});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "nothing found\n");
  const auto lines = run({"doctor", at("run"), "--json"}).lines();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["type"], "examined");
  EXPECT_EQ(lines[0]["findings"], 0);
  EXPECT_EQ(lines[0]["data"], true);
  EXPECT_GT(lines[0]["figures"]["validation"], 0) << "for the window, which judges again with them";
  const Json without = run({"doctor", at("run"), "--json", "--no-data"}).lines().at(0);
  EXPECT_EQ(without["data"], false);
  EXPECT_TRUE(without["figures"].is_null());
  EXPECT_EQ(run({"doctor", at("nowhere")}).code, 3);
}

TEST_F(Cli, ADivergedRunOffersTheWayBackToItsLastCheckpoint) {
  ASSERT_EQ(run({"train", project(2), "--run-dir", at("run")}).code, 0);
  const CommandOutput diverged =
      run({"branch", at("run"), "--from", "epoch1", "--set", "learning_rate=1e30", "--run-dir", at("high"), "--json"});
  EXPECT_EQ(diverged.code, 6) << diverged.err;
  const std::string step = std::to_string(latest_checkpoint(at("high"))->step);
  const std::string command =
      "netwright-cli branch '" + at("high") + "' --from " + step + " --set 'learning_rate=1e+29'";
  EXPECT_NE(diverged.err.find(command), std::string::npos) << diverged.err;
  const auto events = diverged.lines();
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const Json& e) {
    return e["type"] == "health" && e.contains("not_finite") && e["not_finite"]["pass"] == "forward";
  }));
  const auto found = run({"doctor", at("high"), "--json"}).lines();
  const auto f =
      std::find_if(found.begin(), found.end(), [](const Json& j) { return j.value("id", "") == "non_finite"; });
  ASSERT_NE(f, found.end());
  EXPECT_EQ((*f)["command"], command);
  EXPECT_EQ((*f)["setting"], "learning_rate");
  EXPECT_EQ(run({"branch", at("high"), "--from", step, "--set", "learning_rate=0.001", "--run-dir", at("back")}).code,
            0);
}

TEST_F(Cli, ARunThatDivergesBeforeItsFirstCheckpointNamesARate) {
  const CommandOutput said = run({"train", project(), "--lr", "1e30", "--run-dir", at("run")});
  EXPECT_EQ(said.code, 6);
  EXPECT_NE(said.err.find("train again with --set learning_rate=1e+29"), std::string::npos) << said.err;
}

}  // namespace
}  // namespace nw
