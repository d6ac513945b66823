// SPDX-License-Identifier: Apache-2.0
// Requests that arrive together are computed together, each gets its own scores, and the queue has an end.
#include <gtest/gtest.h>

#include <future>

#include "engine/serve_http/batcher.hpp"

namespace nw::serve_http {
namespace {

/// A network whose score is twice the only pixel; it records its batches and can be held.
class Doubler final : public BatchNetwork {
 public:
  const RunDefinition& definition() const override { return definition_; }
  const std::string& checkpoint() const override { return checkpoint_; }
  std::int64_t outputs() const override { return 1; }
  std::span<const PixelScale> scales() const override { return {}; }
  std::int64_t memory_bytes() const override { return 0; }
  Status run(std::span<const float> nhwc, std::int64_t count, std::vector<float>& scores) override {
    const std::lock_guard held(hold);
    batches.push_back(count);
    if (fails) return fail(Errc::other, "it failed");
    scores.clear();
    for (const float v : nhwc) scores.push_back(2 * v);
    return {};
  }
  std::vector<float> answers(std::span<const float> scores) const override { return {scores.begin(), scores.end()}; }

  std::mutex hold;
  std::vector<std::int64_t> batches;
  bool fails = false;

 private:
  RunDefinition definition_;
  std::string checkpoint_;
};

struct Served {
  std::shared_ptr<Model> model = std::make_shared<Model>();
  Doubler* network = nullptr;
  Served() {
    auto made = std::make_unique<Doubler>();
    network = made.get();
    model->network = std::move(made);
  }
};

std::future<Result<std::vector<float>>> ask(Batcher& batcher, const ModelPointer& model, std::vector<float> pixels,
                                            bool* taken = nullptr) {
  auto promise = std::make_shared<std::promise<Result<std::vector<float>>>>();
  auto answer = promise->get_future();
  const auto images = static_cast<std::int64_t>(pixels.size());
  const bool in =
      batcher.add({model, images, std::move(pixels), [promise](auto r) { promise->set_value(std::move(r)); }});
  if (taken) *taken = in;
  return answer;
}

void until_empty(const Batcher& b) {
  while (b.waiting_images() > 0) std::this_thread::yield();
}

TEST(Batcher, RequestsThatWaitAreExecutedTogetherAndEachGetsItsOwnScores) {
  Served s;
  Metrics metrics;
  std::vector<std::future<Result<std::vector<float>>>> answers;
  {
    Batcher batcher({.largest_batch = 4, .wait_s = 0}, metrics);
    std::unique_lock hold(s.network->hold);
    answers.push_back(ask(batcher, s.model, {1}));
    until_empty(batcher);
    for (const float v : {2, 3, 4, 5, 6}) answers.push_back(ask(batcher, s.model, {v}));
    hold.unlock();
    for (std::size_t i = 0; i < answers.size(); ++i)
      EXPECT_EQ(*answers[i].get(), std::vector<float>{2 * static_cast<float>(i + 1)});
  }
  EXPECT_EQ(s.network->batches, (std::vector<std::int64_t>{1, 4, 1}));
}

TEST(Batcher, ARequestOfManyImagesIsExecutedInPieces) {
  Served s;
  Metrics metrics;
  Batcher batcher({.largest_batch = 2, .wait_s = 0}, metrics);
  EXPECT_EQ(*ask(batcher, s.model, {1, 2, 3, 4, 5}).get(), (std::vector<float>{2, 4, 6, 8, 10}));
  EXPECT_EQ(s.network->batches, (std::vector<std::int64_t>{2, 2, 1}));
}

TEST(Batcher, TwoNetworksAreNotMixed) {
  Served a, b;
  Metrics metrics;
  Batcher batcher({.largest_batch = 8, .wait_s = 0}, metrics);
  std::vector<std::future<Result<std::vector<float>>>> answers;
  {
    const std::lock_guard hold_a(a.network->hold), hold_b(b.network->hold);
    answers.push_back(ask(batcher, a.model, {1}));
    until_empty(batcher);
    for (const float v : {2, 4}) {
      answers.push_back(ask(batcher, a.model, {v}));
      answers.push_back(ask(batcher, b.model, {v + 1}));
    }
  }
  for (std::size_t i = 0; i < answers.size(); ++i)
    EXPECT_EQ(*answers[i].get(), std::vector<float>{2 * static_cast<float>(i + 1)});
  EXPECT_EQ(a.network->batches, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(b.network->batches, (std::vector<std::int64_t>{2}));
}

TEST(Batcher, AFullQueueTakesNoMore) {
  Served s;
  Metrics metrics;
  Batcher batcher({.largest_batch = 1, .queue_images = 2, .wait_s = 0}, metrics);
  std::vector<std::future<Result<std::vector<float>>>> answers;
  std::vector<bool> taken;
  {
    const std::lock_guard hold(s.network->hold);
    answers.push_back(ask(batcher, s.model, {1}));
    until_empty(batcher);
    for (int i = 0; i < 4; ++i) {
      bool in = false;
      answers.push_back(ask(batcher, s.model, {2}, &in));
      taken.push_back(in);
    }
  }
  EXPECT_EQ(taken, (std::vector<bool>{true, true, false, false}));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(answers[static_cast<std::size_t>(i)].get());
}

TEST(Batcher, AnErrorReachesEveryRequestOfTheBatch) {
  Served s;
  s.network->fails = true;
  Metrics metrics;
  Batcher batcher({.wait_s = 0}, metrics);
  EXPECT_EQ(ask(batcher, s.model, {1}).get().error().str(), "it failed");
}

// Clients that send again as soon as they are answered would otherwise be split into two halves that take turns.
TEST(Batcher, WaitsForTheClientsOfTheLastExecution) {
  Served s;
  Metrics metrics;
  Batcher batcher({.largest_batch = 4, .wait_s = 5}, metrics);
  std::vector<std::future<Result<std::vector<float>>>> first, second;
  {
    std::unique_lock hold(s.network->hold);
    for (int i = 0; i < 2; ++i) first.push_back(ask(batcher, s.model, {1}));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // the execution appears to take this long
  }
  for (auto& f : first) f.wait();
  second.push_back(ask(batcher, s.model, {1}));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  second.push_back(ask(batcher, s.model, {1}));
  for (auto& f : second) f.wait();
  EXPECT_EQ(s.network->batches.back(), 2);
}

}  // namespace
}  // namespace nw::serve_http
