// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/message_time.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace nw {
namespace {

constexpr MessageWay there{0, 1000}, back{1, 2000};

TEST(MessageSeconds, OfAStageThatComesLaterAreThoseOfTheOtherMessages) {
  const auto link = make_local_link();
  std::optional<double> answered;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    answered = message_seconds(*link, there, back, false);
  });
  const auto took = message_seconds(*link, there, back, true);
  other.join();
  EXPECT_EQ(answered, 0.0);
  ASSERT_TRUE(took);
  EXPECT_GT(*took, 0);
  EXPECT_LT(*took, 1.0 / 200) << "the mean of 41 would be more than 1 / 82";
}

TEST(MessageSeconds, OfAnAbortedLinkAreNone) {
  const auto link = make_local_link();
  link->abort();
  EXPECT_FALSE(message_seconds(*link, there, back, true));
  EXPECT_FALSE(message_seconds(*link, there, back, false));
}

}  // namespace
}  // namespace nw
