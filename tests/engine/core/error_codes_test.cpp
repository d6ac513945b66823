// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/result.hpp"

namespace nw {
namespace {

TEST(ErrorCodes, DocumentedErrorCodesMapToTheirExitCodes) {
  EXPECT_EQ(exit_code(Errc::other), 1);
  EXPECT_EQ(exit_code(Errc::usage), 2);
  EXPECT_EQ(exit_code(Errc::bad_input), 3);
  EXPECT_EQ(exit_code(Errc::no_device), 4);
  EXPECT_EQ(exit_code(Errc::out_of_memory), 5);
  EXPECT_EQ(exit_code(Errc::not_finite), 6);
  EXPECT_EQ(exit_code(Errc::disk), 7);
  EXPECT_EQ(exit_code(Errc::stopped), 8);
}

TEST(ErrorCodes, UndocumentedErrorCodesExitWithOne) {
  for (const Errc code : {Errc::in_use, Errc::not_recorded, Errc::no_response, Errc::disconnected, Errc::unsupported})
    EXPECT_EQ(exit_code(code), 1) << static_cast<int>(code);
}

}  // namespace
}  // namespace nw
