// SPDX-License-Identifier: Apache-2.0
// An optimizer is one record in one file: toy.hpp, beside this file, is added to the product's list and is then
// available in project files, plans, both backends and checkpoints.
#include <gtest/gtest.h>

#include "kernels/catalogue.hpp"
#include "kernels/optimizer.hpp"
#include "tests/engine/train/trial.hpp"
#include "tests/kernels/optimizer_cases.hpp"

namespace nw {
namespace {

Trial trial(const std::string& backend) {
  return Trial(
      [](TrainSettings& s, DataChoice&) {
        s.optimizer.choose("toy");
        s.optimizer.set("shortening", 0.125);
        s.learning_rate = 0.05;
        s.threads = 1;
      },
      "mlp", backend);
}

TEST(ToyOptimizer, ToyOptimizerIsRegisteredByItsRecordAlone) {
  ASSERT_NE(find_optimizer("toy"), nullptr);
  ASSERT_NE(find_kernel("toy"), nullptr);
  EXPECT_EQ(find_kernel("toy")->attrs, "l1 l2 weight_places weights_of_all momentum shortening");
  const auto read = settings_from_json(Json::parse(R"({"optimizer":"toy","shortening":0.5})"), "s");
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(read->optimizer.value("shortening"), 0.5);
  EXPECT_FALSE(settings_from_json(Json::parse(R"({"optimizer":"toy","shortening":2})"), "s"));
}

TEST(ToyOptimizer, IsTheSameOnTheCpuAsOnTheReference) {
  test::expect_reference("toy", *test::device_of(cpu_backend()));
}

TEST(ToyOptimizer, StepsByItsOwnFormula) {
  for (const Backend* backend : {&reference_backend(), &cpu_backend()}) {
    test::OptimizerRun run({.optimizer = "toy", .attrs = {{"momentum", 0.5}, {"shortening", 0.5}}, .sizes = {1}},
                           *test::device_of(*backend), 1);
    run.set(0, {1});
    run.step(0, {{2}});
    run.step(1, {{4}});
    EXPECT_FLOAT_EQ(run.read(0)[0], 1 - 0.05f * 2 - 0.05f * 5) << backend->name;
  }
}

TEST(ToyOptimizer, TrainsOnBothBackendsAndKeepsItsState) {
  std::vector<double> losses;
  for (const char* backend : {"reference", "cpu"}) {
    Trial t = trial(backend);
    const auto result = t.run();
    ASSERT_TRUE(result) << backend << ": " << result.error().str();
    const auto epochs = t.sink.all<EpochEnd>();
    ASSERT_EQ(epochs.size(), 2U);
    EXPECT_LT(epochs.back().train_loss, epochs.front().train_loss) << backend;
    losses.push_back(epochs.back().train_loss);
    const auto latest = latest_checkpoint(t.request.run);
    ASSERT_TRUE(latest);
    const auto kept = read_file(t.request.run / "checkpoints" / latest->name / "optimizer.safetensors", 1 << 30);
    ASSERT_TRUE(kept);
    EXPECT_NE(kept->find("toy_momentum fc1.weight"), std::string::npos);
  }
  EXPECT_NEAR(losses[0], losses[1], 1e-3 * losses[0]);
}

}  // namespace
}  // namespace nw
