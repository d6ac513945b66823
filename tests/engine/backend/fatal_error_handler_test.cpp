// SPDX-License-Identifier: Apache-2.0
// The handlers that report the error before a process with a hanging GPU exits.
#include "engine/backend/fatal_error_handler.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace nw {
namespace {

const Error gone = fail(Errc::no_device,
                        NW_TR("{0} does not respond ({1}): it made no progress for {2} s; resume from the last "
                              "checkpoint, or with --device cpu"),
                        "cuda:0", "step 3", 4);

TEST(FatalErrorHandler, ActiveHandlersAreCalledInReverseOrder) {
  std::string calls;
  const FatalErrorHandler first([&](const Error& e) { calls += "first: " + e.str(); });
  {
    const FatalErrorHandler left([&](const Error&) { calls += "left"; });
  }
  const FatalErrorHandler second([&](const Error&) { calls += "second, "; });
  call_fatal_error_handlers(gone);
  EXPECT_EQ(calls, "second, first: " + gone.str());
}
TEST(FatalErrorHandlerDeathTest, HandlerRunsBeforeTheProcessExits) {
  const FatalErrorHandler words([](const Error& e) { std::fprintf(stderr, "%s\n", e.str().c_str()); });
  EXPECT_EXIT(exit_hung_process(gone), testing::ExitedWithCode(static_cast<int>(Errc::no_device)),
              "cuda:0 does not respond");
}
TEST(FatalErrorHandlerDeathTest, HangingHandlerDoesNotPreventExit) {
  const FatalErrorHandler hangs([](const Error&) {
    for (;;) ::pause();
  });
  EXPECT_EXIT(exit_hung_process(gone), testing::ExitedWithCode(static_cast<int>(Errc::no_device)), "");
}

}  // namespace
}  // namespace nw
