// SPDX-License-Identifier: Apache-2.0
// Whole training steps on both backends: equal losses, learning, short batches, threads, replicas, gates.
#include <gtest/gtest.h>

#include <array>
#include <condition_variable>
#include <mutex>

#include "tests/kernels/allocations.hpp"
#include "tests/kernels/lenet_plan.hpp"

namespace nw::test {
namespace {

struct Outcome {
  std::vector<double> losses;
  std::vector<float> weights, grads, buffers;
  StepMetrics last;
};

Outcome train(const TinyPlan& tiny, const Device& device, int threads, int steps, double rate, std::int64_t valid) {
  Bench b(tiny, device, threads);
  initialise(b);
  Outcome r;
  for (int i = 0; i < steps; ++i) {
    load_digits(b, i % 4 * tiny.plan.batch);
    const Status s = b.executable().run(step_args(i, valid, rate));
    EXPECT_TRUE(static_cast<bool>(s));
    r.last = b.executable().metrics();
    r.losses.push_back(r.last.loss_sum / static_cast<double>(valid));
  }
  EXPECT_TRUE(b.guards_intact());
  r.weights = weights_of(b);
  r.grads = weights_of(b, Role::weight_grad);
  r.buffers = weights_of(b, Role::buffer);
  return r;
}

void expect_same_training(const Outcome& a, const Outcome& b) {
  for (std::size_t i = 0; i < a.losses.size(); ++i)
    EXPECT_NEAR(a.losses[i], b.losses[i], 1e-5 * b.losses[i]) << "step " << i;
  EXPECT_LT(relative_distance(a.grads, b.grads), 1e-4);
  EXPECT_LT(relative_distance(a.weights, b.weights), 1e-4);
  EXPECT_LT(relative_distance(a.buffers, b.buffers), 1e-5);
  EXPECT_NEAR(a.last.grad_norm, b.last.grad_norm, 1e-4 * b.last.grad_norm);
  EXPECT_NEAR(a.last.penalty, b.last.penalty, 1e-5 * b.last.penalty);
}

TEST(WholeStep, LenetGivesEqualLossesOnBothBackends) {
  NetBuilder n = lenet(24);
  n.train("sgd", sgd_attrs());
  expect_same_training(train(n.tiny, *device_of(cpu_backend()), 2, 3, 0.05, 24),
                       train(n.tiny, *device_of(reference_backend()), 2, 3, 0.05, 24));
}

TEST(WholeStep, AdamGivesEqualLossesOnBothBackends) {
  NetBuilder n = lenet(24);
  n.train("adam", adam_attrs());
  expect_same_training(train(n.tiny, *device_of(cpu_backend()), 2, 3, 0.001, 24),
                       train(n.tiny, *device_of(reference_backend()), 2, 3, 0.001, 24));
}

TEST(WholeStep, BatchNormDropoutAndClippingGiveEqualLossesOnBothBackends) {
  NetBuilder n = small_resnet(24);
  n.train("sgd", sgd_attrs(), 0.5);
  expect_same_training(train(n.tiny, *device_of(cpu_backend()), 2, 3, 0.01, 24),
                       train(n.tiny, *device_of(reference_backend()), 2, 3, 0.01, 24));
}

// The linear layers' kernels sum the squares of their gradients: those sums are from before clipping by value.
TEST(WholeStep, ClippingByValueAndByNormGivesEqualUpdatesOnBothBackends) {
  const auto updated = [](const Backend& backend, int threads) {
    NetBuilder n = lenet(24);
    n.train("sgd", {{"momentum", 0.0}}, 0.05, 0.01);
    Bench b(n.tiny, *device_of(backend), threads);
    initialise(b);
    load_digits(b);
    EXPECT_TRUE(static_cast<bool>(b.executable().run(step_args(0, 24, 1.0))));
    std::vector<float> all = weights_of(b, Role::weight_grad);
    all.push_back(static_cast<float>(b.executable().metrics().grad_norm));
    return all;
  };
  const std::vector<float> reference = updated(reference_backend(), 1);
  double squares = 0;
  for (std::size_t i = 0; i + 1 < reference.size(); ++i) squares += static_cast<double>(reference[i]) * reference[i];
  EXPECT_NEAR(std::sqrt(squares), 0.05, 1e-5);
  for (int threads = 1; threads <= 4; ++threads) {
    const std::vector<float> fast = updated(cpu_backend(), threads);
    EXPECT_LT(relative_distance(fast, reference), 1e-4);
    EXPECT_NEAR(fast.back(), reference.back(), 1e-4F * reference.back());
    EXPECT_EQ(fast, updated(cpu_backend(), 1));
  }
}

TEST(WholeStep, LargeImagesGiveEqualLossesOnBothBackendsAndTheSameBytesOnOneToThreeThreads) {
  NetBuilder n = large_images(40);
  n.train("sgd", sgd_attrs());
  const Outcome one = train(n.tiny, *device_of(cpu_backend()), 1, 3, 0.01, 37);
  expect_same_training(one, train(n.tiny, *device_of(reference_backend()), 2, 3, 0.01, 37));
  for (int threads = 2; threads <= 3; ++threads)
    EXPECT_EQ(one.weights, train(n.tiny, *device_of(cpu_backend()), threads, 3, 0.01, 37).weights) << threads;
}

TEST(WholeStep, LenetLearns) {
  NetBuilder n = lenet(32);
  n.train("sgd", sgd_attrs());
  const Outcome r = train(n.tiny, *device_of(cpu_backend()), 2, 60, 0.05, 32);
  EXPECT_GT(r.losses.front(), 2.0);
  EXPECT_LT(r.losses.back(), 0.1);
  EXPECT_GE(r.last.correct, 30);
  EXPECT_EQ(r.last.samples, 32);
}

TEST(WholeStep, OneToFourThreadsGiveTheSameBytes) {
  NetBuilder n = small_resnet(70);
  n.train("adam", adam_attrs(), 1.0);
  const Outcome one = train(n.tiny, *device_of(cpu_backend()), 1, 4, 0.01, 70);
  for (int threads = 2; threads <= 4; ++threads) {
    const Outcome many = train(n.tiny, *device_of(cpu_backend()), threads, 4, 0.01, 70);
    EXPECT_EQ(one.losses, many.losses);
    EXPECT_EQ(one.weights, many.weights);
    EXPECT_EQ(one.buffers, many.buffers);
    EXPECT_EQ(one.last.grad_norm, many.last.grad_norm);
  }
}

TEST(WholeStep, PaddingSamplesOfAShortBatchChangeNothing) {
  for (const Backend* backend : {&reference_backend(), &cpu_backend()}) {
    NetBuilder wide = small_resnet(40), narrow = small_resnet(19);
    wide.train("sgd", sgd_attrs());
    narrow.train("sgd", sgd_attrs());
    Bench a(wide.tiny, *device_of(*backend), 2), b(narrow.tiny, *device_of(*backend), 2);
    for (Bench* bench : {&a, &b}) {
      initialise(*bench);
      load_digits(*bench);
      ASSERT_TRUE(static_cast<bool>(bench->executable().run(step_args(0, 19, 0.1))));
    }
    EXPECT_EQ(a.executable().metrics().loss_sum, b.executable().metrics().loss_sum) << backend->name;
    EXPECT_EQ(weights_of(a), weights_of(b)) << backend->name;
    EXPECT_EQ(weights_of(a, Role::buffer), weights_of(b, Role::buffer)) << backend->name;
    EXPECT_EQ(a.executable().metrics().samples, 19);
  }
}

TEST(WholeStep, AReplicaWithoutSamplesHasZeroGradients) {
  for (const Backend* backend : {&reference_backend(), &cpu_backend()})
    for (NetBuilder n : {lenet(40), small_resnet(40)}) {
      n.train("sgd", sgd_attrs());
      Bench b(n.tiny, *device_of(*backend), 2);
      initialise(b);
      load_digits(b);
      ASSERT_TRUE(static_cast<bool>(b.executable().run(step_args(0, 40, 0.0))));
      StepArgs none = step_args(1, 0, 0.0);
      none.global_valid = 40;
      ASSERT_TRUE(static_cast<bool>(b.executable().run(none)));
      EXPECT_EQ(b.executable().metrics().samples, 0) << backend->name;
      for (const float g : weights_of(b, Role::weight_grad)) ASSERT_EQ(g, 0.0F) << backend->name;
    }
}

TEST(WholeStep, ANonFiniteStepKeepsTheWeights) {
  for (const Backend* backend : {&reference_backend(), &cpu_backend()}) {
    NetBuilder n = lenet(16);
    n.train("adam", adam_attrs(), 1.0);
    Bench b(n.tiny, *device_of(*backend), 2);
    initialise(b);
    load_digits(b);
    std::vector<float> images = b.read("images");
    images[5] = std::numeric_limits<float>::quiet_NaN();
    b.write("images", images);
    const std::vector<float> before = weights_of(b);
    ASSERT_TRUE(static_cast<bool>(b.executable().run(step_args(0, 16, 0.1))));
    EXPECT_FALSE(b.executable().metrics().finite) << backend->name;
    EXPECT_EQ(weights_of(b), before) << backend->name;
    load_digits(b);
    ASSERT_TRUE(static_cast<bool>(b.executable().run(step_args(1, 16, 0.1))));
    EXPECT_TRUE(b.executable().metrics().finite);
    EXPECT_NE(weights_of(b), before) << backend->name;
  }
}

TEST(WholeStep, AllocatesNothing) {
  NetBuilder n = small_resnet(40);
  n.train("adam", adam_attrs(), 1.0);
  Bench b(n.tiny, *device_of(cpu_backend()), 1);
  initialise(b);
  load_digits(b);
  const StepArgs args = step_args(0, 40, 0.1);
  const int before = allocations();
  ASSERT_GT(before, 0) << "allocations are not counted here";
  const Status s = b.executable().run(args);
  EXPECT_EQ(allocations() - before, 0);
  EXPECT_TRUE(static_cast<bool>(s));
}

TEST(WholeStep, TheSameInputsTwiceGiveTheSameLoss) {
  NetBuilder n = lenet(20);
  n.train("sgd", sgd_attrs());
  Bench b(n.tiny, *device_of(cpu_backend()), 2);
  initialise(b);
  load_digits(b);
  ASSERT_TRUE(static_cast<bool>(b.executable().run(step_args(0, 20, 0.0))));
  const double first = b.executable().metrics().loss_sum;
  ASSERT_TRUE(static_cast<bool>(b.executable().run(step_args(1, 20, 0.0))));
  EXPECT_EQ(b.executable().metrics().loss_sum, first);
}

TEST(WholeStep, AnEvaluationUsesTheCurrentTrainingWeights) {
  for (const Backend* backend : {&reference_backend(), &cpu_backend()}) {
    NetBuilder n = small_resnet(16), e = small_resnet(16, 1, false);
    n.train("sgd", sgd_attrs());
    e.train("", {});
    Bench training(n.tiny, *device_of(*backend), 1);
    Bench evaluation(e.tiny, *device_of(*backend), 1, nullptr, &training.executable());
    initialise(training);
    load_digits(training);
    load_digits(evaluation);
    EXPECT_EQ(weights_of(training), weights_of(evaluation));
    std::vector<double> losses;
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(static_cast<bool>(training.executable().run(step_args(i, 16, 0.05))));
      ASSERT_TRUE(static_cast<bool>(evaluation.executable().run(step_args(i, 16, 0))));
      losses.push_back(evaluation.executable().metrics().loss_sum);
    }
    EXPECT_EQ(weights_of(training, Role::buffer), weights_of(evaluation, Role::buffer));
    EXPECT_LT(losses.back(), 0.7 * losses.front()) << backend->name;
    EXPECT_LT(evaluation.executable().memory_bytes(), training.executable().memory_bytes());
  }
}

// The step's work area is not initialized, and a partial batch leaves lanes that are never written.
TEST(WholeStep, AnEvaluationCanShareTheWorkAreaOfTheTraining) {
  for (const Backend* backend : {&reference_backend(), &cpu_backend()}) {
    NetBuilder n = small_resnet(40), e = small_resnet(40, 1, false);
    n.train("adam", adam_attrs());
    e.train("", {});
    Bench training(n.tiny, *device_of(*backend), 2), undisturbed(n.tiny, *device_of(*backend), 2);
    Bench alone(e.tiny, *device_of(*backend), 2, nullptr, &training.executable());
    Bench in_turn(e.tiny, *device_of(*backend), 2, nullptr, &training.executable(), true);
    for (Bench* b : {&training, &undisturbed}) {
      initialise(*b);
      load_digits(*b);
    }
    for (Bench* b : {&alone, &in_turn}) load_digits(*b);
    EXPECT_LE(in_turn.executable().memory_bytes(), alone.executable().memory_bytes() - alone.plan().arena_bytes);
    for (int i = 0; i < 4; ++i) {
      const int valid = i % 2 ? 21 : 40;
      for (Bench* b : {&training, &undisturbed})
        ASSERT_TRUE(static_cast<bool>(b->executable().run(step_args(i, valid, 0.01))));
      for (Bench* b : {&alone, &in_turn}) ASSERT_TRUE(static_cast<bool>(b->executable().run(step_args(i, valid, 0))));
      EXPECT_EQ(in_turn.executable().metrics().loss_sum, alone.executable().metrics().loss_sum)
          << backend->name << ", step " << i;
      EXPECT_EQ(weights_of(training), weights_of(undisturbed)) << backend->name << ", step " << i;
    }
  }
}

// ---- replicas on threads of this process; the all-reduce sums in rank order
struct AllReduceGroup {
  explicit AllReduceGroup(int world) : parts(static_cast<std::size_t>(world)) {}
  std::mutex m;
  std::condition_variable changed;
  std::vector<std::vector<double>> parts;
  std::array<std::vector<double>, 2> sums;  // alternating: a fast rank may be a round ahead of one that still copies
  int arrived = 0, round = 0;
  bool aborted = false;
};
class LocalCommunicator final : public Communicator {
 public:
  LocalCommunicator(AllReduceGroup& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int world() const override { return static_cast<int>(meeting_.parts.size()); }
  bool all_reduce_sum(float* data, std::int64_t count) override { return reduce(data, count); }
  bool all_reduce_sum(double* data, std::int64_t count) override { return reduce(data, count); }
  void abort() override {
    std::scoped_lock lock(meeting_.m);
    meeting_.aborted = true;
    meeting_.changed.notify_all();
  }

 private:
  template <class T>
  bool reduce(T* data, std::int64_t count) {
    std::unique_lock lock(meeting_.m);
    meeting_.parts[static_cast<std::size_t>(rank_)].assign(data, data + count);
    const int round = meeting_.round;
    if (++meeting_.arrived == world()) {
      meeting_.arrived = 0;
      ++meeting_.round;
      for (std::size_t r = 1; r < meeting_.parts.size(); ++r)
        for (std::size_t i = 0; i < meeting_.parts[0].size(); ++i) meeting_.parts[0][i] += meeting_.parts[r][i];
      meeting_.sums[static_cast<std::size_t>(round % 2)] = meeting_.parts[0];
      meeting_.changed.notify_all();
    } else {
      meeting_.changed.wait(lock, [&] { return meeting_.round != round || meeting_.aborted; });
    }
    if (meeting_.aborted) return false;
    const std::vector<double>& total = meeting_.sums[static_cast<std::size_t>(round % 2)];
    for (std::int64_t i = 0; i < count; ++i) data[i] = static_cast<T>(total[static_cast<std::size_t>(i)]);
    return true;
  }
  AllReduceGroup& meeting_;
  int rank_;
};

TEST(WholeStep, TwoReplicasTrainAsOneDevice) {
  NetBuilder whole = small_resnet(32), half = small_resnet(16, 2);
  whole.train("adam", adam_attrs(), 1.0);
  half.train("adam", adam_attrs(), 1.0);
  Bench one(whole.tiny, *device_of(cpu_backend()), 1);
  initialise(one);
  AllReduceGroup meeting(2);
  std::vector<std::vector<double>> losses(3);
  std::vector<std::int64_t> samples(32);
  for (int i = 0; i < 32; ++i) samples[static_cast<std::size_t>(i)] = i;
  for (int i = 0; i < 3; ++i) {
    load_digits(one);
    StepArgs a = step_args(i, 32, 0.01);
    a.sample = samples.data();
    ASSERT_TRUE(static_cast<bool>(one.executable().run(a)));
    losses[2].push_back(one.executable().metrics().loss_sum);
  }
  std::vector<std::vector<float>> weights(2);
  const auto replica = [&](int rank) {
    LocalCommunicator communicator(meeting, rank);
    Bench b(half.tiny, *device_of(cpu_backend()), 2, &communicator);
    initialise(b);
    for (int i = 0; i < 3; ++i) {
      load_digits(b, 16 * rank);
      StepArgs a = step_args(i, 16, 0.01);
      a.global_valid = 32;
      a.sample = samples.data() + 16 * rank;
      ASSERT_TRUE(static_cast<bool>(b.executable().run(a)));
      losses[static_cast<std::size_t>(rank)].push_back(b.executable().metrics().loss_sum);
      EXPECT_EQ(b.executable().metrics().samples, 32);
    }
    weights[static_cast<std::size_t>(rank)] = weights_of(b);
  };
  {
    std::jthread other(replica, 1);
    replica(0);
  }
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(weights[0], weights[1]);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(losses[0][i], losses[2][i], 1e-5 * losses[2][i]);
}

TEST(WholeStep, AnAbortedReplicaEndsTheStepWithAnErrorOnEveryThreadCount) {
  for (int threads = 1; threads <= 4; ++threads) {
    NetBuilder n = small_resnet(16, 2);
    n.train("sgd", sgd_attrs());
    AllReduceGroup meeting(2);
    LocalCommunicator communicator(meeting, 0);
    Bench b(n.tiny, *device_of(cpu_backend()), threads, &communicator);
    initialise(b);
    load_digits(b);
    const std::vector<float> before = weights_of(b);
    std::jthread breaker([&] { communicator.abort(); });
    const Status s = b.executable().run(step_args(0, 16, 0.1));
    EXPECT_FALSE(static_cast<bool>(s));
    EXPECT_EQ(weights_of(b), before);
  }
}

}  // namespace
}  // namespace nw::test
