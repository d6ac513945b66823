// SPDX-License-Identifier: Apache-2.0
// Batch norm on several devices: statistics over the whole batch, as on one device, or over each device's shard.
#include "tests/app/cli_fixture.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {

class BatchNormOnDevices : public Cli {
 protected:
  BatchNormOnDevices() {
    GraphDoc doc = test::net(
        "images: Input 1x28x28; conv: Conv2d out_channels=4; bn: BatchNorm2d; relu: ReLU; pool: MaxPool2d; flatten: "
        "Flatten; "
        "fc: Linear out_features=10; loss: CrossEntropy");
    TrainSettings s = doc.settings();
    s.epochs = 2;
    DataChoice d = doc.data();
    d.kind = SourceKind::synthetic;
    d.synthetic_train = 200;  // the second device has no sample in the last batch
    d.synthetic_test = 64;
    d.validation_fraction = 0;
    EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
    EXPECT_TRUE(ProjectFile::save(doc, at("norm.netwright")));
  }
  double test_loss(const std::string& run_dir, std::vector<std::string> more) {
    more.insert(more.begin(), {"train", at("norm.netwright"), "--json", "--seed", "1", "--run-dir", at(run_dir)});
    const CommandOutput output = run(more);
    EXPECT_EQ(output.code, 0) << output.err;
    return output.lines().back()["test_loss"].get<double>();
  }
};

TEST_F(BatchNormOnDevices, SynchronizesStatisticsByDefault) {
  const double one = test_loss("one", {"--device", "cpu"}), shared = test_loss("shared", {"--device", "cpu:0,cpu:1"});
  EXPECT_NEAR(shared, one, 1e-4 * one);
  EXPECT_TRUE(read_run_definition(at("shared"))->doc.settings().sync_batch_norm);
  const double own = test_loss("own", {"--device", "cpu:0,cpu:1", "--no-sync-batch-norm"});
  EXPECT_GT(std::abs(own - one), 1e-4 * one) << "each device's own images are others";
  EXPECT_TRUE(std::isfinite(own));
  EXPECT_FALSE(read_run_definition(at("own"))->doc.settings().sync_batch_norm);
}
TEST_F(BatchNormOnDevices, EvaluateUsesTheSavedUnsynchronizedStatistics) {
  const double trained = test_loss("own", {"--device", "cpu:0,cpu:1", "--no-sync-batch-norm"});
  EXPECT_NEAR(run({"evaluate", at("own"), "--json"}).lines().at(0)["loss"].get<double>(), trained, 1e-5)
      << "on one device, with what the files hold";
}

}  // namespace
}  // namespace nw
