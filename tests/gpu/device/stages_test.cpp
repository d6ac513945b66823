// SPDX-License-Identifier: Apache-2.0
// The stages of a pipeline train on a device what it trains alone, also where there is one GPU: both stages are on it.
#include <numeric>

#include "engine/design/project_file.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/training_data.hpp"
#include "tests/gpu/device/on_device.hpp"

namespace nw::test {
namespace {

RunDefinition lenet_in_parts(std::optional<DType> precision) {
  RunDefinition d{.doc = find_template("lenet5")->make()};
  TrainSettings s = d.doc.settings();
  s.batch = 32;
  s.micro_batches = 4;
  s.parallel = Parallelism::model;
  s.optimizer.choose("adam");
  s.ema_decay = 0.9;
  s.precision = precision;
  DataChoice data = d.doc.data();
  data.kind = SourceKind::synthetic;
  data.synthetic_train = 96;
  data.synthetic_test = 16;
  EXPECT_TRUE(d.doc.apply({PutSettings{s}, PutData{data}}));
  return d;
}

/// Weights and the optimizer's state after three updates, of which the last has a short micro-batch.
std::map<std::string, std::vector<std::byte>> learned_on(const std::vector<std::shared_ptr<Device>>& stages,
                                                         DType precision) {
  RunDefinition definition = lenet_in_parts(precision);
  auto data = open_training_data(definition, true, false);
  std::vector<ResolvedDevice> devices;
  for (const auto& gpu : stages) devices.push_back({gpu->name(), gpu, 1});
  auto replicas = Replicas::make(definition.doc, data->facts, devices);
  if (!replicas || !(*replicas)->start_weights(3)) {
    ADD_FAILURE() << (replicas ? "no weights" : replicas.error().str());
    return {};
  }
  for (std::int64_t step = 0; step < 3; ++step) {
    std::vector<std::int64_t> samples(step < 2 ? 32 : 29);
    std::iota(samples.begin(), samples.end(), 32 * step);
    const auto done =
        (*replicas)->train(samples_of(*data->train, samples), StepArgs{.step = step, .seed = 3, .learning_rate = 0.01});
    EXPECT_TRUE(done) << done.error().str();
  }
  return (*replicas)->copy().tensors;
}

using Stages = OnDevice;

TEST_F(Stages, TrainTheBytesOfOneGpu) {
  std::vector<std::shared_ptr<Device>> two{found().gpu, found().all.size() > 1 ? found().all[1] : found().gpu};
  for (const DType precision : {DType::f32, DType::bf16}) {
    const auto one = learned_on({found().gpu}, precision), parts = learned_on(two, precision);
    ASSERT_FALSE(one.empty());
    ASSERT_EQ(one.size(), parts.size());
    for (const auto& [name, bytes] : one)
      EXPECT_TRUE(bytes == parts.at(name)) << name << (precision == DType::bf16 ? " in bf16" : "");
  }
}

}  // namespace
}  // namespace nw::test
