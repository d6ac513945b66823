// SPDX-License-Identifier: Apache-2.0
// The stages of a pipeline on fake GPUs, each of which has its own memory, train what one of them does that accumulates
// the same micro-batches.
#include <gmock/gmock.h>

#include <cmath>

#include "engine/io/safetensors.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/variable.hpp"

namespace nw {
namespace {
using testing::HasSubstr;

/// Batch norm, and a skip connection that crosses the borders of stages.
const char* const residual =
    "images: Input 1x28x28; stem: Conv2d out_channels=6 kernel_size=3x3 stride=2x2 padding=1x1 <- images; "
    "bn1: BatchNorm2d <- stem; relu1: ReLU <- bn1; conv2: Conv2d out_channels=6 kernel_size=3x3 padding=1x1 <- relu1; "
    "bn2: BatchNorm2d <- conv2; add: Add <- bn2, relu1; relu2: ReLU <- add; pool: GlobalAvgPool2d <- relu2; "
    "flat: Flatten <- pool; drop: Dropout p=0.2 <- flat; fc: Linear <- drop; loss: CrossEntropy <- fc";

class GpuPipeline : public OnFakeGpus {
 protected:
  using Change = std::function<void(TrainSettings&)>;
  struct Trained {
    CommandOutput output;
    std::string model, optimizer;
    std::vector<Json> epochs, stages;
    std::string dir;
    std::vector<double> norms;
  };

  /// Micro-batches of 8, of which the last update of an epoch has fewer.
  std::string project(const std::string& network, const Change& change = {}) {
    GraphDoc doc = network == residual ? test::net(network) : find_template(network)->make();
    TrainSettings s = doc.settings();
    s.epochs = 2;
    s.batch = 32;
    s.micro_batches = 4;
    s.parallel = Parallelism::model;
    s.optimizer.choose("adam");
    s.ema_decay = 0.9;
    if (change) change(s);
    DataChoice d = doc.data();
    d.kind = SourceKind::synthetic;
    d.synthetic_train = 90;
    d.synthetic_test = 32;
    EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
    const std::string file = at("p" + std::to_string(++made_) + ".netwright");
    EXPECT_TRUE(ProjectFile::save(doc, file));
    return file;
  }
  Trained train(const std::string& file, const std::string& devices, const std::vector<std::string>& more = {}) {
    Trained t;
    t.dir = at("run" + std::to_string(++made_));
    std::vector<std::string> words{"train", file, "--device", devices, "--run-dir", t.dir, "--json", "--seed", "3"};
    words.insert(words.end(), more.begin(), more.end());
    t.output = gpu_run(words);
    if (t.output.code != 0) return t;
    t.model = latest_bytes(t.dir);
    t.optimizer = latest_bytes(t.dir, "optimizer.safetensors");
    for (Json& line : t.output.lines()) {
      const std::string type = line.value("type", "");
      if (type == "epoch") t.epochs.push_back(line);
      if (type == "pipeline") t.stages.push_back(line);
      if (type == "steps") t.norms.push_back(line["grad_norm"].get<double>());
    }
    return t;
  }
  static void expect_same(const Trained& one, const Trained& other) {
    ASSERT_EQ(one.output.code, 0) << one.output.err;
    ASSERT_EQ(other.output.code, 0) << other.output.err;
    EXPECT_TRUE(one.model == other.model) << "other weights";
    EXPECT_TRUE(one.optimizer == other.optimizer) << "another state of the optimizer";
    ASSERT_EQ(one.epochs.size(), other.epochs.size());
    for (std::size_t i = 0; i < one.epochs.size(); ++i)
      for (const char* figure : {"train_loss", "validation_loss"})
        EXPECT_EQ(one.epochs[i][figure], other.epochs[i][figure]) << figure << " of epoch " << i + 1;
  }
  static void expect_near(const Trained& one, const Trained& other, double tolerance) {
    ASSERT_EQ(one.output.code, 0) << one.output.err;
    ASSERT_EQ(other.output.code, 0) << other.output.err;
    ASSERT_EQ(one.epochs.size(), other.epochs.size());
    for (std::size_t i = 0; i < one.epochs.size(); ++i)
      for (const char* figure : {"train_loss", "validation_loss"})
        EXPECT_NEAR(one.epochs[i][figure].get<double>(), other.epochs[i][figure].get<double>(), tolerance) << figure;
  }

 private:
  int made_ = 0;
};

TEST_F(GpuPipeline, TrainsTheBytesOfOneGpu) {
  for (const std::string network : {std::string("lenet5"), std::string(residual)})
    for (const PipelineSchedule schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_forward_one_backward}) {
      const std::string file = project(network, [&](TrainSettings& s) { s.pipeline = schedule; });
      const Trained one = train(file, "cuda:0");
      for (const char* devices : {"cuda:0,cuda:1", "cuda:0,cuda:1,cuda:2"}) {
        SCOPED_TRACE(network.substr(0, 6) + " " + std::string(name_of(schedule)) + " on " + devices);
        const Trained many = train(file, devices);
        expect_same(one, many);
        EXPECT_EQ(many.stages.size(), 1U);
      }
    }
}

TEST_F(GpuPipeline, StoresInBf16WhatOneGpuStores) {
  const std::string file = project(residual, [](TrainSettings& s) { s.precision = DType::bf16; });
  expect_same(train(file, "cuda:0"), train(file, "cuda:0,cuda:1"));
}

/// What a processor or GPU computes faster in bf16 does not depend on the other stages.
TEST_F(GpuPipeline, ChoosesThePrecisionOfOneDevice) {
  const std::string file = project(residual, [](TrainSettings& s) { s.precision = std::nullopt; });
  for (const auto& [one, two] : {std::pair{"cuda:0", "cuda:0,cuda:1"}, std::pair{"cpu", "cpu:0,cpu:1"}}) {
    SCOPED_TRACE(two);
    const Trained alone = train(file, one, {"--threads", "1"}), stages = train(file, two, {"--threads", "2"});
    expect_same(alone, stages);
    const auto chosen = [](const Trained& t) {
      std::string said;
      for (const Json& line : t.output.lines())
        if (const std::string what = line.dump();
            line.value("type", "") == "health" && what.find("Precision auto") != what.npos)
          said += line["message"].dump();
      return said;
    };
    EXPECT_NE(chosen(alone), "");
    EXPECT_EQ(chosen(alone), chosen(stages));
  }
}

/// The norm is a sum over all weights, which the stages add up in another order than one GPU.
TEST_F(GpuPipeline, ClipsByTheNormOfAllStages) {
  const std::string file = project("lenet5", [](TrainSettings& s) {
    s.clip_norm = 0.05;
    s.l1 = 1e-4;
    s.ema_decay = 0;
    s.optimizer.choose("sgd");
  });
  const Trained one = train(file, "cuda:0"), two = train(file, "cuda:0,cuda:1");
  expect_near(one, two, 1e-5);
  ASSERT_FALSE(one.norms.empty() || two.norms.empty());
  EXPECT_NEAR(one.norms.back(), two.norms.back(), 1e-5 * one.norms.back());
}

TEST_F(GpuPipeline, ReplicasOfTwoStagesEachTrainTheSameWeights) {
  const std::string file = project(residual, [](TrainSettings& s) {
    s.stages = 2;
    s.sync_batch_norm = true;
  });
  const Trained four = train(file, "cuda:0,cuda:1,cuda:2,cuda:3");
  const Trained cpus = train(file, "cpu:0,cpu:1,cpu:2,cpu:3");
  expect_near(four, cpus, 1e-3);
}

/// The host sums the gradients of the micro-batches and of the GPUs; NCCL has none to sum.
TEST_F(GpuPipeline, MicroBatchesOfSeveralGpusTrainAsOfProcessors) {
  const std::string file = project(residual, [](TrainSettings& s) { s.parallel = Parallelism::data; });
  const Trained gpus = train(file, "cuda:0,cuda:1"), cpus = train(file, "cpu:0,cpu:1");
  expect_near(gpus, cpus, 1e-3);
}

/// Weights and optimizer's state of its own stage alone.
TEST_F(GpuPipeline, AGpuHoldsTheWeightsOfItsStage) {
  const std::string file = project("mlp", [](TrainSettings& s) { s.epochs = 1; });
  const Trained two = train(file, "cuda:0,cuda:1");
  ASSERT_EQ(two.output.code, 0) << two.output.err;
  std::int64_t of_second = 0;
  for (const Json& line : two.output.lines())
    if (line.value("type", "") == "ranks")
      for (const Json& rank : line["ranks"])
        if (rank["device"] == "cuda:1") of_second = rank["memory_bytes"].get<std::int64_t>();
  ASSERT_EQ(two.stages.size(), 1U);
  const Json& stages = two.stages[0]["stages"];
  const auto whole = stages[0]["parameters"].get<std::int64_t>() + stages[1]["parameters"].get<std::int64_t>();
  EXPECT_GT(of_second, 16 * stages[1]["parameters"].get<std::int64_t>()) << two.output.out.substr(0, 2000);
  EXPECT_LT(of_second, 16 * whole);
}

/// Of mpirun, with one GPU each.
TEST_F(GpuPipeline, StagesMayBeProcesses) {
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "mpirun is not installed (Debian: openmpi-bin)";
  const test::Variable root("OMPI_ALLOW_RUN_AS_ROOT", "1"), confirmed("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  const std::string file = project(residual), dir = at("ranks");
  const Trained one = train(file, "cuda:0");
  ASSERT_EQ(one.output.code, 0) << one.output.err;
  const std::string ranks = "timeout 60 mpirun --oversubscribe --bind-to none -n 2 " + test::programs_folder() +
                            "/netwright-cli" + " train '" + file + "' --device cuda --seed 3 --quiet --run-dir '" +
                            dir + "' >'" + at("ranks.log") + "' 2>&1";
  ASSERT_EQ(std::system(ranks.c_str()), 0) << *read_file(at("ranks.log"), 1 << 20);
  EXPECT_TRUE(latest_bytes(dir) == one.model);
  EXPECT_TRUE(latest_bytes(dir, "optimizer.safetensors") == one.optimizer);
  const std::string events = *read_file(fs::path(dir) / "events.jsonl", 1 << 20);
  for (const char* used : {"\"device\":\"cuda:0\"", "\"device\":\"cuda:1\""}) EXPECT_THAT(events, HasSubstr(used));
}

TEST_F(GpuPipeline, GoesOnFromACheckpoint) {
  const std::string file = project("lenet5");
  const Trained whole = train(file, "cuda:0,cuda:1");
  Trained half = train(project("lenet5", [](TrainSettings& s) { s.epochs = 1; }), "cuda:0,cuda:1");
  ASSERT_EQ(half.output.code, 0) << half.output.err;
  interrupt(half.dir, 2);
  const CommandOutput resumed = gpu_run({"resume", half.dir, "--json"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(latest_bytes(half.dir) == whole.model);
  EXPECT_TRUE(latest_bytes(half.dir, "optimizer.safetensors") == whole.optimizer);
}

/// In passes and in updates, where the other stage waits for a number of this one.
TEST_F(GpuPipeline, AStageWhoseGpuFailsEndsTheRun) {
  const std::string file = project("mlp", [](TrainSettings& s) { s.epochs = 50; });
  for (std::int64_t call = 3000; call < 3200; call += 19) {
    fail_at(call, 700, 1);
    const Trained two = train(file, "cuda:0,cuda:1");
    fail_nowhere();
    ASSERT_EQ(two.output.code, 1) << call << ": " << two.output.err;
    EXPECT_THAT(two.output.err, HasSubstr("cuda:1 stopped working"));
  }
}

TEST_F(GpuPipeline, SaysWhatItCannotTrain) {
  const auto refused = [&](const Change& change, const std::string& devices) {
    const Trained t = train(project("lenet5", change), devices);
    EXPECT_NE(t.output.code, 0);
    return t.output.err;
  };
  EXPECT_THAT(refused({}, "cuda:0,cpu:1"), HasSubstr("of one kind"));
  EXPECT_THAT(refused([](TrainSettings& s) { s.swa_start = 1; }, "cuda:0,cuda:1"), HasSubstr("swa_start"));
  const auto fp16 = [](TrainSettings& s) {
    s.precision = DType::f16;
    s.micro_batches = 1;
  };
  EXPECT_THAT(refused(fp16, "cuda:0,cuda:1"), HasSubstr("loss scale"));
}

}  // namespace
}  // namespace nw
