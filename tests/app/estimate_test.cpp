// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

TEST_F(Cli, EstimatePrintsMemoryBeforeEpochTime) {
  const CommandOutput output = run({"estimate", project(), "--seconds", "0.1", "--json"});
  ASSERT_EQ(output.code, 0) << output.err;
  const std::size_t end = output.out.find('\n');
  const auto memory = parse_json(output.out.substr(0, end), "memory"),
             speed = parse_json(output.out.substr(end + 1), "speed");
  ASSERT_TRUE(memory && speed) << output.out;
  EXPECT_GT((*memory)["devices"][0]["memory_bytes"].get<double>(), 0);
  EXPECT_GT((*memory)["largest_batch"].get<double>(), 0);
  EXPECT_GT((*speed)["epoch_s"].get<double>(), 0);
  EXPECT_GT((*speed)["open_s"].get<double>(), 0);
  EXPECT_FALSE(fs::exists(at("runs")));
}

// The project's own network would need terabytes: it is neither prepared nor trained.
TEST_F(Cli, EstimateOfAPlanNeverRunsTheNetwork) {
  auto doc = ProjectFile::load(project());
  ASSERT_TRUE(doc);
  TrainSettings s = doc->settings();
  s.batch = 1 << 20;
  ASSERT_TRUE(doc->apply({PutSettings{s}}));
  for (const auto& [id, node] : doc->graph().nodes)
    if (node.name == "fc1") ASSERT_TRUE(doc->apply(set_attr(*doc, "", id, "out_features", std::int64_t{1} << 19)));
  ASSERT_TRUE(ProjectFile::save(*doc, at("stranger.netwright")));
  const CommandOutput output = run({"estimate", at("stranger.netwright"), "--plan", "--seconds", "0.1", "--json"});
  ASSERT_EQ(output.code, 0) << output.err;
  ASSERT_EQ(output.lines().size(), 2U) << output.out;
  EXPECT_GT(output.lines()[0]["devices"][0]["memory_bytes"].get<double>(), 1e12);
  EXPECT_GT(output.lines()[1]["epoch_s"].get<double>(), 1);
  EXPECT_EQ(output.lines()[1]["train"], 288) << "a tenth of the 320 is for validation";
  EXPECT_FALSE(fs::exists(at("runs")));
}

TEST_F(Cli, DiffNamesTheLayersThatOneProjectLacks) {
  const CommandOutput output = run({"diff", "mlp", "lenet5", "--json"});
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_NE(output.out.find(R"("change":"added","fields":[],"name":"conv1")"), std::string::npos) << output.out;
  EXPECT_NE(run({"diff", "mlp", "mlp"}).out.find("no difference"), std::string::npos);
  EXPECT_EQ(run({"diff", "mlp", "nowhere"}).code, 3);
}

}  // namespace
}  // namespace nw
