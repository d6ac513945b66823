// SPDX-License-Identifier: Apache-2.0
// Processes that train together, played by threads: their sums, and those that are silent or have ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "engine/parallel/process_group.hpp"
#include "engine/parallel/process_link.hpp"
#include "engine/parallel/team.hpp"
#include "tests/engine/parallel/thread_ranks.hpp"

namespace nw {
namespace {
using test::post;
using testing::HasSubstr;
using namespace std::chrono_literals;

constexpr int ranks = 3;

/// The groups of all ranks; each rank's code runs on a thread of its own.
struct Processes : testing::Test {
  Processes() {
    ::alarm(30);  // a wait without an end ends the program
    post().reset(ranks);
    for (int r = 0; r < ranks; ++r) groups.push_back(*ProcessGroup::join(*test::layers[r], 1.0));
  }
  ~Processes() override { ::alarm(0); }
  void on_all(const std::function<void(int)>& work) {
    std::vector<std::jthread> threads;
    for (int r = 0; r < ranks; ++r) threads.emplace_back([&work, r] { work(r); });
  }
  template <class Condition>
  static bool becomes(Condition condition, std::chrono::milliseconds within) {
    for (const auto begin = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - begin < within;
         std::this_thread::sleep_for(10ms))
      if (condition()) return true;
    return condition();
  }
  std::vector<std::unique_ptr<ProcessGroup>> groups;
};

/// Numbers whose sum depends on the order.
std::vector<float> numbers_of(int rank, std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i)
    all[i] = (rank == 1 ? -1.0F : 1.0F) * (1e6F + 0.37F * static_cast<float>(i)) / static_cast<float>(rank + 3);
  return all;
}

TEST_F(Processes, SumTheBytesOfDevicesInOneProcess) {
  for (const std::size_t count : {1U, 2U, 3U, 1000U}) {
    std::vector<std::vector<float>> here, there;
    std::vector<std::vector<double>> wide;
    for (int r = 0; r < ranks; ++r) {
      here.push_back(numbers_of(r, count));
      there.push_back(here.back());
      wide.emplace_back(here.back().begin(), here.back().end());
    }
    auto local = make_local_communicators(ranks);
    on_all([&](int r) {
      EXPECT_TRUE(local[static_cast<std::size_t>(r)]->all_reduce_sum(here[static_cast<std::size_t>(r)].data(),
                                                                     std::ssize(here[0])));
    });
    on_all([&](int r) {
      const auto i = static_cast<std::size_t>(r);
      const auto communicator = make_process_communicator(*groups[i]);
      EXPECT_EQ(communicator->rank(), r);
      EXPECT_EQ(communicator->world(), ranks);
      EXPECT_TRUE(communicator->all_reduce_sum(there[i].data(), std::ssize(there[i])));
      EXPECT_TRUE(communicator->all_reduce_sum(wide[i].data(), std::ssize(wide[i])));
    });
    EXPECT_EQ(here, there) << count;
    EXPECT_EQ(wide[0], wide[2]);
    EXPECT_NEAR(wide[0][0], static_cast<double>(here[0][0]), 1);
  }
}

TEST_F(Processes, ScatterSumsAndGatherTheBytesOfDevicesInOneProcess) {
  const std::vector<std::int64_t> bounds = {0, 7, 7, 20};  // rank 1 has nothing
  std::vector<std::int64_t> bytes;
  for (const std::int64_t b : bounds) bytes.push_back(4 * b);
  std::vector<float> expected = numbers_of(0, 20);
  for (std::size_t i = 0; i < 20; ++i) expected[i] = (expected[i] + numbers_of(1, 20)[i]) + numbers_of(2, 20)[i];
  on_all([&](int r) {
    const auto communicator = make_process_communicator(*groups[static_cast<std::size_t>(r)]);
    std::vector<float> own = numbers_of(r, 20);
    if (r == 2) std::this_thread::sleep_for(80ms);
    EXPECT_TRUE(communicator->reduce_scatter_sum(own.data(), bounds));
    EXPECT_TRUE(communicator->all_gather(reinterpret_cast<std::byte*>(own.data()), bytes));
    EXPECT_EQ(own, expected) << r;
    if (r == 0) EXPECT_GE(communicator->waited_seconds(), 0.04) << "for the rank that came late";
  });
}

TEST_F(Processes, HearWhatTheOthersMeasured) {
  EXPECT_EQ(groups[0]->told(1).device, "");
  ProcessGroup::Figures figures{};
  figures[3] = 42;
  groups[1]->tell(figures, "cpu");
  ASSERT_TRUE(becomes([&] { return groups[0]->told(1).device == "cpu"; }, 5000ms));
  EXPECT_EQ(groups[0]->told(1).figures[3], 42);
  EXPECT_EQ(groups[1]->told(1).figures[3], 42) << "its own";
}

TEST_F(Processes, OneThatIsSilentIsNamedWithTheLayerThatItComputed) {
  groups[2]->is_at(42, "the training step");
  groups[2]->tell_place_by([] { return std::string("at conv2 (backward)"); });
  std::this_thread::sleep_for(700ms);  // all have heard of it
  post().silent[2] = true;
  ASSERT_TRUE(becomes([&] { return groups[0]->lost().has_value(); }, 5000ms));
  EXPECT_THAT(groups[0]->lost()->str(), HasSubstr("last at step 42, in the training step, at conv2 (backward)"));
  groups[2]->tell_place_by({});
  on_all([&](int r) {
    if (r < 2) groups[static_cast<std::size_t>(r)]->leave(1);
  });
}

TEST_F(Processes, KnowTheirHosts) {
  EXPECT_EQ(groups[0]->ranks_on_this_host(), 2);
  EXPECT_EQ(groups[2]->ranks_on_this_host(), 1);
  EXPECT_EQ(groups[0]->number_on_this_host(), 0);
  EXPECT_EQ(groups[1]->number_on_this_host(), 1);
  EXPECT_EQ(groups[2]->number_on_this_host(), 0);
}

TEST_F(Processes, OneThatIsSilentIsNamedWithItsHostAndStepAndNoOneWaitsForIt) {
  groups[2]->is_at(42, "the training step");
  ASSERT_TRUE(becomes([&] { return post().sent.size() >= 6; }, 5000ms));
  std::this_thread::sleep_for(600ms);  // all have heard of the step
  EXPECT_FALSE(groups[0]->lost());
  post().silent[2] = true;
  std::vector<float> data(10);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(make_process_communicator(*groups[0])->all_reduce_sum(data.data(), 10));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
  const auto why = groups[0]->lost();
  ASSERT_TRUE(why);
  EXPECT_THAT(why->str(),
              HasSubstr("rank 2 on other does not answer for 1 s; it was last at step 42, in the training step"));
  on_all([&](int r) {
    if (r < 2) groups[static_cast<std::size_t>(r)]->leave(1);
  });
  EXPECT_EQ(post().aborted_with, 1) << "the silent one is ended too";
}

TEST_F(Processes, OneThatHasEndedIsNamedWithItsExitCode) {
  groups[1]->is_at(7, "the evaluation");
  std::jthread leaving([&] { groups[1]->leave(7); });
  ASSERT_TRUE(becomes([&] { return groups[0]->lost().has_value(); }, 5000ms));
  EXPECT_EQ(groups[0]->lost()->code, Errc::stopped);
  EXPECT_THAT(groups[0]->lost()->str(),
              HasSubstr("rank 1 on here has ended at step 7, in the evaluation, with exit code 7"));
  on_all([&](int r) {
    if (r != 1) groups[static_cast<std::size_t>(r)]->leave(8);
  });
  leaving.join();
  EXPECT_EQ(post().ended, 3);
  EXPECT_EQ(post().aborted_with, 0);
}

TEST_F(Processes, SumOverSomeOfThem) {
  const std::vector<int> some = {2, 0};
  std::vector<std::vector<float>> numbers = {numbers_of(0, 100), numbers_of(1, 100), numbers_of(2, 100)};
  std::vector<float> expected = numbers[2];
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += numbers[0][i];
  on_all([&](int r) {
    if (r == 1) return;
    const auto i = static_cast<std::size_t>(r);
    const auto communicator = make_process_communicator(*groups[i], some);
    EXPECT_EQ(communicator->rank(), r == 2 ? 0 : 1);
    EXPECT_EQ(communicator->world(), 2);
    EXPECT_TRUE(communicator->all_reduce_sum(numbers[i].data(), 100));
  });
  EXPECT_EQ(numbers[0], expected);
  EXPECT_EQ(numbers[2], expected);
  EXPECT_EQ(numbers[1], numbers_of(1, 100));
}

/// Both send before they receive: neither waits for the other to take its message.
TEST_F(Processes, StagesSendEachOtherValuesAtTheSameTime) {
  const std::vector<LinkEnds> ends = {{0, 1}, {1, 0}};
  on_all([&](int r) {
    if (r == 2) return;
    const auto link = make_process_link(*groups[static_cast<std::size_t>(r)], ends);
    const auto out = static_cast<std::size_t>(r), in = 1 - out;
    std::vector<std::byte> sent(1000), got(1000);
    for (std::int64_t part = 0; part < 3; ++part) {
      std::fill(sent.begin(), sent.end(), static_cast<std::byte>(10 * r + static_cast<int>(part)));
      EXPECT_TRUE(link->send(out, part, sent));
    }
    for (std::int64_t part = 0; part < 3; ++part) {
      EXPECT_TRUE(link->receive(in, part, got));
      EXPECT_EQ(got, std::vector<std::byte>(1000, static_cast<std::byte>(10 * (1 - r) + static_cast<int>(part))));
    }
  });
}

TEST_F(Processes, AStageThatWaitsForALostOneEnds) {
  post().silent[1] = true;
  const auto link = make_process_link(*groups[0], {{1, 0}});
  std::vector<std::byte> got(8);
  EXPECT_FALSE(link->receive(0, 0, got));
  ASSERT_TRUE(groups[0]->lost());
  EXPECT_THAT(groups[0]->lost()->str(), HasSubstr("rank 1 on here does not answer"));
}

TEST_F(Processes, AnAbortedLinkEnds) {
  const auto link = make_process_link(*groups[0], {{1, 0}});
  std::jthread aborting([&] {
    std::this_thread::sleep_for(100ms);
    link->abort();
  });
  std::vector<std::byte> got(8);
  EXPECT_FALSE(link->receive(0, 0, got));
  EXPECT_FALSE(groups[0]->lost());
}

TEST_F(Processes, AnAbortedSumEnds) {
  const auto communicator = make_process_communicator(*groups[0]);
  std::jthread aborting([&] {
    std::this_thread::sleep_for(100ms);
    communicator->abort();
  });
  std::vector<float> data(10);
  EXPECT_FALSE(communicator->all_reduce_sum(data.data(), 10));
  EXPECT_TRUE(communicator->aborted());
}

}  // namespace
}  // namespace nw
