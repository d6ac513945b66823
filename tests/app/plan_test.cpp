// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

TEST_F(Cli, PlanPrintsTheCurveOverTheNumberOfDevices) {
  const CommandOutput output = run({"plan", project(), "--devices", "8xH100", "--link", "nvlink", "--json"});
  ASSERT_EQ(output.code, 0) << output.err;
  const Json all = output.lines()[0];
  EXPECT_EQ(all["link"], "nvlink4");
  ASSERT_EQ(all["curve"].size(), 4U) << all.dump();
  for (const Json& p : all["curve"]) {
    const double parts = p["products_s"].get<double>() + p["memory_s"].get<double>() + p["starts_s"].get<double>() +
                         p["link_s"].get<double>() + p["waiting_s"].get<double>();
    EXPECT_NEAR(p["step_s"].get<double>(), parts, 1e-9);
    EXPECT_EQ(p["batch"], 64);
    EXPECT_TRUE(p["fits"]);
    EXPECT_GT(p["epoch_energy_j"].get<double>(), 0);
  }
  EXPECT_EQ(all["curve"][0]["link_s"], 0);
  EXPECT_EQ(all["curve"][3]["devices"], 8);
  EXPECT_FALSE(fs::exists(at("runs")));
}

TEST_F(Cli, PlanPrintsATableAndWhatLimits) {
  const CommandOutput output =
      run({"plan", "lenet5", "--devices", "4xA100", "--parallel", "sharded", "--batch-per-device", "64"});
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_NE(output.out.find("efficiency"), std::string::npos);
  EXPECT_NE(output.out.find("limited by"), std::string::npos) << output.out;
  EXPECT_NE(output.out.find("256"), std::string::npos) << output.out;
}

TEST_F(Cli, PlanOfThisComputersThreadsHasNoEnergy) {
  const CommandOutput output = run({"plan", "lenet5", "--devices", "2xcpu", "--json", "--images", "60000"});
  ASSERT_EQ(output.code, 0) << output.err;
  const Json last = output.lines()[0]["curve"][1];
  EXPECT_TRUE(last["epoch_energy_j"].is_null()) << "its power is not known";
  EXPECT_NEAR(last["epoch_s"].get<double>() * last["images_per_s"].get<double>(), 60000, 1);
}

TEST_F(Cli, PlanRefusesOddArgumentsInOneSentence) {
  const std::vector<std::vector<std::string>> wrong = {
      {"--devices", "8xH101"},
      {"--devices", "0xH100"},
      {"--devices", "-3xH100"},
      {"--devices", "99999999999999999999xH100"},
      {"--devices", "4097xH100"},
      {"--devices", ""},
      {"--devices", "8xH100", "--link", "string"},
      {"--devices", "8xL4", "--link", "nvlink"},
      {"--devices", "8xH100", "--link", "memory"},
      {"--devices", "8xV100", "--precision", "bf16"},
      {"--devices", "8xH100", "--precision", "fp4"},
      {"--devices", "8xH100", "--parallel", "tensor"},
      {"--devices", "8xH100", "--batch", "0"},
      {"--devices", "8xH100", "--batch", "4"},
      {"--devices", "8xH100", "--batch", "99999999999"},
      {"--devices", "8xH100", "--batch", "64", "--batch-per-device", "64"},
      {"--devices", "8xH100", "--micro-batches", "0"},
      {"--devices", "8xH100", "--images", "-1"},
      {}};
  for (std::vector<std::string> arguments : wrong) {
    arguments.insert(arguments.begin(), {"plan", "lenet5"});
    const CommandOutput output = run(arguments);
    EXPECT_EQ(output.code, 2) << arguments.back() << output.out << output.err;
    EXPECT_TRUE(output.out.empty()) << output.out;
    EXPECT_FALSE(output.err.empty());
  }
  EXPECT_EQ(run({"plan", "nowhere", "--devices", "8xH100"}).code, 3);
  EXPECT_EQ(run({"plan", "lenet5", "--devices", "64xH100", "--parallel", "model"}).code, 3) << "too few layers";
}

}  // namespace
}  // namespace nw
