// SPDX-License-Identifier: Apache-2.0
// Gradients are summed over replicas while the backward pass computes others: the same bytes as one sum after it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "engine/backend/devices.hpp"
#include "engine/compile/compile.hpp"
#include "engine/compile/shard_update.hpp"
#include "engine/parallel/team.hpp"
#include "kernels/step_timeline.hpp"
#include "tests/engine/train/ranks.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {

constexpr std::int64_t batch = 4;  // of a rank

/// Passes everything on, and remembers what was asked for while a step ran.
class Logged final : public RankCommunicator {
 public:
  struct Call {
    enum class What { begin, advance, finish, all } what;
    std::size_t here = 0;
  };
  explicit Logged(std::unique_ptr<RankCommunicator> inner) : inner_(std::move(inner)) {}
  int rank() const override { return inner_->rank(); }
  int world() const override { return inner_->world(); }
  bool all_reduce_sum(float* data, std::int64_t count) override { return inner_->all_reduce_sum(data, count); }
  bool all_reduce_sum(double* data, std::int64_t count) override { return inner_->all_reduce_sum(data, count); }
  bool reduce_scatter_sum(float* data, std::span<const std::int64_t> bounds) override {
    calls.push_back({Call::What::all});
    return inner_->reduce_scatter_sum(data, bounds);
  }
  bool all_gather(std::byte* data, std::span<const std::int64_t> bounds) override {
    return inner_->all_gather(data, bounds);
  }
  void begin_sum(float* data, std::span<const std::int64_t> bounds, bool to_all) override {
    calls.push_back({Call::What::begin});
    inner_->begin_sum(data, bounds, to_all);
  }
  std::size_t advance_sums() override {
    const std::size_t here = inner_->advance_sums();
    calls.push_back({Call::What::advance, here});
    return here;
  }
  bool finish_sums(std::span<double> numbers) override {
    calls.push_back({Call::What::finish});
    return inner_->finish_sums(numbers);
  }
  void abort() override { inner_->abort(); }
  bool aborted() const override { return inner_->aborted(); }
  double waited_seconds() const override { return inner_->waited_seconds(); }
  /// Whether some gradients were summed before the last ones were complete.
  bool summed_early() const {
    const auto last =
        std::find_if(calls.rbegin(), calls.rend(), [](const Call& c) { return c.what == Call::What::begin; });
    return std::any_of(last, calls.rend(), [](const Call& c) { return c.here > 0; });
  }
  std::vector<Call> calls;

 private:
  std::unique_ptr<RankCommunicator> inner_;
};

/// What cannot sum while it computes.
class Plain final : public Communicator {
 public:
  explicit Plain(RankCommunicator& inner) : inner_(inner) {}
  int rank() const override { return inner_.rank(); }
  int world() const override { return inner_.world(); }
  bool all_reduce_sum(float* data, std::int64_t count) override { return inner_.all_reduce_sum(data, count); }
  bool all_reduce_sum(double* data, std::int64_t count) override { return inner_.all_reduce_sum(data, count); }
  void abort() override { inner_.abort(); }

 private:
  RankCommunicator& inner_;
};

/// A layer's gradients fill a bucket each, those of the last convolution are the first that are complete, and they are
/// large enough to be exchanged early.
Plan plan_for(const Device& device, int rank, int world, bool sharded) {
  GraphDoc doc = test::net(
      "images: Input 1x12x12; conv1: Conv2d out_channels=32 kernel_size=3x3 stride=2x2; bn1: BatchNorm2d; "
      "conv2: Conv2d out_channels=128 kernel_size=3x3; relu2: ReLU; conv3: Conv2d out_channels=192 kernel_size=3x3 "
      "padding=1x1; relu3: ReLU; conv4: Conv2d out_channels=320 kernel_size=3x3 padding=1x1; flat: Flatten; fc1: "
      "Linear; "
      "loss: CrossEntropy");
  TrainSettings s = doc.settings();
  s.clip_norm = 1;
  test::edit(doc, {PutSettings{s}});
  Plan plan =
      compile(doc, {.training = true, .batch = batch, .world = world, .device = &device, .data = DataFacts{}})->plan;
  if (sharded) shard_update(plan, rank, world);
  return plan;
}

/// Numbers without a pattern, of about this size.
std::vector<float> numbers(std::size_t count, std::uint32_t seed, float size) {
  std::vector<float> all(count);
  for (float& x : all) {
    seed = seed * 1664525U + 1013904223U;
    x = size * (static_cast<float>(seed >> 8) / 8388608.0F - 1);
  }
  return all;
}

void fill(const Plan& plan, Executable& e, int rank) {
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    const auto count = static_cast<std::size_t>(v.shape.elements());
    if (v.name == "labels") {
      std::vector<std::int64_t> labels(count);
      for (std::size_t k = 0; k < count; ++k) labels[k] = (static_cast<std::int64_t>(k) + rank) % 10;
      e.write(static_cast<int>(i), std::as_bytes(std::span(labels)));
    } else if (v.name == "images" || v.role == Role::weight) {
      const bool image = v.role == Role::input;
      const auto all = numbers(count, static_cast<std::uint32_t>(i + (image ? 1000 * rank : 0)), image ? 1 : 0.05F);
      e.write(static_cast<int>(i), std::as_bytes(std::span(all)));
    }
  }
}

struct Outcome {
  Status status;
  std::vector<std::vector<std::byte>> weights;
  std::vector<StepSpan> timeline;
};

Outcome train_alone(Communicator& communicator, int threads, bool sharded) {
  const auto device = cpu_backend().devices().front();
  const Plan plan = plan_for(*device, communicator.rank(), communicator.world(), sharded);
  const auto team = make_team(threads);
  const auto e = *device->prepare(plan, {.team = team.get(), .communicator = &communicator});
  fill(plan, *e, communicator.rank());
  Outcome o;
  for (std::int64_t step = 0; step < 3 && o.status; ++step)
    o.status = e->run(
        {.step = step, .seed = 7, .valid = batch, .global_valid = batch * communicator.world(), .learning_rate = 0.1});
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (v.role != Role::weight) continue;
    o.weights.emplace_back(static_cast<std::size_t>(v.shape.elements()) * sizeof(float));
    e->read(static_cast<int>(i), o.weights.back());
  }
  if (const auto* line = dynamic_cast<StepTimeline*>(e.get())) o.timeline = line->timeline();
  return o;
}

/// Of all ranks, which are threads of this process.
struct Ranks {
  std::vector<std::unique_ptr<Logged>> communicators;
  std::vector<Outcome> outcomes;
  explicit Ranks(int world) : outcomes(static_cast<std::size_t>(world)) {
    for (auto& c : make_local_communicators(world)) communicators.push_back(std::make_unique<Logged>(std::move(c)));
  }
  void train(bool overlapped, int threads = 1, bool sharded = false) {
    std::vector<std::jthread> all;
    for (std::size_t r = 0; r < outcomes.size(); ++r)
      all.emplace_back([=, this] {
        Plain plain(*communicators[r]);
        outcomes[r] = train_alone(overlapped ? static_cast<Communicator&>(*communicators[r]) : plain, threads, sharded);
      });
  }
};

class Overlap : public testing::TestWithParam<int> {};

TEST_P(Overlap, HasTheBytesOfOneSumAfterTheBackwardPass) {
  const int world = GetParam();
  Ranks after(world), meanwhile(world), on_threads(world);
  after.train(false);
  meanwhile.train(true);
  on_threads.train(true, 3);
  for (std::size_t r = 0; r < after.outcomes.size(); ++r) {
    ASSERT_TRUE(after.outcomes[r].status && meanwhile.outcomes[r].status && on_threads.outcomes[r].status);
    EXPECT_EQ(meanwhile.outcomes[r].weights, after.outcomes.front().weights) << r;
    EXPECT_EQ(on_threads.outcomes[r].weights, after.outcomes.front().weights) << r;
    EXPECT_TRUE(after.outcomes[r].timeline.empty()) << "it exchanged nothing while it computed";
  }
}

/// The last rank whose first gradients are complete finds those of the others, and sums its part before it goes on.
TEST_P(Overlap, SomeGradientsAreSummedBeforeTheLastAreComplete) {
  Ranks ranks(GetParam());
  ranks.train(true);
  EXPECT_TRUE(std::any_of(ranks.communicators.begin(), ranks.communicators.end(),
                          [](const auto& c) { return c->summed_early(); }));
  for (const auto& c : ranks.communicators)
    EXPECT_GE(std::count_if(c->calls.begin(), c->calls.end(),
                            [](const Logged::Call& call) { return call.what == Logged::Call::What::begin; }),
              3 * 3)
        << "of three steps";
}

TEST_P(Overlap, PartsOfTheStateHaveTheSameBytes) {
  const int world = GetParam();
  Ranks whole(world), parts(world);
  whole.train(true);
  parts.train(true, 1, true);
  for (std::size_t r = 0; r < parts.outcomes.size(); ++r) {
    ASSERT_TRUE(parts.outcomes[r].status);
    EXPECT_EQ(parts.outcomes[r].weights, whole.outcomes.front().weights) << r;
    EXPECT_TRUE(std::none_of(parts.communicators[r]->calls.begin(), parts.communicators[r]->calls.end(),
                             [](const Logged::Call& c) { return c.what == Logged::Call::What::all; }));
  }
}

TEST_P(Overlap, ProcessesHaveTheBytesOfDevicesInOneProcess) {
  const int world = GetParam();
  Ranks devices(world);
  devices.train(true);
  for (const bool sharded : {false, true}) {
    std::vector<Outcome> outcomes(static_cast<std::size_t>(world));
    std::vector<char> early(static_cast<std::size_t>(world));
    test::on_thread_ranks(world, [&](ProcessGroup& group, std::size_t rank) {
      Logged logged(make_process_communicator(group));
      outcomes[rank] = train_alone(logged, 1, sharded);
      early[rank] = logged.summed_early();
    });
    for (const Outcome& o : outcomes) {
      ASSERT_TRUE(o.status) << o.status.error().str();
      EXPECT_EQ(o.weights, devices.outcomes.front().weights) << sharded;
    }
    EXPECT_NE(std::count(early.begin(), early.end(), 1), 0);
  }
}

TEST_P(Overlap, ARankThatEndsEndsTheOthers) {
  const int world = GetParam();
  Ranks ranks(world);
  {
    std::vector<std::jthread> all;
    for (std::size_t r = 1; r < ranks.outcomes.size(); ++r)
      all.emplace_back([&, r] { ranks.outcomes[r] = train_alone(*ranks.communicators[r], 2, false); });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ranks.communicators[0]->abort();
  }
  for (std::size_t r = 1; r < ranks.outcomes.size(); ++r) EXPECT_FALSE(ranks.outcomes[r].status);
}

TEST_P(Overlap, TheTimelineSaysWhatEachRankDid) {
  Ranks ranks(GetParam());
  ranks.train(true);
  for (const Outcome& o : ranks.outcomes) {
    ASSERT_GE(o.timeline.size(), 4U + 3U);
    const StepSpan &forward = o.timeline[0], &backward = o.timeline[1], &wait = o.timeline[2], &update = o.timeline[3];
    EXPECT_EQ(forward.part, StepPart::forward);
    EXPECT_EQ(forward.begin_s, 0);
    EXPECT_GT(forward.end_s, 0);
    EXPECT_EQ(backward.part, StepPart::backward);
    EXPECT_EQ(backward.begin_s, forward.end_s);
    EXPECT_EQ(wait.part, StepPart::wait);
    EXPECT_EQ(wait.begin_s, backward.end_s);
    EXPECT_EQ(update.part, StepPart::update);
    EXPECT_EQ(update.begin_s, wait.end_s);
    int buckets = 0;
    for (const StepSpan& s : o.timeline) {
      EXPECT_LE(s.begin_s, s.end_s);
      if (s.part == StepPart::bucket) {
        EXPECT_EQ(s.bucket, ++buckets) << "in the order of their completion";
        EXPECT_GE(s.begin_s, backward.begin_s);
        EXPECT_LE(s.end_s, wait.end_s);
      } else if (s.part == StepPart::exchange) {
        EXPECT_GE(s.begin_s, backward.begin_s);
        EXPECT_LE(s.end_s, backward.end_s);
      }
    }
    EXPECT_GE(buckets, 3);
    EXPECT_LT(o.timeline[4].begin_s, backward.end_s) << "begun before the last ones are complete";
  }
}

/// The gradients of a small network are one sum at the end: several messages would cost more.
TEST(OverlapOfASmallNetwork, IsOneSum) {
  const auto device = cpu_backend().devices().front();
  Plan plan =
      compile(test::net("images: Input 1x6x6; conv1: Conv2d out_channels=4 kernel_size=3x3; relu1: ReLU; conv2: "
                        "Conv2d out_channels=4 kernel_size=3x3; flat: Flatten; fc: Linear; loss: CrossEntropy"),
              {.training = true, .batch = batch, .world = 2, .device = device.get(), .data = DataFacts{}})
          ->plan;
  auto ranks = make_local_communicators(2);
  std::array<std::vector<StepSpan>, 2> spans;
  {
    std::vector<std::jthread> all;
    for (std::size_t r = 0; r < 2; ++r)
      all.emplace_back([&, r] {
        const auto team = make_team(1);
        const auto e = *device->prepare(plan, {.team = team.get(), .communicator = ranks[r].get()});
        fill(plan, *e, static_cast<int>(r));
        ASSERT_TRUE(e->run({.valid = batch, .global_valid = 2 * batch, .learning_rate = 0.1}));
        spans[r] = dynamic_cast<StepTimeline&>(*e).timeline();
      });
  }
  for (const auto& s : spans) {
    EXPECT_EQ(std::count_if(s.begin(), s.end(), [](const StepSpan& x) { return x.part == StepPart::bucket; }), 1);
    EXPECT_GE(s[4].begin_s, s[1].end_s) << "begun after the backward pass";
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Overlap, testing::Values(2, 3, 4));

}  // namespace
}  // namespace nw
