// SPDX-License-Identifier: Apache-2.0
// Fake GPUs that each keep a part of the optimizer's state train the bytes of those that keep all of it.
#include <gmock/gmock.h>

#include "engine/data/batches/batches.hpp"
#include "engine/io/safetensors.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/training_data.hpp"
#include "tests/engine/train/trial.hpp"
#include "tests/kernels/cuda/fakes/fake_gpus.hpp"
#include "tests/kernels/precision_steps.hpp"

namespace nw {
namespace {

using Settings = std::function<void(TrainSettings&)>;

constexpr std::int64_t sharded_batch = 12;

/// What a training has done.
struct Learnt {
  std::vector<double> losses, norms, penalties;
  std::vector<bool> skipped;
  std::map<std::string, std::vector<std::byte>> tensors;  // weights, buffers and the optimizer's state
  double loss_scale = 0;
  bool operator==(const Learnt&) const = default;
};

/// LeNet-5 on the first fake GPUs.
class OnGpus {
 public:
  OnGpus(int gpus, Parallelism how, const Settings& more) {
    cuda::use_driver_api(&cuda::fake_driver_api());
    RunDefinition definition;
    definition.doc = Trial::project(
        [&](TrainSettings& s, DataChoice& d) {
          s.batch = sharded_batch;
          s.parallel = how;
          d.synthetic_train = 66;
          d.synthetic_test = 12;
          if (more) more(s);
        },
        "lenet5");
    settings_ = definition.doc.settings();
    auto data = open_training_data(definition, true, false);
    EXPECT_TRUE(data);
    data_.emplace(std::move(*data));
    std::vector<ResolvedDevice> devices;
    for (int i = 0; i < gpus; ++i)
      devices.push_back({"cuda:" + std::to_string(i), cuda::cuda_backend().devices().at(static_cast<std::size_t>(i))});
    auto made = Replicas::make(definition.doc, data_->facts, std::move(devices));
    EXPECT_TRUE(made) << made.error().str();
    replicas_ = std::move(*made);
    EXPECT_TRUE(replicas_->start_weights(7));
  }
  Replicas& replicas() { return *replicas_; }

  /// Steps from this one on; `stored`: the data set is on the devices, which make many steps at once.
  Learnt train(std::int64_t from, std::int64_t count, bool stored = false) {
    if (stored) { EXPECT_TRUE(replicas_->keep(*data_->train)); }
    std::vector<BatchSamples> batches = batches_from(from, count);
    std::vector<StepMetrics> results(batches.size());
    const Status done = stored ? many(from, batches, results) : one_by_one(from, batches, results);
    EXPECT_TRUE(done) << done.error().str();
    EXPECT_TRUE(replicas_->compare_weights());
    return learnt(results);
  }
  Status one_by_one(std::int64_t from, const std::vector<BatchSamples>& batches, std::span<StepMetrics> results) {
    for (std::size_t i = 0; i < batches.size(); ++i) {
      NW_ASSIGN(results[i], replicas_->train(batches[i], args_of(from + static_cast<std::int64_t>(i))));
    }
    return {};
  }
  std::vector<BatchSamples> batches_from(std::int64_t from, std::int64_t count) {
    Batches all({.maker = &*data_->train,
                 .shuffle = true,
                 .batch = sharded_batch * settings_.accumulate,
                 .capacity = replicas_->update_capacity()},
                0, 0, 100);
    std::vector<BatchSamples> some;
    for (std::int64_t i = 0; i < from + count; ++i)
      if (const BatchSamples* b = all.next(); i >= from) some.push_back(*b);
    return some;
  }
  /// A checkpoint's files in a folder.
  void save(const fs::path& folder) {
    EXPECT_TRUE(write_safetensors(folder / "model", replicas_->model()));
    EXPECT_TRUE(write_safetensors(folder / "optimizer", replicas_->optimizer()));
  }
  void restore(const fs::path& folder) {
    const auto model = SafetensorsFile::open(folder / "model"), optimizer = SafetensorsFile::open(folder / "optimizer");
    ASSERT_TRUE(model && optimizer);
    EXPECT_TRUE(replicas_->restore(*model, *optimizer));
  }

 private:
  static StepArgs args_of(std::int64_t step) {
    return {.step = step, .seed = 3, .learning_rate = 0.02 + 0.001 * static_cast<double>(step)};
  }
  Status many(std::int64_t from, std::span<const BatchSamples> batches, std::span<StepMetrics> results) {
    std::vector<StepArgs> args;
    for (std::size_t i = 0; i < batches.size(); ++i) args.push_back(args_of(from + static_cast<std::int64_t>(i)));
    NW_ASSIGN(const std::size_t done, replicas_->train(batches, args, results, [] { return true; }));
    EXPECT_EQ(done, batches.size());
    return {};
  }
  Learnt learnt(const std::vector<StepMetrics>& results) {
    Learnt l;
    for (const StepMetrics& m : results) {
      l.losses.push_back(m.loss_sum);
      l.norms.push_back(m.grad_norm);
      l.penalties.push_back(m.penalty);
      l.skipped.push_back(m.skipped);
    }
    const Replicas::Copy all = replicas_->copy();
    l.tensors = all.tensors;
    l.loss_scale = all.loss_scale.scale;
    return l;
  }

  TrainSettings settings_;
  std::optional<TrainingData> data_;
  std::unique_ptr<Replicas> replicas_;
};

Settings optimizer(const std::string& name, std::map<std::string, double> fields = {}) {
  return [=](TrainSettings& s) {
    s.optimizer.choose(name);
    for (const auto& [field, value] : fields) s.optimizer.set(field, value);
  };
}
struct Case {
  const char* name;
  Settings more;
};
const Case cases[] = {
    {"sgd", optimizer("sgd", {{"momentum", 0}})},
    {"momentum", optimizer("sgd", {{"momentum", 0.9}})},
    {"nesterov", optimizer("sgd", {{"momentum", 0.9}, {"nesterov", 1}})},
    {"adam", optimizer("adam")},
    {"adamw, clipped, with penalties, averaged",
     [](TrainSettings& s) {
       optimizer("adamw", {{"weight_decay", 0.01}})(s);
       s.clip_norm = 0.5;
       s.clip_value = 0.05;
       s.l1 = 1e-4;
       s.l2 = 1e-3;
       s.decay_bias_and_norm = false;
       s.ema_decay = 0.9;
     }},
    {"lars", optimizer("lars")},
};

class ShardedGpus : public testing::Test {
 protected:
  ShardedGpus() { cuda::fake_nccl(true); }
  ~ShardedGpus() override {
    cuda::fake_late(false);
    cuda::fake_nccl(false);
  }
  static void expect_the_same_bytes(int gpus, const Settings& more, bool stored = false) {
    OnGpus plain(gpus, Parallelism::data, more), sharded(gpus, Parallelism::sharded, more);
    ASSERT_TRUE(sharded.replicas().sharded());
    EXPECT_EQ(sharded.train(0, 4, stored), plain.train(0, 4, stored));
  }
  static Settings in(DType precision, const Settings& more) {
    return [=](TrainSettings& s) {
      more(s);
      s.precision = precision;
    };
  }
};

TEST_F(ShardedGpus, TwoTrainTheBytesOfPlainDataParallelInEveryPrecision) {
  for (const DType precision : {DType::f32, DType::bf16, DType::f16})
    for (const Case& c : cases) {
      SCOPED_TRACE(std::string(c.name) + " in precision " + std::to_string(static_cast<int>(precision)));
      expect_the_same_bytes(2, in(precision, c.more));
    }
}
TEST_F(ShardedGpus, ThreeTrainTheBytesOfPlainDataParallel) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    expect_the_same_bytes(3, in(DType::f32, c.more));
  }
}
TEST_F(ShardedGpus, ManyStepsAtOnceAndLateStreamsGiveTheSameBytes) {
  expect_the_same_bytes(3, in(DType::f16, cases[4].more), true);
  cuda::fake_late(true);
  expect_the_same_bytes(3, in(DType::f16, cases[4].more), true);
}
TEST_F(ShardedGpus, WithoutNcclTheWeightsGoThroughTheHost) {
  cuda::fake_nccl(false);
  for (const DType precision : {DType::f32, DType::f16}) expect_the_same_bytes(3, in(precision, cases[4].more));
}
TEST_F(ShardedGpus, AccumulatedGradientsGiveTheSameBytes) {
  for (const bool nccl : {true, false}) {
    cuda::fake_nccl(nccl);
    expect_the_same_bytes(2, [](TrainSettings& s) {
      cases[4].more(s);
      s.accumulate = 2;
    });
  }
}

TEST_F(ShardedGpus, SkipTheSameSteps) {
  const auto trained = [](Parallelism how) {
    OnGpus gpus(2, how, in(DType::f16, cases[3].more));
    gpus.replicas().set_loss_scale({0x1p30, 0});
    return gpus.train(0, 12);
  };
  const Learnt sharded = trained(Parallelism::sharded);
  EXPECT_EQ(sharded, trained(Parallelism::data));
  EXPECT_THAT(sharded.skipped, testing::Contains(true));
  EXPECT_THAT(sharded.skipped, testing::Contains(false));
}

TEST_F(ShardedGpus, KeepAboutHalfOfTheStateEach) {
  for (const bool nccl : {true, false}) {
    cuda::fake_nccl(nccl);
    OnGpus plain(2, Parallelism::data, cases[3].more), sharded(2, Parallelism::sharded, cases[3].more);
    const std::int64_t all = sharded.replicas().state_bytes();
    EXPECT_GE(all, 2 * 4 * plain.replicas().parameters());
    EXPECT_EQ(sharded.replicas().saved_bytes_of(0) + sharded.replicas().saved_bytes_of(1), all);
    for (const int rank : {0, 1}) {
      EXPECT_GT(sharded.replicas().saved_bytes_of(rank), all / 3);
      EXPECT_EQ(plain.replicas().memory_bytes_of(rank) - sharded.replicas().memory_bytes_of(rank),
                sharded.replicas().saved_bytes_of(rank))
          << "what is said to be saved is not allocated";
    }
  }
}

/// Checkpoints are those of whole states: any number of GPUs goes on with them, dividing the state or not.
TEST_F(ShardedGpus, GoOnWithCheckpointsOfPlainDataParallelAndBack) {
  const Settings& more = cases[4].more;
  const Folder of_plain, of_sharded;
  OnGpus plain(2, Parallelism::data, more), sharded(2, Parallelism::sharded, more);
  EXPECT_EQ(plain.train(0, 3), sharded.train(0, 3));
  plain.save(of_plain.path);
  sharded.save(of_sharded.path);
  for (const char* file : {"model", "optimizer"})
    EXPECT_EQ(*read_file(of_plain.path / file, 1 << 30), *read_file(of_sharded.path / file, 1 << 30)) << file;
  OnGpus then_plain(3, Parallelism::data, more), then_sharded(3, Parallelism::sharded, more);
  then_plain.restore(of_sharded.path);
  then_sharded.restore(of_plain.path);
  EXPECT_EQ(then_plain.train(3, 3), then_sharded.train(3, 3));
  EXPECT_EQ(plain.train(3, 2), sharded.train(3, 2)) << "saving changes nothing";
}

/// The weights are sent in the step's graph, after the update of the own part and before the step ends.
TEST_F(ShardedGpus, SendTheWeightsWithinTheGraphOfTheStep) {
  (void)test::fake_gpu();
  auto gpus = cuda::cuda_backend().devices();
  gpus.resize(3);
  precision_steps::learn_on_all(DType::f32, gpus, 0, true);
  const auto calls = cuda::fake_last_graph();
  std::vector<std::size_t> sent;
  std::size_t update = 0, elements = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].what == "nw_sgd") update = i;
    if (calls[i].what != "broadcast") continue;
    sent.push_back(i);
    elements += calls[i].count;
  }
  ASSERT_EQ(sent.size(), 3U) << "a part of each";
  EXPECT_EQ(elements, static_cast<std::size_t>(precision_steps::compiled(DType::f32, *gpus[0]).weight_elements));
  EXPECT_GT(update, 0U);
  ASSERT_LT(update, sent.front());
  const int side = calls[sent.back()].stream;
  const auto waits = [&](std::size_t from, std::size_t to, int stream, int waits_for) {
    return std::any_of(
        calls.begin() + static_cast<std::ptrdiff_t>(from), calls.begin() + static_cast<std::ptrdiff_t>(to),
        [&](const cuda::FakeCall& c) { return c.what == "wait" && c.stream == stream && c.waits_for == waits_for; });
  };
  EXPECT_TRUE(waits(update, sent.front(), side, 0)) << "or the weights of before are sent";
  EXPECT_TRUE(waits(sent.back(), calls.size(), 0, side)) << "or the next step computes with the weights of before";
}

TEST_F(ShardedGpus, ALostGpuEndsAll) {
  int failures = 0;
  for (const std::int64_t at : {40, 90, 141, 160, 200, 233}) {
    OnGpus gpus(3, Parallelism::sharded, cases[4].more);
    (void)cuda::fake_nccl_stuck();
    (void)cuda::fake_driver_api({.code = 700, .gpu = 1, .at_kernel = at});
    std::vector<StepMetrics> results(6);
    const Status done = gpus.one_by_one(0, gpus.batches_from(0, 6), results);
    if (!done) EXPECT_EQ(done.error().code, Errc::other) << done.error().str();
    failures += !done;
    EXPECT_EQ(cuda::fake_nccl_stuck(), 0) << "kernel " << at;
  }
  EXPECT_GT(failures, 3) << "or the steps were over before";
}

}  // namespace
}  // namespace nw
