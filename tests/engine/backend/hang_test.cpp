// SPDX-License-Identifier: Apache-2.0
// What is said before a process is left whose GPU hangs.
#include "engine/backend/hang.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace nw {
namespace {

const Error gone = fail(Errc::no_device,
                        NW_TR("{0} does not answer any more ({1}): for {2} s nothing has moved on it; resume from the "
                              "last checkpoint, or go on with --device cpu"),
                        "cuda:0", "step 3", 4);

TEST(LastWords, AreToldToThoseWhoStillLiveTheLastFirst) {
  std::string told;
  const LastWords first([&](const Error& e) { told += "first: " + e.str(); });
  {
    const LastWords left([&](const Error&) { told += "left"; });
  }
  const LastWords second([&](const Error&) { told += "second, "; });
  tell_last_words(gone);
  EXPECT_EQ(told, "second, first: " + gone.str());
}
TEST(LastWordsDeathTest, AreSaidBeforeTheProcessEndsWithTheErrorsCode) {
  const LastWords words([](const Error& e) { std::fprintf(stderr, "%s\n", e.str().c_str()); });
  EXPECT_EXIT(leave_hung_process(gone), testing::ExitedWithCode(static_cast<int>(Errc::no_device)),
              "cuda:0 does not answer any more");
}
TEST(LastWordsDeathTest, OfSomebodyWhoHangsHimselfAreNotWaitedFor) {
  const LastWords hangs([](const Error&) {
    for (;;) ::pause();
  });
  EXPECT_EXIT(leave_hung_process(gone), testing::ExitedWithCode(static_cast<int>(Errc::no_device)), "");
}

}  // namespace
}  // namespace nw
